/* Put and get of all types: the functions of rma.c for the calls of moves.c. */
#ifndef SANVP_SHMEM_RMA_H
#define SANVP_SHMEM_RMA_H

#include "sw/shmem/internal.h"

enum how { AT_ONCE, WHEN_QUIET };

struct rma {
  const char* call;
  shmem_ctx_t context;
  int pe;
  enum how how;
};

struct strides {
  ptrdiff_t dest, source;
};

struct rma_signal {
  uint64_t* word;
  uint64_t value;
  int operation;
};

void rma_put(const struct rma* rma, void* dest, const void* source, size_t bytes);
void rma_get(const struct rma* rma, void* dest, const void* source, size_t bytes);
void rma_put_signal(const struct rma* rma, void* dest, const void* source, size_t bytes, struct rma_signal signal);
void rma_iput(const struct rma* rma, void* dest, const void* source, struct strides strides, size_t count, size_t size);
void rma_iget(const struct rma* rma, void* dest, const void* source, struct strides strides, size_t count, size_t size);

#endif
