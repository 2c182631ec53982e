/* OpenSHMEM: atomic operations, each also as shmem_ctx_... with a context. Operations with _nbi have their result at
 * `fetch` after the context's next quiet. */
#ifndef SANVP_SHMEM_ATOMICS_H
#define SANVP_SHMEM_ATOMICS_H

#include <stddef.h>
#include <stdint.h>

#include "sw/shmem/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SHMEM_DECLARE_FETCHED_AS(prefix, context_, name, type)                            \
  type prefix##name##_atomic_fetch(context_ const type* source, int pe);                  \
  void prefix##name##_atomic_fetch_nbi(context_ type* fetch, const type* source, int pe); \
  void prefix##name##_atomic_set(context_ type* dest, type value, int pe);                \
  type prefix##name##_atomic_swap(context_ type* dest, type value, int pe);               \
  void prefix##name##_atomic_swap_nbi(context_ type* fetch, type* dest, type value, int pe);
#define SHMEM_DECLARE_FETCHED(name, type)                        \
  SHMEM_DECLARE_FETCHED_AS(shmem_, SHMEM_NO_CONTEXT, name, type) \
  SHMEM_DECLARE_FETCHED_AS(shmem_ctx_, SHMEM_CONTEXT, name, type)
SHMEM_EACH_FETCHED(SHMEM_DECLARE_FETCHED)
#undef SHMEM_DECLARE_FETCHED
#undef SHMEM_DECLARE_FETCHED_AS

#define SHMEM_DECLARE_ATOMIC_AS(prefix, context_, name, type)                                                   \
  type prefix##name##_atomic_compare_swap(context_ type* dest, type cond, type value, int pe);                  \
  void prefix##name##_atomic_compare_swap_nbi(context_ type* fetch, type* dest, type cond, type value, int pe); \
  type prefix##name##_atomic_fetch_inc(context_ type* dest, int pe);                                            \
  void prefix##name##_atomic_fetch_inc_nbi(context_ type* fetch, type* dest, int pe);                           \
  void prefix##name##_atomic_inc(context_ type* dest, int pe);                                                  \
  type prefix##name##_atomic_fetch_add(context_ type* dest, type value, int pe);                                \
  void prefix##name##_atomic_fetch_add_nbi(context_ type* fetch, type* dest, type value, int pe);               \
  void prefix##name##_atomic_add(context_ type* dest, type value, int pe);
#define SHMEM_DECLARE_ATOMIC(name, type)                        \
  SHMEM_DECLARE_ATOMIC_AS(shmem_, SHMEM_NO_CONTEXT, name, type) \
  SHMEM_DECLARE_ATOMIC_AS(shmem_ctx_, SHMEM_CONTEXT, name, type)
SHMEM_EACH_ATOMIC(SHMEM_DECLARE_ATOMIC)
#undef SHMEM_DECLARE_ATOMIC
#undef SHMEM_DECLARE_ATOMIC_AS

#define SHMEM_DECLARE_LOGIC_AS(prefix, context_, name, type, operation)                                     \
  type prefix##name##_atomic_fetch_##operation(context_ type* dest, type value, int pe);                    \
  void prefix##name##_atomic_fetch_##operation##_nbi(context_ type* fetch, type* dest, type value, int pe); \
  void prefix##name##_atomic_##operation(context_ type* dest, type value, int pe);
#define SHMEM_DECLARE_LOGIC(name, type, operation)                        \
  SHMEM_DECLARE_LOGIC_AS(shmem_, SHMEM_NO_CONTEXT, name, type, operation) \
  SHMEM_DECLARE_LOGIC_AS(shmem_ctx_, SHMEM_CONTEXT, name, type, operation)
#define SHMEM_DECLARE_BITWISE(name, type) \
  SHMEM_DECLARE_LOGIC(name, type, and) SHMEM_DECLARE_LOGIC(name, type, or) SHMEM_DECLARE_LOGIC(name, type, xor)
SHMEM_EACH_BITWISE(SHMEM_DECLARE_BITWISE)
#undef SHMEM_DECLARE_BITWISE
#undef SHMEM_DECLARE_LOGIC
#undef SHMEM_DECLARE_LOGIC_AS

#ifdef __cplusplus
}
#endif
#endif
