/* OpenSHMEM: waiting for variables of the caller's memory, and testing them. */
#ifndef SANVP_SHMEM_WAITS_H
#define SANVP_SHMEM_WAITS_H

#include <stddef.h>
#include <stdint.h>

#include "sw/shmem/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE };

/* Waits for `count` variables, except those whose `status` is not 0 (null: all). With _vector each has a value of its
 * own. Any: the index of one that holds, SIZE_MAX if none is tested or none holds; some: their number, and
 * their indices. */
#define SHMEM_DECLARE_MANY(name, type, vector, value)                                                                 \
  void shmem_##name##_wait_until_all##vector(volatile type* variables, size_t count, const int* status,               \
                                             int comparison, value);                                                  \
  size_t shmem_##name##_wait_until_any##vector(volatile type* variables, size_t count, const int* status,             \
                                               int comparison, value);                                                \
  size_t shmem_##name##_wait_until_some##vector(volatile type* variables, size_t count, size_t* indices,              \
                                                const int* status, int comparison, value);                            \
  int shmem_##name##_test_all##vector(volatile type* variables, size_t count, const int* status, int comparison,      \
                                      value);                                                                         \
  size_t shmem_##name##_test_any##vector(volatile type* variables, size_t count, const int* status, int comparison,   \
                                         value);                                                                      \
  size_t shmem_##name##_test_some##vector(volatile type* variables, size_t count, size_t* indices, const int* status, \
                                          int comparison, value);
#define SHMEM_DECLARE_WAITED(name, type)                                              \
  void shmem_##name##_wait_until(volatile type* pointer, int comparison, type value); \
  int shmem_##name##_test(volatile type* pointer, int comparison, type value);        \
  SHMEM_DECLARE_MANY(name, type, , type value)                                        \
  SHMEM_DECLARE_MANY(name, type, _vector, const type* values)
SHMEM_EACH_WAITED(SHMEM_DECLARE_WAITED)
#undef SHMEM_DECLARE_WAITED
#undef SHMEM_DECLARE_MANY
/* For longs, as in 1.0. */
void shmem_wait(volatile long* pointer, long value);
void shmem_wait_until(volatile long* pointer, int comparison, long value);

#ifdef __cplusplus
}
#endif
#endif
