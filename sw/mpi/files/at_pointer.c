/* Accesses at the process's own pointer, which each of them moves behind the elements that it asks for. */
#include <sys/stat.h>

#include "sw/mpi/base/errors.h"
#include "sw/mpi/files/file.h"

enum how { ALONE, ALL };

static int take_place(struct mpi_access* access) {
  MPI_TRY(mpi_access_check(access));
  MPI_TRY(mpi_access_place(access, 0)); /* refuses sequential files */
  access->position = access->file->position;
  access->file->position += access->bytes;
  return MPI_SUCCESS;
}

static int make(struct mpi_access access, enum how how, MPI_Status* status) {
  MPI_TRY(take_place(&access));
  return how == ALL ? mpi_access_make_all(&access, status) : mpi_access_make(&access, status);
}

static int start(struct mpi_access access, MPI_Request* request) {
  MPI_TRY(take_place(&access));
  return mpi_access_start(&access, request);
}

int MPI_File_read(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Status* status) {
  return make(MPI_ACCESS_READ("MPI_File_read"), ALONE, status);
}

int MPI_File_read_all(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Status* status) {
  return make(MPI_ACCESS_READ("MPI_File_read_all"), ALL, status);
}

int MPI_File_write(MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Status* status) {
  return make(MPI_ACCESS_WRITE("MPI_File_write"), ALONE, status);
}

int MPI_File_write_all(MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Status* status) {
  return make(MPI_ACCESS_WRITE("MPI_File_write_all"), ALL, status);
}

int MPI_File_iread(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Request* request) {
  return start(MPI_ACCESS_READ("MPI_File_iread"), request);
}

int MPI_File_iwrite(MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Request* request) {
  return start(MPI_ACCESS_WRITE("MPI_File_iwrite"), request);
}

int MPI_File_iread_all(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Request* request) {
  return start(MPI_ACCESS_READ("MPI_File_iread_all"), request);
}

int MPI_File_iwrite_all(MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Request* request) {
  return start(MPI_ACCESS_WRITE("MPI_File_iwrite_all"), request);
}

/* ---- MPI_File_seek, MPI_File_get_position ---- */
/* The end of the file, in data of the view: the first etype that begins there or behind it. */
static uint64_t end_of(MPI_File file) {
  struct stat status;
  if (fstat(file->descriptor, &status) != 0) return 0;
  const uint64_t position = mpi_view_position(&file->view, (uint64_t)status.st_size), each = file->view.etype_bytes;
  return (position + each - 1) / each * each;
}

int mpi_seek_target(const char* call, MPI_File file, MPI_Offset offset, int whence, uint64_t current, uint64_t* to) {
  if (whence != MPI_SEEK_SET && whence != MPI_SEEK_CUR && whence != MPI_SEEK_END)
    return mpi_file_fail(file, call, MPI_ERR_ARG, "whence is %d; take MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END",
                         whence);
  const MPI_Offset each = (MPI_Offset)file->view.etype_bytes;
  const MPI_Offset base = whence == MPI_SEEK_SET ? 0 : (MPI_Offset)(whence == MPI_SEEK_CUR ? current : end_of(file));
  if (base + offset * each < 0)
    return mpi_file_fail(file, call, MPI_ERR_ARG, "the pointer would be %lld, before the view's begin",
                         base / each + offset);
  *to = (uint64_t)(base + offset * each);
  return MPI_SUCCESS;
}

static int check_own(const char* call, MPI_File file) {
  MPI_TRY(mpi_check_file(call, file));
  if ((file->mode & MPI_MODE_SEQUENTIAL) != 0)
    return mpi_file_fail(file, call, MPI_ERR_UNSUPPORTED_OPERATION,
                         "the file is open with MPI_MODE_SEQUENTIAL; only the shared pointer exists");
  return MPI_SUCCESS;
}

int MPI_File_seek(MPI_File file, MPI_Offset offset, int whence) {
  MPI_TRY(check_own("MPI_File_seek", file));
  return mpi_seek_target("MPI_File_seek", file, offset, whence, file->position, &file->position);
}

int MPI_File_get_position(MPI_File file, MPI_Offset* offset) {
  MPI_TRY(check_own("MPI_File_get_position", file));
  if (!offset) return mpi_file_fail(file, "MPI_File_get_position", MPI_ERR_ARG, "the place for a result is null");
  *offset = (MPI_Offset)(file->position / file->view.etype_bytes);
  return MPI_SUCCESS;
}
