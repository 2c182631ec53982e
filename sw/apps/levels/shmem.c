/* Shmem: a put, then a put of a flag that the partner waits for. */
#include "sw/shmem/shmem.h"

#include <stdlib.h>

#include "sw/apps/levels/levels.h"
#include "sw/hal/hal.h"

struct shmem_level {
  unsigned char *out, *in;
  long* flag;
  long sends, receives;
  int partner;
};

static void* create(size_t most, int elan_memory, int partner) {
  if (elan_memory) hal_abort("level shmem has its buffers in main memory: give --memory main");
  shmem_init();
  struct shmem_level* level = calloc(1, sizeof *level);
  level->out = shmem_malloc(most + 1);
  level->in = shmem_malloc(most + 1);
  level->flag = shmem_malloc(sizeof *level->flag);
  if (!level->out || !level->in || !level->flag)
    hal_abort("no room for the buffers: choose a smaller --most, or a larger -s shmem.heap");
  level->partner = partner;
  *level->flag = 0;
  shmem_barrier_all();
  return level;
}

/* No fence between the two: a blocking put of this library returns when its bytes are in place (sw/shmem). */
static void shmem_level_send(void* state, size_t bytes) {
  struct shmem_level* level = state;
  shmem_putmem(level->in, level->out, bytes, level->partner);
  shmem_long_p(level->flag, ++level->sends, level->partner);
}

static void receive(void* state, size_t bytes) {
  (void)bytes;
  struct shmem_level* level = state;
  shmem_long_wait_until(level->flag, SHMEM_CMP_GE, ++level->receives);
}

static void exchange(void* state, size_t bytes) {
  shmem_level_send(state, bytes);
  receive(state, bytes);
}

static void fill(void* state, size_t bytes, unsigned seed) {
  level_fill(((struct shmem_level*)state)->out, bytes, seed);
}

static size_t wrong(void* state, size_t bytes, unsigned seed) {
  return level_wrong(((struct shmem_level*)state)->in, bytes, seed);
}

static void barrier(void* state) {
  (void)state;
  shmem_barrier_all();
}

static uint64_t swap(void* state, uint64_t mine) {
  const struct shmem_level* level = state;
  static long theirs;
  shmem_long_p(&theirs, (long)mine, level->partner);
  shmem_barrier_all();
  const uint64_t swapped = (uint64_t)theirs;
  shmem_barrier_all();
  return swapped;
}

const struct level level_shmem = {"shmem", create, shmem_level_send, receive, exchange, fill, wrong, barrier, swap};
