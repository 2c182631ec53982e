/* Predefined operations, for each kind of element. */
#include "sw/mpi/internal.h"

#define LOOP(type, expression)           \
  do {                                   \
    const type* a = in;                  \
    type* b = inout;                     \
    for (size_t i = 0; i < count; ++i) { \
      const type x = a[i], y = b[i];     \
      b[i] = (type)(expression);         \
    }                                    \
  } while (0)

#define OPERATION(function, object, text, expression)                                  \
  static int function(const void* in, void* inout, size_t count, enum mpi_kind kind) { \
    switch (kind) {                                                                    \
      case MPI_KIND_I8:                                                                \
        LOOP(int8_t, expression);                                                      \
        break;                                                                         \
      case MPI_KIND_U8:                                                                \
        LOOP(uint8_t, expression);                                                     \
        break;                                                                         \
      case MPI_KIND_I16:                                                               \
        LOOP(int16_t, expression);                                                     \
        break;                                                                         \
      case MPI_KIND_U16:                                                               \
        LOOP(uint16_t, expression);                                                    \
        break;                                                                         \
      case MPI_KIND_I32:                                                               \
        LOOP(int32_t, expression);                                                     \
        break;                                                                         \
      case MPI_KIND_U32:                                                               \
        LOOP(uint32_t, expression);                                                    \
        break;                                                                         \
      case MPI_KIND_I64:                                                               \
        LOOP(int64_t, expression);                                                     \
        break;                                                                         \
      case MPI_KIND_U64:                                                               \
        LOOP(uint64_t, expression);                                                    \
        break;                                                                         \
      case MPI_KIND_FLOAT:                                                             \
        LOOP(float, expression);                                                       \
        break;                                                                         \
      case MPI_KIND_DOUBLE:                                                            \
        LOOP(double, expression);                                                      \
        break;                                                                         \
      default:                                                                         \
        return 0;                                                                      \
    }                                                                                  \
    return 1;                                                                          \
  }                                                                                    \
  struct mpi_op object = {.name = text, .apply = function, .commutes = 1}

OPERATION(sum, mpi_sum_, "MPI_SUM", x + y);
OPERATION(product, mpi_prod_, "MPI_PROD", x* y);
OPERATION(maximum, mpi_max_, "MPI_MAX", x > y ? x : y);
OPERATION(minimum, mpi_min_, "MPI_MIN", x < y ? x : y);
