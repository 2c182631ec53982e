/* Opening, closing, deleting. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/files/file.h"

/* ---- life: a closed file's object stays, so that stale handles are detected ---- */
static struct MPI_file_** free_files(void) {
  static struct MPI_file_* list;
  return &list;
}

static MPI_File new_file(void) {
  MPI_File file = *free_files();
  if (file)
    *free_files() = file->next;
  else
    file = mpi_memory(sizeof *file);
  *file = (struct MPI_file_){.object = {1}, .descriptor = -1, .shared = -1, .handler = mpi_file_default_handler()};
  mpi_view_default(&file->view);
  return file;
}

static void give_file(MPI_File file) {
  mpi_view_free(&file->view);
  free(file->name);
  free(file->shared_name);
  file->object.references = 0;
  file->next = *free_files();
  *free_files() = file;
}

/* ---- mode ---- */
static const char* wrong_mode(int mode) {
  const int access = mode & (MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY);
  if (mode < 0 || mode >= 2 * MPI_MODE_APPEND) return "has unknown bits";
  if (access != MPI_MODE_RDONLY && access != MPI_MODE_RDWR && access != MPI_MODE_WRONLY)
    return "must have one of MPI_MODE_RDONLY, MPI_MODE_RDWR and MPI_MODE_WRONLY";
  if (access == MPI_MODE_RDONLY && (mode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) != 0)
    return "has MPI_MODE_CREATE or MPI_MODE_EXCL with MPI_MODE_RDONLY";
  if (access == MPI_MODE_RDWR && (mode & MPI_MODE_SEQUENTIAL) != 0) return "has MPI_MODE_SEQUENTIAL with MPI_MODE_RDWR";
  return NULL;
}

static int flags_of(int mode) {
  return (mode & MPI_MODE_RDONLY ? O_RDONLY : mode & MPI_MODE_WRONLY ? O_WRONLY : O_RDWR) | O_CLOEXEC;
}

/* ---- MPI_File_open ---- */
static char* copy_of(const char* text, size_t more) {
  char* const copy = mpi_memory(strlen(text) + more);
  return strcpy(copy, text);
}

/* ".NAME.shared.JOB.PROCESS.NUMBER" in the folder of the file: those of one job differ by the process that opens first.
 */
static char* name_of_shared(const char* name) {
  enum { DIGITS = 64 };
  static unsigned opened;
  const char* const slash = strrchr(name, '/');
  const size_t folder = slash ? (size_t)(slash - name) + 1 : 0;
  char* const made = mpi_memory(strlen(name) + DIGITS);
  sprintf(made, "%.*s.%s.shared.%d.%d.%u", (int)folder, name, name + folder, hal_job(), hal_rank(), opened++);
  return made;
}

static int check_open(const char* call, MPI_Comm comm, const char* name, const MPI_File* file) {
  MPI_TRY(mpi_check_running(call));
  if (comm == MPI_COMM_NULL || comm->object.references == 0 || comm->local)
    return mpi_file_fail(NULL, call, MPI_ERR_COMM,
                         "the communicator is MPI_COMM_NULL, has been freed, or is an intercommunicator");
  if (!name || !file) return mpi_file_fail(NULL, call, MPI_ERR_ARG, "an argument is a null pointer");
  return MPI_SUCCESS;
}

/* Errors of any process, and errno where that tells more, are those of all. */
static int agree(MPI_Comm comm, int error) {
  int most = error;
  MPI_Allreduce(&error, &most, 1, MPI_INT, MPI_MAX, comm);
  return most;
}

/* Rank 0 creates the file, then the others open it. Returns an errno of any process. */
static int open_all(MPI_File file, const char* name, int mode) {
  int error = 0;
  if (file->comm->rank == 0) {
    const int create = (mode & MPI_MODE_CREATE ? O_CREAT : 0) | (mode & MPI_MODE_EXCL ? O_EXCL : 0);
    file->descriptor = open(name, flags_of(mode) | create, 0666);
    error = file->descriptor < 0 ? errno : 0;
  }
  MPI_Bcast(&error, 1, MPI_INT, 0, file->comm);
  if (error != 0) return error;
  if (file->comm->rank != 0) {
    file->descriptor = open(name, flags_of(mode));
    error = file->descriptor < 0 ? errno : 0;
  }
  return agree(file->comm, error);
}

