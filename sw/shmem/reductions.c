/* shmem_TYPE_OPERATION_reduce and shmem_TYPE_OPERATION_to_all for all types. */
#include "sw/shmem/internal.h"

/* ---- how two vectors combine ---- */
#define a_and_b a& b
#define a_or_b a | b
#define a_xor_b a ^ b
#define a_min_b a < b ? a : b
#define a_max_b a > b ? a : b
#define a_sum_b a + b
#define a_prod_b a* b
#define SHMEM_REDUCTION(name, type, operation)                                           \
  static void combine_##name##_##operation(void* into, const void* from, size_t count) { \
    type* left = into;                                                                   \
    const type* right = from;                                                            \
    for (size_t i = 0; i < count; ++i) {                                                 \
      const type a = left[i], b = right[i];                                              \
      left[i] = (type)(a_##operation##_b);                                               \
    }                                                                                    \
  }
/* Reductions of active sets are among those of teams, except AND, OR and XOR. */
SHMEM_EACH_OPERATION(SHMEM_EACH_TEAM_BITWISE, SHMEM_EACH_TEAM_ORDERED, SHMEM_EACH_TEAM_REDUCED)
SHMEM_EACH_REDUCED_BITWISE(SHMEM_REDUCED_AND)
SHMEM_EACH_REDUCED_BITWISE(SHMEM_REDUCED_OR)
SHMEM_EACH_REDUCED_BITWISE(SHMEM_REDUCED_XOR)
#undef SHMEM_REDUCTION

/* ---- teams ---- */
#define SHMEM_REDUCTION(name, type, operation)                                                               \
  int shmem_##name##_##operation##_reduce(shmem_team_t team, type* dest, const type* source, size_t count) { \
    const struct reduction reduction = {.call = "shmem_" #name "_" #operation "_reduce",                     \
                                        .size = sizeof(type),                                                \
                                        .combine = combine_##name##_##operation};                            \
    shmem_reduce(&reduction, dest, source, count, shmem_team_set(reduction.call, team));                     \
    return 0;                                                                                                \
  }
SHMEM_EACH_OPERATION(SHMEM_EACH_TEAM_BITWISE, SHMEM_EACH_TEAM_ORDERED, SHMEM_EACH_TEAM_REDUCED)
#undef SHMEM_REDUCTION

/* ---- active sets ---- */
#define SHMEM_REDUCTION(name, type, operation)                                                                         \
  void shmem_##name##_##operation##_to_all(type* dest, const type* source, int number, int PE_start, int logPE_stride, \
                                           int PE_size, type* pWrk, long* pSync) {                                     \
    (void)pWrk;                                                                                                        \
    (void)pSync;                                                                                                       \
    const struct reduction reduction = {.call = "shmem_" #name "_" #operation "_to_all",                               \
                                        .size = sizeof(type),                                                          \
                                        .combine = combine_##name##_##operation};                                      \
    shmem_reduce_active_set(&reduction, dest, source, number, PE_start, logPE_stride, PE_size);                        \
  }
SHMEM_EACH_OPERATION(SHMEM_EACH_REDUCED_BITWISE, SHMEM_EACH_REDUCED_ORDERED, SHMEM_EACH_REDUCED)
