/* OpenSHMEM 1.4 (www.openshmem.org), with the names of 1.0 to 1.3; see there for the meaning of each call. How each
 * reaches the card: sw/shmem/README.md. Symmetric are memory of shmem_malloc, and the program's globals and statics.
 *
 * A program's error (a process that does not exist, memory that is not symmetric) ends the job with one line.
 */
#ifndef SANVP_SHMEM_H
#define SANVP_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#include "sw/shmem/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 4
#define SHMEM_MAX_NAME_LEN 32
#define SHMEM_VENDOR_STRING "sanvp"

enum { SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE };
enum { SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE };

/* Collective calls here need neither pSync nor pWrk, and leave them as they are. */
#define SHMEM_SYNC_VALUE 0L
#define SHMEM_SYNC_SIZE 1
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1

/* ---- start, end, rank and size ---- */
void shmem_init(void);
/* A native process has one thread: up to SHMEM_THREAD_FUNNELED is provided. One for RISC-V: what is requested. */
int shmem_init_thread(int requested, int* provided);
void shmem_query_thread(int* provided);
void shmem_finalize(void);
void shmem_global_exit(int status);
int shmem_my_pe(void);
int shmem_n_pes(void);
int shmem_pe_accessible(int pe);
int shmem_addr_accessible(const void* address, int pe);
/* A pointer for loads and stores: to this process's own memory only. */
void* shmem_ptr(const void* dest, int pe);
void shmem_info_get_version(int* major, int* minor);
void shmem_info_get_name(char* name);

/* ---- the symmetric heap: collective, in the same order everywhere. Null where it is full ---- */
void* shmem_malloc(size_t bytes);
void* shmem_calloc(size_t number, size_t each);
void* shmem_align(size_t alignment, size_t bytes); /* up to 4096 */
void* shmem_realloc(void* pointer, size_t bytes);
void shmem_free(void* pointer);

/* ---- put and get: shmem_TYPE_put, shmem_put32, shmem_putmem and their kin ---- */
#define SHMEM_DECLARE_MOVED(name, type)                                                                         \
  void shmem_##name##_put(type* dest, const type* source, size_t count, int pe);                                \
  void shmem_##name##_get(type* dest, const type* source, size_t count, int pe);                                \
  void shmem_##name##_put_nbi(type* dest, const type* source, size_t count, int pe);                            \
  void shmem_##name##_get_nbi(type* dest, const type* source, size_t count, int pe);                            \
  void shmem_##name##_iput(type* dest, const type* source, ptrdiff_t dst, ptrdiff_t sst, size_t count, int pe); \
  void shmem_##name##_iget(type* dest, const type* source, ptrdiff_t dst, ptrdiff_t sst, size_t count, int pe); \
  void shmem_##name##_p(type* dest, type value, int pe);                                                        \
  type shmem_##name##_g(const type* source, int pe);
SHMEM_EACH_MOVED(SHMEM_DECLARE_MOVED)
#undef SHMEM_DECLARE_MOVED

#define SHMEM_DECLARE_SIZED(bits, bytes)                                                                     \
  void shmem_put##bits(void* dest, const void* source, size_t count, int pe);                                \
  void shmem_get##bits(void* dest, const void* source, size_t count, int pe);                                \
  void shmem_put##bits##_nbi(void* dest, const void* source, size_t count, int pe);                          \
  void shmem_get##bits##_nbi(void* dest, const void* source, size_t count, int pe);                          \
  void shmem_iput##bits(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t count, int pe); \
  void shmem_iget##bits(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t count, int pe);
SHMEM_EACH_SIZE(SHMEM_DECLARE_SIZED)
#undef SHMEM_DECLARE_SIZED

void shmem_putmem(void* dest, const void* source, size_t bytes, int pe);
void shmem_getmem(void* dest, const void* source, size_t bytes, int pe);
void shmem_putmem_nbi(void* dest, const void* source, size_t bytes, int pe);
void shmem_getmem_nbi(void* dest, const void* source, size_t bytes, int pe);

/* ---- atomic operations ---- */
#define SHMEM_DECLARE_FETCHED(name, type)                         \
  type shmem_##name##_atomic_fetch(const type* source, int pe);   \
  void shmem_##name##_atomic_set(type* dest, type value, int pe); \
  type shmem_##name##_atomic_swap(type* dest, type value, int pe);
SHMEM_EACH_ATOMIC(SHMEM_DECLARE_FETCHED)
SHMEM_EACH_FLOATING(SHMEM_DECLARE_FETCHED)
#undef SHMEM_DECLARE_FETCHED

#define SHMEM_DECLARE_ATOMIC(name, type)                                              \
  type shmem_##name##_atomic_compare_swap(type* dest, type cond, type value, int pe); \
  type shmem_##name##_atomic_fetch_inc(type* dest, int pe);                           \
  void shmem_##name##_atomic_inc(type* dest, int pe);                                 \
  type shmem_##name##_atomic_fetch_add(type* dest, type value, int pe);               \
  void shmem_##name##_atomic_add(type* dest, type value, int pe);
SHMEM_EACH_ATOMIC(SHMEM_DECLARE_ATOMIC)
#undef SHMEM_DECLARE_ATOMIC

