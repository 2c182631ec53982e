/* shmem_TYPE_OPERATION_to_all for all types. */
#include "sw/shmem/internal.h"

#define REDUCTION(name, type, operation, expression)                                                                   \
  static void combine_##name##_##operation(void* into, const void* from, size_t count) {                               \
    type* left = into;                                                                                                 \
    const type* right = from;                                                                                          \
    for (size_t i = 0; i < count; ++i) {                                                                               \
      const type a = left[i], b = right[i];                                                                            \
      left[i] = (type)(expression);                                                                                    \
    }                                                                                                                  \
  }                                                                                                                    \
  void shmem_##name##_##operation##_to_all(type* dest, const type* source, int number, int PE_start, int logPE_stride, \
                                           int PE_size, type* pWrk, long* pSync) {                                     \
    (void)pWrk;                                                                                                        \
    (void)pSync;                                                                                                       \
    const struct reduction reduction = {.call = "shmem_" #name "_" #operation "_to_all",                               \
                                        .size = sizeof(type),                                                          \
                                        .combine = combine_##name##_##operation};                                      \
    shmem_reduce(&reduction, dest, source, number, PE_start, logPE_stride, PE_size);                                   \
  }

#define AND(name, type) REDUCTION(name, type, and, a& b)
#define OR(name, type) REDUCTION(name, type, or, a | b)
#define XOR(name, type) REDUCTION(name, type, xor, a ^ b)
#define MIN(name, type) REDUCTION(name, type, min, a < b ? a : b)
#define MAX(name, type) REDUCTION(name, type, max, a > b ? a : b)
#define SUM(name, type) REDUCTION(name, type, sum, a + b)
#define PROD(name, type) REDUCTION(name, type, prod, a* b)

SHMEM_EACH_REDUCED_BITWISE(AND)
SHMEM_EACH_REDUCED_BITWISE(OR)
SHMEM_EACH_REDUCED_BITWISE(XOR)
SHMEM_EACH_REDUCED_ORDERED(MIN)
SHMEM_EACH_REDUCED_ORDERED(MAX)
SHMEM_EACH_REDUCED(SUM)
SHMEM_EACH_REDUCED(PROD)
