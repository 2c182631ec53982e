/* Accesses at an offset that the call names. */
#include "sw/mpi/base/errors.h"
#include "sw/mpi/files/file.h"

enum how { ALONE, ALL };

static int make(struct mpi_access access, MPI_Offset offset, enum how how, MPI_Status* status) {
  MPI_TRY(mpi_access_check(&access));
  MPI_TRY(mpi_access_place(&access, offset));
  return how == ALL ? mpi_access_make_all(&access, status) : mpi_access_make(&access, status);
}

static int start(struct mpi_access access, MPI_Offset offset, MPI_Request* request) {
  MPI_TRY(mpi_access_check(&access));
  MPI_TRY(mpi_access_place(&access, offset));
  return mpi_access_start(&access, request);
}

int MPI_File_read_at(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type, MPI_Status* status) {
  return make(MPI_ACCESS_READ("MPI_File_read_at"), offset, ALONE, status);
}

int MPI_File_read_at_all(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                         MPI_Status* status) {
  return make(MPI_ACCESS_READ("MPI_File_read_at_all"), offset, ALL, status);
}

int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status) {
  return make(MPI_ACCESS_WRITE("MPI_File_write_at"), offset, ALONE, status);
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype type,
                          MPI_Status* status) {
  return make(MPI_ACCESS_WRITE("MPI_File_write_at_all"), offset, ALL, status);
}

/* Nonblocking: each process by itself, also those that are collective. */
int MPI_File_iread_at(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                      MPI_Request* request) {
  return start(MPI_ACCESS_READ("MPI_File_iread_at"), offset, request);
}

int MPI_File_iwrite_at(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype type,
                       MPI_Request* request) {
  return start(MPI_ACCESS_WRITE("MPI_File_iwrite_at"), offset, request);
}

int MPI_File_iread_at_all(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                          MPI_Request* request) {
  return start(MPI_ACCESS_READ("MPI_File_iread_at_all"), offset, request);
}

int MPI_File_iwrite_at_all(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype type,
                           MPI_Request* request) {
  return start(MPI_ACCESS_WRITE("MPI_File_iwrite_at_all"), offset, request);
}
