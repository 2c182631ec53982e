/* Collective accesses in two calls: the first makes the access, the second gives its status (MPI-3.1, 13.4.5, permits
 * either call to do the work). */
#include "sw/mpi/files/file.h"
#include "sw/mpi/requests/request.h"

static int begin(const char* call, MPI_File file, enum mpi_split what) {
  MPI_TRY(mpi_check_file(call, file));
  if (file->split != SPLIT_NONE)
    return mpi_file_fail(file, call, MPI_ERR_OTHER,
                         "another access of this file has begun and not ended; call its MPI_File_..._end first");
  file->split = what;
  return MPI_SUCCESS;
}

/* An access that fails has not begun. */
static int began(MPI_File file, int error) {
  if (error != MPI_SUCCESS) file->split = SPLIT_NONE;
  return error;
}

static int end(const char* call, MPI_File file, enum mpi_split what, MPI_Status* status) {
  MPI_TRY(mpi_check_file(call, file));
  if (file->split != what)
    return mpi_file_fail(file, call, MPI_ERR_OTHER, "no such access has begun; call its MPI_File_..._begin first");
  file->split = SPLIT_NONE;
  mpi_set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, file->split_status.bytes_);
  return MPI_SUCCESS;
}

#define ENDS(name, what, buffer_type)                                                \
  int MPI_File_##name##_end(MPI_File file, buffer_type buffer, MPI_Status* status) { \
    (void)buffer;                                                                    \
    return end("MPI_File_" #name "_end", file, what, status);                        \
  }

#define AT(name, what, buffer_type)                                                                                 \
  int MPI_File_##name##_begin(MPI_File file, MPI_Offset offset, buffer_type buffer, int count, MPI_Datatype type) { \
    MPI_TRY(begin("MPI_File_" #name "_begin", file, what));                                                         \
    return began(file, MPI_File_##name(file, offset, buffer, count, type, &file->split_status));                    \
  }                                                                                                                 \
  ENDS(name, what, buffer_type)

#define HERE(name, what, buffer_type)                                                            \
  int MPI_File_##name##_begin(MPI_File file, buffer_type buffer, int count, MPI_Datatype type) { \
    MPI_TRY(begin("MPI_File_" #name "_begin", file, what));                                      \
    return began(file, MPI_File_##name(file, buffer, count, type, &file->split_status));         \
  }                                                                                              \
  ENDS(name, what, buffer_type)

AT(read_at_all, SPLIT_READ_AT, void*)
AT(write_at_all, SPLIT_WRITE_AT, const void*)
HERE(read_all, SPLIT_READ, void*)
HERE(write_all, SPLIT_WRITE, const void*)
HERE(read_ordered, SPLIT_READ_ORDERED, void*)
HERE(write_ordered, SPLIT_WRITE_ORDERED, const void*)
