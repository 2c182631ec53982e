/* Shmem for the virtual machines, a first part: a symmetric heap, put and get, order, barrier. Each put is one DMA that
 * writes, each get one that reads (FACTS.md 1.6). Symmetric are memory of shmem_malloc and the program's globals.
 */
#ifndef SANVP_SHMEM_H
#define SANVP_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void shmem_init(void);
void start_pes(int unused); /* the older name */
void shmem_finalize(void);
int shmem_my_pe(void);
int shmem_n_pes(void);
int my_pe(void);
int num_pes(void);

/* Collective, in the same order everywhere. Null where the heap (setting shmem.heap) is full. */
void* shmem_malloc(size_t bytes);
void shmem_free(void* pointer);

/* A put returns when `source` may be used again; a get when the bytes are here. */
void shmem_putmem(void* dest, const void* source, size_t bytes, int pe);
void shmem_getmem(void* dest, const void* source, size_t bytes, int pe);
/* These return at once; shmem_quiet ends them. */
void shmem_putmem_nbi(void* dest, const void* source, size_t bytes, int pe);
void shmem_getmem_nbi(void* dest, const void* source, size_t bytes, int pe);

#define SHMEM_TYPED(name, type)                                                  \
  void shmem_##name##_put(type* dest, const type* source, size_t count, int pe); \
  void shmem_##name##_get(type* dest, const type* source, size_t count, int pe); \
  void shmem_##name##_p(type* dest, type value, int pe);                         \
  type shmem_##name##_g(const type* source, int pe);                             \
  void shmem_##name##_wait_until(volatile type* pointer, int comparison, type value);
SHMEM_TYPED(int, int)
SHMEM_TYPED(long, long)
SHMEM_TYPED(float, float)
SHMEM_TYPED(double, double)
#undef SHMEM_TYPED

enum { SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE };

/* All puts of this process before it are in place before any after it. */
void shmem_fence(void);
/* All puts of this process are in place. */
void shmem_quiet(void);
void shmem_barrier_all(void);

#ifdef __cplusplus
}
#endif
#endif
