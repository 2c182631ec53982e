/* Predefined datatypes. */
#include "sw/mpi/internal.h"

#define TYPE(object, text, c_type, type_kind) const struct mpi_datatype object = {text, sizeof(c_type), type_kind}

TYPE(mpi_char_, "MPI_CHAR", char, MPI_KIND_I8);
TYPE(mpi_signed_char_, "MPI_SIGNED_CHAR", signed char, MPI_KIND_I8);
TYPE(mpi_unsigned_char_, "MPI_UNSIGNED_CHAR", unsigned char, MPI_KIND_U8);
TYPE(mpi_byte_, "MPI_BYTE", unsigned char, MPI_KIND_U8);
TYPE(mpi_short_, "MPI_SHORT", short, MPI_KIND_I16);
TYPE(mpi_unsigned_short_, "MPI_UNSIGNED_SHORT", unsigned short, MPI_KIND_U16);
TYPE(mpi_int_, "MPI_INT", int, MPI_KIND_I32);
TYPE(mpi_unsigned_, "MPI_UNSIGNED", unsigned, MPI_KIND_U32);
TYPE(mpi_long_, "MPI_LONG", long, MPI_KIND_I64);
TYPE(mpi_unsigned_long_, "MPI_UNSIGNED_LONG", unsigned long, MPI_KIND_U64);
TYPE(mpi_long_long_, "MPI_LONG_LONG", long long, MPI_KIND_I64);
TYPE(mpi_unsigned_long_long_, "MPI_UNSIGNED_LONG_LONG", unsigned long long, MPI_KIND_U64);
TYPE(mpi_float_, "MPI_FLOAT", float, MPI_KIND_FLOAT);
TYPE(mpi_double_, "MPI_DOUBLE", double, MPI_KIND_DOUBLE);

_Static_assert(sizeof(long) == 8, "MPI_LONG is MPI_KIND_I64");

/* ---- MPI_Type_size ---- */
int MPI_Type_size(MPI_Datatype type, int* size) {
  mpi_check_data("MPI_Type_size", size, 1, type);
  *size = (int)type->bytes;
  return MPI_SUCCESS;
}
