/* Tports: tagged messages, on which MPI is built. */
#include "sw/elanlib/tport.h"

#include <stdlib.h>

#include "sw/apps/levels/levels.h"
#include "sw/apps/levels/local_buffers.h"
#include "sw/apps/levels/swap.h"

#define TAG 7u

struct tport_level {
  struct local_buffers buffers;
  ELAN_BASE* base;
  ELAN_TPORT* tport;
  unsigned partner, self;
};

static void* create(size_t most, int elan_memory, int partner) {
  struct tport_level* level = calloc(1, sizeof *level);
  level->buffers = local_buffers_create("tport", most, elan_memory);
  level->base = elan_baseInit();
  level->tport = elan_tportInit(level->base);
  level->partner = (unsigned)partner;
  level->self = elan3_process(elan_ctx(level->base));
  return level;
}

static ELAN_TPORT_EVENT* start_send(const struct tport_level* level, size_t bytes) {
  return elan_tportTxStart(level->tport, 0, level->partner, level->self, TAG, level->buffers.out, bytes);
}

static ELAN_TPORT_EVENT* start_receive(const struct tport_level* level, size_t bytes) {
  return elan_tportRxStart(level->tport, 0, UINT32_MAX, level->partner, UINT64_MAX, TAG, level->buffers.in, bytes);
}

static void tport_level_send(void* state, size_t bytes) { elan_tportTxWait(start_send(state, bytes)); }

static void receive(void* state, size_t bytes) { elan_tportRxWait(start_receive(state, bytes), NULL, NULL, NULL); }

static void exchange(void* state, size_t bytes) {
  ELAN_TPORT_EVENT* in = start_receive(state, bytes);
  ELAN_TPORT_EVENT* out = start_send(state, bytes);
  elan_tportRxWait(in, NULL, NULL, NULL);
  elan_tportTxWait(out);
}

static void fill(void* state, size_t bytes, unsigned seed) {
  level_fill(((struct tport_level*)state)->buffers.out, bytes, seed);
}

static size_t wrong(void* state, size_t bytes, unsigned seed) {
  return level_wrong(((struct tport_level*)state)->buffers.in, bytes, seed);
}

static void barrier(void* state) { elan_gsync(elan_allGroup(((struct tport_level*)state)->base)); }

static uint64_t swap(void* state, uint64_t mine) {
  const struct tport_level* level = state;
  return swap_by_elan(level->base, level->partner, mine);
}

const struct level level_tport = {"tport", create, tport_level_send, receive, exchange, fill, wrong, barrier, swap};