#define SHMEM_DECLARE_BITWISE(name, type)                               \
  type shmem_##name##_atomic_fetch_and(type* dest, type value, int pe); \
  void shmem_##name##_atomic_and(type* dest, type value, int pe);       \
  type shmem_##name##_atomic_fetch_or(type* dest, type value, int pe);  \
  void shmem_##name##_atomic_or(type* dest, type value, int pe);        \
  type shmem_##name##_atomic_fetch_xor(type* dest, type value, int pe); \
  void shmem_##name##_atomic_xor(type* dest, type value, int pe);
SHMEM_EACH_BITWISE(SHMEM_DECLARE_BITWISE)
#undef SHMEM_DECLARE_BITWISE

/* ---- order, waiting ---- */
void shmem_fence(void);
void shmem_quiet(void);
#define SHMEM_DECLARE_WAITED(name, type)                                              \
  void shmem_##name##_wait_until(volatile type* pointer, int comparison, type value); \
  int shmem_##name##_test(volatile type* pointer, int comparison, type value);
SHMEM_EACH_WAITED(SHMEM_DECLARE_WAITED)
#undef SHMEM_DECLARE_WAITED
/* Of longs, as in 1.0. */
void shmem_wait(volatile long* pointer, long value);
void shmem_wait_until(volatile long* pointer, int comparison, long value);

/* ---- collective ---- */
void shmem_barrier_all(void);
void shmem_sync_all(void);
void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long* pSync);
void shmem_sync(int PE_start, int logPE_stride, int PE_size, long* pSync);

#define SHMEM_DECLARE_COLLECTIVE(bits)                                                                                 \
  void shmem_broadcast##bits(void* dest, const void* source, size_t count, int root, int PE_start, int logPE_stride,   \
                             int PE_size, long* pSync);                                                                \
  void shmem_collect##bits(void* dest, const void* source, size_t count, int PE_start, int logPE_stride, int PE_size,  \
                           long* pSync);                                                                               \
  void shmem_fcollect##bits(void* dest, const void* source, size_t count, int PE_start, int logPE_stride, int PE_size, \
                            long* pSync);                                                                              \
  void shmem_alltoall##bits(void* dest, const void* source, size_t count, int PE_start, int logPE_stride, int PE_size, \
                            long* pSync);                                                                              \
  void shmem_alltoalls##bits(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t count, int PE_start, \
                             int logPE_stride, int PE_size, long* pSync);
SHMEM_DECLARE_COLLECTIVE(32)
SHMEM_DECLARE_COLLECTIVE(64)
#undef SHMEM_DECLARE_COLLECTIVE

#define SHMEM_DECLARE_REDUCTION(name, type, operation)                                                                 \
  void shmem_##name##_##operation##_to_all(type* dest, const type* source, int number, int PE_start, int logPE_stride, \
                                           int PE_size, type* pWrk, long* pSync);
#define SHMEM_DECLARE_AND(name, type) SHMEM_DECLARE_REDUCTION(name, type, and)
#define SHMEM_DECLARE_OR(name, type) SHMEM_DECLARE_REDUCTION(name, type, or)
#define SHMEM_DECLARE_XOR(name, type) SHMEM_DECLARE_REDUCTION(name, type, xor)
#define SHMEM_DECLARE_MIN(name, type) SHMEM_DECLARE_REDUCTION(name, type, min)
#define SHMEM_DECLARE_MAX(name, type) SHMEM_DECLARE_REDUCTION(name, type, max)
#define SHMEM_DECLARE_SUM(name, type) SHMEM_DECLARE_REDUCTION(name, type, sum)
#define SHMEM_DECLARE_PROD(name, type) SHMEM_DECLARE_REDUCTION(name, type, prod)
SHMEM_EACH_REDUCED_BITWISE(SHMEM_DECLARE_AND)
SHMEM_EACH_REDUCED_BITWISE(SHMEM_DECLARE_OR)
SHMEM_EACH_REDUCED_BITWISE(SHMEM_DECLARE_XOR)
SHMEM_EACH_REDUCED_ORDERED(SHMEM_DECLARE_MIN)
SHMEM_EACH_REDUCED_ORDERED(SHMEM_DECLARE_MAX)
SHMEM_EACH_REDUCED(SHMEM_DECLARE_SUM)
SHMEM_EACH_REDUCED(SHMEM_DECLARE_PROD)
#undef SHMEM_DECLARE_REDUCTION
#undef SHMEM_DECLARE_AND
#undef SHMEM_DECLARE_OR
#undef SHMEM_DECLARE_XOR
#undef SHMEM_DECLARE_MIN
#undef SHMEM_DECLARE_MAX
#undef SHMEM_DECLARE_SUM
#undef SHMEM_DECLARE_PROD

/* ---- locks: first come, first served ---- */
void shmem_set_lock(long* lock);
void shmem_clear_lock(long* lock);
int shmem_test_lock(long* lock);

#ifdef __cplusplus
}
#endif

#include "sw/shmem/contexts.h"
#include "sw/shmem/deprecated.h"
#ifndef SHMEM_NO_GENERICS /* what defines the calls themselves must not have macros of their names */
#include "sw/shmem/generics.h"
#endif

#endif
