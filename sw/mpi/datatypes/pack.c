/* Packing: the data of elements without gaps, as they also travel. */
#include <limits.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/datatypes/layout.h"
#include "sw/mpi/datatypes/type_map.h"

static int check(const char* call, const void* data, int count, MPI_Datatype type, const void* packed, int packed_bytes,
                 const int* position, MPI_Comm comm) {
  MPI_TRY(mpi_check_comm(call, comm));
  MPI_TRY(mpi_check_data(call, data, count, type));
  MPI_TRY(mpi_check_result(call, position));
  const size_t bytes = (size_t)count * type->bytes;
  if (!packed && bytes > 0) return mpi_fail(call, MPI_ERR_BUFFER, "the buffer for packed data is a null pointer");
  if (*position < 0 || *position > packed_bytes || bytes > (size_t)(packed_bytes - *position))
    return mpi_fail(call, MPI_ERR_TRUNCATE, "%zu bytes from position %d on do not fit into %d; ask MPI_Pack_size",
                    bytes, *position, packed_bytes);
  return MPI_SUCCESS;
}

/* ---- MPI_Pack ---- */
int MPI_Pack(const void* in, int count, MPI_Datatype type, void* packed, int packed_bytes, int* position,
             MPI_Comm comm) {
  MPI_TRY(check("MPI_Pack", in, count, type, packed, packed_bytes, position, comm));
  mpi_pack(in, (size_t)count, type, (char*)packed + *position);
  *position += (int)((size_t)count * type->bytes);
  return MPI_SUCCESS;
}

/* ---- MPI_Unpack ---- */
int MPI_Unpack(const void* packed, int packed_bytes, int* position, void* out, int count, MPI_Datatype type,
               MPI_Comm comm) {
  MPI_TRY(check("MPI_Unpack", out, count, type, packed, packed_bytes, position, comm));
  mpi_unpack((const char*)packed + *position, out, (size_t)count, type);
  *position += (int)((size_t)count * type->bytes);
  return MPI_SUCCESS;
}

/* ---- MPI_Pack_size ---- */
int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int* bytes) {
  MPI_TRY(mpi_check_comm("MPI_Pack_size", comm));
  MPI_TRY(mpi_check_type("MPI_Pack_size", type));
  MPI_TRY(mpi_check_result("MPI_Pack_size", bytes));
  if (count < 0) return mpi_fail("MPI_Pack_size", MPI_ERR_COUNT, "the count is %d; it must be 0 or more", count);
  const size_t all = mpi_bytes_at_most((size_t)count, type->bytes);
  *bytes = all > INT_MAX ? MPI_UNDEFINED : (int)all;
  return MPI_SUCCESS;
}