/* The name of the shared pointer's file is rank 0's. */
static void name_shared(MPI_File file) {
  int length = 0;
  if (file->comm->rank == 0) {
    file->shared_name = name_of_shared(file->name);
    mpi_shared_make(file);
    length = (int)strlen(file->shared_name) + 1;
  }
  MPI_Bcast(&length, 1, MPI_INT, 0, file->comm);
  if (file->comm->rank != 0) file->shared_name = mpi_memory((size_t)length);
  MPI_Bcast(file->shared_name, length, MPI_CHAR, 0, file->comm);
  mpi_shared_open(file);
}

static void begin_at_end(MPI_File file) {
  struct stat status;
  if (file->comm->rank == 0 && fstat(file->descriptor, &status) == 0) file->first = (uint64_t)status.st_size;
  MPI_Bcast(&file->first, 1, MPI_UINT64_T, 0, file->comm);
  file->position = file->first;
}

/* Frees what a failed call has made. */
static void discard(MPI_File file) {
  if (file->descriptor >= 0) close(file->descriptor);
  if (file->shared >= 0) close(file->shared);
  MPI_Comm_free(&file->comm);
  give_file(file);
}

static int open_file(const char* call, MPI_File file, const char* name, int mode, MPI_Info info) {
  int modes[2] = {mode, -mode}, most[2];
  MPI_Allreduce(modes, most, 2, MPI_INT, MPI_MAX, file->comm);
  if (most[0] != -most[1])
    return mpi_file_fail(NULL, call, MPI_ERR_NOT_SAME, "the modes differ among the processes; pass the same to all");
  const char* const wrong = wrong_mode(mode);
  if (wrong) return mpi_file_fail(NULL, call, MPI_ERR_AMODE, "the mode %#x %s", (unsigned)mode, wrong);
  file->mode = mode;
  file->name = copy_of(name, 1);
  const int error = open_all(file, name, mode);
  if (error != 0) return mpi_file_fail_errno(NULL, call, error, name);
  name_shared(file);
  if ((mode & MPI_MODE_APPEND) != 0) begin_at_end(file);
  return mpi_hints_read(call, file, info);
}

int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
  static const char call[] = "MPI_File_open";
  MPI_TRY(check_open(call, comm, name, file));
  MPI_File made = new_file();
  MPI_TRY(MPI_Comm_dup(comm, &made->comm));
  const int error = open_file(call, made, name, mode, info);
  if (error != MPI_SUCCESS) {
    discard(made);
    *file = MPI_FILE_NULL;
    return error;
  }
  *file = made;
  return MPI_SUCCESS;
}

/* ---- MPI_File_close ---- */
int MPI_File_close(MPI_File* handle) {
  static const char call[] = "MPI_File_close";
  if (!handle) return mpi_file_fail(NULL, call, MPI_ERR_FILE, "the place of the file is a null pointer");
  MPI_TRY(mpi_check_file(call, *handle));
  MPI_File file = *handle;
  if (file->split != SPLIT_NONE)
    return mpi_file_fail(file, call, MPI_ERR_OTHER, "a split access has begun and not ended; end it before");
  mpi_shared_close(file); /* all have reached this call */
  close(file->descriptor);
  const int deletes = (file->mode & MPI_MODE_DELETE_ON_CLOSE) != 0 && file->comm->rank == 0;
  const int error =
      deletes && unlink(file->name) != 0 ? mpi_file_fail_errno(file, call, errno, file->name) : MPI_SUCCESS;
  if ((file->mode & MPI_MODE_DELETE_ON_CLOSE) != 0) MPI_Barrier(file->comm); /* it is gone for all */
  MPI_Comm_free(&file->comm);
  give_file(file);
  *handle = MPI_FILE_NULL;
  return error;
}

/* ---- MPI_File_delete ---- */
int MPI_File_delete(const char* name, MPI_Info info) {
  static const char call[] = "MPI_File_delete";
  (void)info;
  MPI_TRY(mpi_check_running(call));
  if (!name) return mpi_file_fail(NULL, call, MPI_ERR_ARG, "the name is a null pointer");
  return unlink(name) == 0 ? MPI_SUCCESS : mpi_file_fail_errno(NULL, call, errno, name);
}

/* ---- what a file is ---- */
int MPI_File_get_group(MPI_File file, MPI_Group* group) {
  MPI_TRY(mpi_check_file("MPI_File_get_group", file));
  if (!group) return mpi_file_fail(file, "MPI_File_get_group", MPI_ERR_ARG, "the place for a result is null");
  return MPI_Comm_group(file->comm, group);
}

int MPI_File_get_amode(MPI_File file, int* mode) {
  MPI_TRY(mpi_check_file("MPI_File_get_amode", file));
  if (!mode) return mpi_file_fail(file, "MPI_File_get_amode", MPI_ERR_ARG, "the place for a result is null");
  *mode = file->mode;
  return MPI_SUCCESS;
}
