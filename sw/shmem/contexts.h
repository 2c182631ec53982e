/* Communication contexts of OpenSHMEM 1.4. All share one order here: the quiet of one completes what was started in
 * any.
 */
#ifndef SANVP_SHMEM_CONTEXTS_H
#define SANVP_SHMEM_CONTEXTS_H

#include "sw/shmem/shmem.h"

typedef struct shmem_context* shmem_ctx_t;
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)0)
#define SHMEM_CTX_SERIALIZED (1L << 0)
#define SHMEM_CTX_PRIVATE (1L << 1)
#define SHMEM_CTX_NOSTORE (1L << 2)

#ifdef __cplusplus
extern "C" {
#endif
int shmem_ctx_create(long options, shmem_ctx_t* context);
void shmem_ctx_destroy(shmem_ctx_t context);
#ifdef __cplusplus
}
#endif

/* Each is the call of the default context. */
#define SHMEM_IN_CONTEXT(call, parameters, arguments) \
  SHMEM_INLINE void shmem_ctx_##call parameters {     \
    (void)context;                                    \
    shmem_##call arguments;                           \
  }
#define SHMEM_FROM_CONTEXT(type, call, parameters, arguments) \
  SHMEM_INLINE type shmem_ctx_##call parameters {             \
    (void)context;                                            \
    return shmem_##call arguments;                            \
  }

SHMEM_IN_CONTEXT(fence, (shmem_ctx_t context), ())
SHMEM_IN_CONTEXT(quiet, (shmem_ctx_t context), ())

#define SHMEM_MOVE_IN_CONTEXT(call, type)                                                              \
  SHMEM_IN_CONTEXT(call, (shmem_ctx_t context, type * dest, const type* source, size_t count, int pe), \
                   (dest, source, count, pe))
#define SHMEM_STRIDE_IN_CONTEXT(call, type)                                                                       \
  SHMEM_IN_CONTEXT(                                                                                               \
      call,                                                                                                       \
      (shmem_ctx_t context, type * dest, const type* source, ptrdiff_t dst, ptrdiff_t sst, size_t count, int pe), \
      (dest, source, dst, sst, count, pe))
#define SHMEM_VALUE_IN_CONTEXT(call, type) \
  SHMEM_IN_CONTEXT(call, (shmem_ctx_t context, type * dest, type value, int pe), (dest, value, pe))
#define SHMEM_VALUE_FROM_CONTEXT(call, type) \
  SHMEM_FROM_CONTEXT(type, call, (shmem_ctx_t context, type * dest, type value, int pe), (dest, value, pe))

#define SHMEM_MOVED_IN_CONTEXT(name, type)    \
  SHMEM_MOVE_IN_CONTEXT(name##_put, type)     \
  SHMEM_MOVE_IN_CONTEXT(name##_get, type)     \
  SHMEM_MOVE_IN_CONTEXT(name##_put_nbi, type) \
  SHMEM_MOVE_IN_CONTEXT(name##_get_nbi, type) \
  SHMEM_STRIDE_IN_CONTEXT(name##_iput, type)  \
  SHMEM_STRIDE_IN_CONTEXT(name##_iget, type)  \
  SHMEM_VALUE_IN_CONTEXT(name##_p, type)      \
  SHMEM_FROM_CONTEXT(type, name##_g, (shmem_ctx_t context, const type* source, int pe), (source, pe))
SHMEM_EACH_MOVED(SHMEM_MOVED_IN_CONTEXT)

#define SHMEM_SIZED_IN_CONTEXT(bits, bytes)    \
  SHMEM_MOVE_IN_CONTEXT(put##bits, void)       \
  SHMEM_MOVE_IN_CONTEXT(get##bits, void)       \
  SHMEM_MOVE_IN_CONTEXT(put##bits##_nbi, void) \
  SHMEM_MOVE_IN_CONTEXT(get##bits##_nbi, void) \
  SHMEM_STRIDE_IN_CONTEXT(iput##bits, void)    \
  SHMEM_STRIDE_IN_CONTEXT(iget##bits, void)
SHMEM_EACH_SIZE(SHMEM_SIZED_IN_CONTEXT)
SHMEM_MOVE_IN_CONTEXT(putmem, void)
SHMEM_MOVE_IN_CONTEXT(getmem, void)
SHMEM_MOVE_IN_CONTEXT(putmem_nbi, void)
SHMEM_MOVE_IN_CONTEXT(getmem_nbi, void)

#define SHMEM_FETCHED_IN_CONTEXT(name, type)                                                                     \
  SHMEM_FROM_CONTEXT(type, name##_atomic_fetch, (shmem_ctx_t context, const type* source, int pe), (source, pe)) \
  SHMEM_VALUE_IN_CONTEXT(name##_atomic_set, type)                                                                \
  SHMEM_VALUE_FROM_CONTEXT(name##_atomic_swap, type)
SHMEM_EACH_ATOMIC(SHMEM_FETCHED_IN_CONTEXT)
SHMEM_EACH_FLOATING(SHMEM_FETCHED_IN_CONTEXT)

#define SHMEM_ATOMIC_IN_CONTEXT(name, type)                                                                      \
  SHMEM_FROM_CONTEXT(type, name##_atomic_compare_swap,                                                           \
                     (shmem_ctx_t context, type * dest, type cond, type value, int pe), (dest, cond, value, pe)) \
  SHMEM_FROM_CONTEXT(type, name##_atomic_fetch_inc, (shmem_ctx_t context, type * dest, int pe), (dest, pe))      \
  SHMEM_IN_CONTEXT(name##_atomic_inc, (shmem_ctx_t context, type * dest, int pe), (dest, pe))                    \
  SHMEM_VALUE_FROM_CONTEXT(name##_atomic_fetch_add, type)                                                        \
  SHMEM_VALUE_IN_CONTEXT(name##_atomic_add, type)
SHMEM_EACH_ATOMIC(SHMEM_ATOMIC_IN_CONTEXT)

#define SHMEM_BITWISE_IN_CONTEXT(name, type)              \
  SHMEM_VALUE_FROM_CONTEXT(name##_atomic_fetch_and, type) \
  SHMEM_VALUE_IN_CONTEXT(name##_atomic_and, type)         \
  SHMEM_VALUE_FROM_CONTEXT(name##_atomic_fetch_or, type)  \
  SHMEM_VALUE_IN_CONTEXT(name##_atomic_or, type)          \
  SHMEM_VALUE_FROM_CONTEXT(name##_atomic_fetch_xor, type) \
  SHMEM_VALUE_IN_CONTEXT(name##_atomic_xor, type)
SHMEM_EACH_BITWISE(SHMEM_BITWISE_IN_CONTEXT)

#endif
