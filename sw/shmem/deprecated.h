/* Names of OpenSHMEM 1.0 to 1.3 that later versions have replaced. */
#ifndef SANVP_SHMEM_DEPRECATED_H
#define SANVP_SHMEM_DEPRECATED_H

#include "sw/shmem/shmem.h"

#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_SYNC_SIZE SHMEM_SYNC_SIZE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_ALLTOALL_SYNC_SIZE SHMEM_ALLTOALL_SYNC_SIZE
#define _SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_ALLTOALLS_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE

#ifdef __cplusplus
extern "C" {
#endif
void start_pes(int unused); /* the program's exit ends shmem if it does not call shmem_finalize */
#ifdef __cplusplus
}
#endif

SHMEM_INLINE int _my_pe(void) { return shmem_my_pe(); }
SHMEM_INLINE int _num_pes(void) { return shmem_n_pes(); }
/* Macros, since programs have variables of these names. */
#define my_pe() shmem_my_pe()
#define num_pes() shmem_n_pes()

SHMEM_INLINE void* shmalloc(size_t bytes) { return shmem_malloc(bytes); }
SHMEM_INLINE void* shmemalign(size_t alignment, size_t bytes) { return shmem_align(alignment, bytes); }
SHMEM_INLINE void* shrealloc(void* pointer, size_t bytes) { return shmem_realloc(pointer, bytes); }
SHMEM_INLINE void shfree(void* pointer) { shmem_free(pointer); }

#define SHMEM_OLD_FETCHED(name, type)                                                                                  \
  SHMEM_INLINE type shmem_##name##_fetch(const type* dest, int pe) { return shmem_##name##_atomic_fetch(dest, pe); }   \
  SHMEM_INLINE void shmem_##name##_set(type* dest, type value, int pe) { shmem_##name##_atomic_set(dest, value, pe); } \
  SHMEM_INLINE type shmem_##name##_swap(type* dest, type value, int pe) {                                              \
    return shmem_##name##_atomic_swap(dest, value, pe);                                                                \
  }
#define SHMEM_OLD_ATOMIC(name, type)                                                                              \
  SHMEM_OLD_FETCHED(name, type)                                                                                   \
  SHMEM_INLINE type shmem_##name##_cswap(type* dest, type cond, type value, int pe) {                             \
    return shmem_##name##_atomic_compare_swap(dest, cond, value, pe);                                             \
  }                                                                                                               \
  SHMEM_INLINE type shmem_##name##_finc(type* dest, int pe) { return shmem_##name##_atomic_fetch_inc(dest, pe); } \
  SHMEM_INLINE void shmem_##name##_inc(type* dest, int pe) { shmem_##name##_atomic_inc(dest, pe); }               \
  SHMEM_INLINE type shmem_##name##_fadd(type* dest, type value, int pe) {                                         \
    return shmem_##name##_atomic_fetch_add(dest, value, pe);                                                      \
  }                                                                                                               \
  SHMEM_INLINE void shmem_##name##_add(type* dest, type value, int pe) { shmem_##name##_atomic_add(dest, value, pe); }
SHMEM_EACH_FLOATING(SHMEM_OLD_FETCHED)
SHMEM_OLD_ATOMIC(int, int)
SHMEM_OLD_ATOMIC(long, long)
SHMEM_OLD_ATOMIC(longlong, long long)
SHMEM_INLINE long shmem_swap(long* dest, long value, int pe) { return shmem_long_atomic_swap(dest, value, pe); }

#define SHMEM_OLD_WAIT(name, type)                                            \
  SHMEM_INLINE void shmem_##name##_wait(volatile type* pointer, type value) { \
    shmem_##name##_wait_until(pointer, SHMEM_CMP_NE, value);                  \
  }
SHMEM_EACH_REDUCED_BITWISE(SHMEM_OLD_WAIT)

/* The caches are coherent. */
SHMEM_INLINE void shmem_set_cache_inv(void) {}
SHMEM_INLINE void shmem_clear_cache_inv(void) {}
SHMEM_INLINE void shmem_set_cache_line_inv(void* dest) { (void)dest; }
SHMEM_INLINE void shmem_clear_cache_line_inv(void* dest) { (void)dest; }
SHMEM_INLINE void shmem_udcflush(void) {}
SHMEM_INLINE void shmem_udcflush_line(void* dest) { (void)dest; }

#endif
