/* OpenSHMEM: collective calls of teams, and of active sets (deprecated in 1.5). */
#ifndef SANVP_SHMEM_COLLECTIVE_H
#define SANVP_SHMEM_COLLECTIVE_H

#include <stddef.h>
#include <stdint.h>

#include "sw/shmem/types.h"

#ifdef __cplusplus
extern "C" {
#endif

void shmem_barrier_all(void);
void shmem_sync_all(void);
void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long* pSync);
void shmem_sync(int PE_start, int logPE_stride, int PE_size, long* pSync);

/* ---- of teams ---- */
#define SHMEM_DECLARE_OF_TEAM(name, type)                                                                       \
  int shmem_##name##_broadcast(shmem_team_t team, type* dest, const type* source, size_t count, int PE_root);   \
  int shmem_##name##_collect(shmem_team_t team, type* dest, const type* source, size_t count);                  \
  int shmem_##name##_fcollect(shmem_team_t team, type* dest, const type* source, size_t count);                 \
  int shmem_##name##_alltoall(shmem_team_t team, type* dest, const type* source, size_t count);                 \
  int shmem_##name##_alltoalls(shmem_team_t team, type* dest, const type* source, ptrdiff_t dst, ptrdiff_t sst, \
                               size_t count);
SHMEM_EACH_MOVED(SHMEM_DECLARE_OF_TEAM)
#undef SHMEM_DECLARE_OF_TEAM
int shmem_broadcastmem(shmem_team_t team, void* dest, const void* source, size_t bytes, int PE_root);
int shmem_collectmem(shmem_team_t team, void* dest, const void* source, size_t bytes);
int shmem_fcollectmem(shmem_team_t team, void* dest, const void* source, size_t bytes);
int shmem_alltoallmem(shmem_team_t team, void* dest, const void* source, size_t bytes);
int shmem_alltoallsmem(shmem_team_t team, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t bytes);

/* M(name, type, operation) for all reductions of teams, and for all of active sets. */
#define SHMEM_REDUCED_AND(name, type) SHMEM_REDUCTION(name, type, and)
#define SHMEM_REDUCED_OR(name, type) SHMEM_REDUCTION(name, type, or)
#define SHMEM_REDUCED_XOR(name, type) SHMEM_REDUCTION(name, type, xor)
#define SHMEM_REDUCED_MIN(name, type) SHMEM_REDUCTION(name, type, min)
#define SHMEM_REDUCED_MAX(name, type) SHMEM_REDUCTION(name, type, max)
#define SHMEM_REDUCED_SUM(name, type) SHMEM_REDUCTION(name, type, sum)
#define SHMEM_REDUCED_PROD(name, type) SHMEM_REDUCTION(name, type, prod)
#define SHMEM_EACH_OPERATION(bitwise, ordered, all)                                                          \
  bitwise(SHMEM_REDUCED_AND) bitwise(SHMEM_REDUCED_OR) bitwise(SHMEM_REDUCED_XOR) ordered(SHMEM_REDUCED_MIN) \
      ordered(SHMEM_REDUCED_MAX) all(SHMEM_REDUCED_SUM) all(SHMEM_REDUCED_PROD)

#define SHMEM_REDUCTION(name, type, operation) \
  int shmem_##name##_##operation##_reduce(shmem_team_t team, type* dest, const type* source, size_t count);
SHMEM_EACH_OPERATION(SHMEM_EACH_TEAM_BITWISE, SHMEM_EACH_TEAM_ORDERED, SHMEM_EACH_TEAM_REDUCED)
#undef SHMEM_REDUCTION

/* ---- of active sets. They need neither pSync nor pWrk here, and leave them as they are ---- */
#define SHMEM_SYNC_VALUE 0L
#define SHMEM_SYNC_SIZE 1
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1

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

#define SHMEM_REDUCTION(name, type, operation)                                                                         \
  void shmem_##name##_##operation##_to_all(type* dest, const type* source, int number, int PE_start, int logPE_stride, \
                                           int PE_size, type* pWrk, long* pSync);
SHMEM_EACH_OPERATION(SHMEM_EACH_REDUCED_BITWISE, SHMEM_EACH_REDUCED_ORDERED, SHMEM_EACH_REDUCED)
#undef SHMEM_REDUCTION

#ifdef __cplusplus
}
#endif
#endif
