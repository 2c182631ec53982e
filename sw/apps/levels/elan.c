/* Elanlib: elan_put with an event at the destination. Two events, used in turn, so that one is primed again while the
 * other waits. */
#include <stdlib.h>

#include "sw/apps/levels/buffers.h"
#include "sw/apps/levels/levels.h"
#include "sw/apps/levels/swap.h"

#define TURNS 2u
#define LINE 64u

struct elan_level {
  struct buffers buffers;
  unsigned partner;
  E3_Addr events[TURNS]; /* a line each: the event, and the word that it copies */
  volatile uint32_t* came[TURNS];
  unsigned sends, receives;
};

static void* create(size_t most, int elan_memory, int partner) {
  struct elan_level* level = calloc(1, sizeof *level);
  buffers_create(&level->buffers, most, elan_memory);
  level->partner = (unsigned)partner;
  ELAN3_CTX* ctx = elan_ctx(level->buffers.base);
  for (unsigned i = 0; i < TURNS; ++i) {
    level->events[i] = elan_gallocElan(level->buffers.base, LINE);
    level->came[i] = elan3_allocMain(ctx, LINE, LINE);
    *level->came[i] = 0;
    elan3_initevent_word(ctx, level->events[i], level->events[i] + (E3_Addr)sizeof(E3_BlockCopyEvent), 1,
                         level->came[i]);
  }
  elan_gsync(elan_allGroup(level->buffers.base));
  return level;
}

static ELAN_EVENT* start(struct elan_level* level, size_t bytes) {
  const struct buffers* buffers = &level->buffers;
  return elan_putEvent(buffers->base, buffers->out_address, buffers->in_address, bytes, level->partner,
                       level->events[level->sends++ % TURNS]);
}

static void elan_level_send(void* state, size_t bytes) { elan_wait(start(state, bytes), ELAN_POLL_EVENT); }

static void receive(void* state, size_t bytes) {
  (void)bytes;
  struct elan_level* level = state;
  ELAN3_CTX* ctx = elan_ctx(level->buffers.base);
  const unsigned turn = level->receives++ % TURNS;
  elan3_waitevent_word(ctx, level->came[turn], 1);
  *level->came[turn] = 0;
  elan3_primeevent(ctx, level->events[turn], 1);
}

static void exchange(void* state, size_t bytes) {
  ELAN_EVENT* event = start(state, bytes);
  receive(state, bytes);
  elan_wait(event, ELAN_POLL_EVENT);
}

static void fill(void* state, size_t bytes, unsigned seed) {
  buffers_fill(&((struct elan_level*)state)->buffers, bytes, seed);
}

static size_t wrong(void* state, size_t bytes, unsigned seed) {
  return buffers_wrong(&((struct elan_level*)state)->buffers, bytes, seed);
}

static void barrier(void* state) { elan_gsync(elan_allGroup(((struct elan_level*)state)->buffers.base)); }

static uint64_t swap(void* state, uint64_t mine) {
  const struct elan_level* level = state;
  return swap_by_elan(level->buffers.base, level->partner, mine);
}

const struct level level_elan = {"elan", create, elan_level_send, receive, exchange, fill, wrong, barrier, swap};
