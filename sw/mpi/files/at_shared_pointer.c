/* Accesses at the pointer that all processes share. */
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/errors.h"
#include "sw/mpi/files/file.h"

static int take_place(struct mpi_access* access) {
  MPI_TRY(mpi_access_check(access));
  return mpi_shared_add(access->call, access->file, access->bytes, &access->position);
}

static int make(struct mpi_access access, MPI_Status* status) {
  MPI_TRY(take_place(&access));
  return mpi_access_make(&access, status);
}

static int start(struct mpi_access access, MPI_Request* request) {
  MPI_TRY(take_place(&access));
  return mpi_access_start(&access, request);
}

static int make_ordered(struct mpi_access access, MPI_Status* status) {
  MPI_TRY(mpi_access_check(&access));
  MPI_TRY(mpi_shared_order(&access));
  return mpi_access_make_all(&access, status);
}

int MPI_File_read_shared(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Status* status) {
  return make(MPI_ACCESS_READ("MPI_File_read_shared"), status);
}

int MPI_File_write_shared(MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Status* status) {
  return make(MPI_ACCESS_WRITE("MPI_File_write_shared"), status);
}

int MPI_File_iread_shared(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Request* request) {
  return start(MPI_ACCESS_READ("MPI_File_iread_shared"), request);
}

int MPI_File_iwrite_shared(MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Request* request) {
  return start(MPI_ACCESS_WRITE("MPI_File_iwrite_shared"), request);
}

int MPI_File_read_ordered(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Status* status) {
  return make_ordered(MPI_ACCESS_READ("MPI_File_read_ordered"), status);
}

int MPI_File_write_ordered(MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Status* status) {
  return make_ordered(MPI_ACCESS_WRITE("MPI_File_write_ordered"), status);
}

/* ---- MPI_File_seek_shared: all with the same arguments ---- */
int MPI_File_seek_shared(MPI_File file, MPI_Offset offset, int whence) {
  static const char call[] = "MPI_File_seek_shared";
  MPI_TRY(mpi_check_file(call, file));
  if ((file->mode & MPI_MODE_SEQUENTIAL) != 0)
    return mpi_file_fail(file, call, MPI_ERR_UNSUPPORTED_OPERATION, "the file is open with MPI_MODE_SEQUENTIAL");
  long long own[4] = {offset, -offset, whence, -whence}, most[4];
  MPI_Allreduce(own, most, 4, MPI_LONG_LONG, MPI_MAX, file->comm); /* and no process is still before it */
  if (most[0] != -most[1] || most[2] != -most[3])
    return mpi_file_fail(file, call, MPI_ERR_NOT_SAME, "offset or whence differ among the processes");
  uint64_t result[2] = {MPI_SUCCESS, 0};
  if (file->comm->rank == 0) {
    uint64_t to = 0;
    if (whence == MPI_SEEK_CUR) result[0] = (uint64_t)mpi_shared_add(call, file, 0, &to);
    if (result[0] == MPI_SUCCESS) result[0] = (uint64_t)mpi_seek_target(call, file, offset, whence, to, &to);
    if (result[0] == MPI_SUCCESS) result[0] = (uint64_t)mpi_shared_set(call, file, to);
  }
  MPI_Bcast(result, 1, MPI_UINT64_T, 0, file->comm);
  return (int)result[0];
}

int MPI_File_get_position_shared(MPI_File file, MPI_Offset* offset) {
  static const char call[] = "MPI_File_get_position_shared";
  uint64_t position = 0;
  MPI_TRY(mpi_check_file(call, file));
  if (!offset) return mpi_file_fail(file, call, MPI_ERR_ARG, "the place for a result is a null pointer");
  if ((file->mode & MPI_MODE_SEQUENTIAL) != 0)
    return mpi_file_fail(file, call, MPI_ERR_UNSUPPORTED_OPERATION, "the file is open with MPI_MODE_SEQUENTIAL");
  MPI_TRY(mpi_shared_add(call, file, 0, &position));
  *offset = (MPI_Offset)(position / file->view.etype_bytes);
  return MPI_SUCCESS;
}
