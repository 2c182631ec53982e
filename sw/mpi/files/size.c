/* A file's size, and when its data are on the disk. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/errors.h"
#include "sw/mpi/files/file.h"

/* Collective: rank 0 sets the size, or with `least` makes the file at least as large. */
static int resize(const char* call, MPI_File file, MPI_Offset bytes, int least) {
  MPI_TRY(mpi_check_file(call, file));
  if (file->split != SPLIT_NONE)
    return mpi_file_fail(file, call, MPI_ERR_OTHER, "a split access has begun and not ended; end it before");
  long long own[2] = {bytes, -bytes}, most[2];
  MPI_Allreduce(own, most, 2, MPI_LONG_LONG, MPI_MAX, file->comm);
  if (most[0] != -most[1]) return mpi_file_fail(file, call, MPI_ERR_NOT_SAME, "sizes differ among the processes");
  if (bytes < 0) return mpi_file_fail(file, call, MPI_ERR_ARG, "the size is %lld; it must be 0 or more", bytes);
  if ((file->mode & MPI_MODE_RDONLY) != 0)
    return mpi_file_fail(file, call, MPI_ERR_READ_ONLY, "the file is open with MPI_MODE_RDONLY");
  int error = 0;
  if (file->comm->rank == 0) {
    struct stat status;
    error = fstat(file->descriptor, &status) != 0 ? errno : 0;
    if (error == 0 && !(least && status.st_size >= bytes)) error = ftruncate(file->descriptor, bytes) != 0 ? errno : 0;
  }
  MPI_Bcast(&error, 1, MPI_INT, 0, file->comm);
  return error == 0 ? MPI_SUCCESS : mpi_file_fail_errno(file, call, error, file->name);
}

int MPI_File_set_size(MPI_File file, MPI_Offset bytes) { return resize("MPI_File_set_size", file, bytes, 0); }

int MPI_File_preallocate(MPI_File file, MPI_Offset bytes) { return resize("MPI_File_preallocate", file, bytes, 1); }

int MPI_File_get_size(MPI_File file, MPI_Offset* bytes) {
  static const char call[] = "MPI_File_get_size";
  struct stat status;
  MPI_TRY(mpi_check_file(call, file));
  if (!bytes) return mpi_file_fail(file, call, MPI_ERR_ARG, "the place for a result is a null pointer");
  if (fstat(file->descriptor, &status) != 0) return mpi_file_fail_errno(file, call, errno, file->name);
  *bytes = status.st_size;
  return MPI_SUCCESS;
}

/* ---- consistency: every access is atomic anyway ---- */
int MPI_File_set_atomicity(MPI_File file, int flag) {
  static const char call[] = "MPI_File_set_atomicity";
  MPI_TRY(mpi_check_file(call, file));
  int own[2] = {flag != 0, flag == 0}, any[2];
  MPI_Allreduce(own, any, 2, MPI_INT, MPI_MAX, file->comm);
  if (any[0] && any[1]) return mpi_file_fail(file, call, MPI_ERR_NOT_SAME, "the flags differ among the processes");
  file->atomic = flag != 0;
  return MPI_SUCCESS;
}

int MPI_File_get_atomicity(MPI_File file, int* flag) {
  MPI_TRY(mpi_check_file("MPI_File_get_atomicity", file));
  if (!flag) return mpi_file_fail(file, "MPI_File_get_atomicity", MPI_ERR_ARG, "the place for a result is null");
  *flag = file->atomic;
  return MPI_SUCCESS;
}

int MPI_File_sync(MPI_File file) {
  MPI_TRY(mpi_check_file("MPI_File_sync", file));
  if (file->split != SPLIT_NONE)
    return mpi_file_fail(file, "MPI_File_sync", MPI_ERR_OTHER, "a split access has begun and not ended; end it before");
  hal_file_wait(hal_file_begin(file->descriptor, HAL_FILE_SYNC, 0, 0));
  MPI_Barrier(file->comm);
  return MPI_SUCCESS;
}
