/* Elan3lib: a descriptor that stays, an event at the destination that writes a word there (paper figure 6). Two of
 * each, used in turn: the event just used is primed again after the answer to its message is on its way. */
#include <stdlib.h>

#include "sw/apps/levels/buffers.h"
#include "sw/apps/levels/levels.h"
#include "sw/apps/levels/swap.h"
#include "sw/hal/hal.h"

#define TURNS 2u
#define LINE 64u

struct turn {
  E3_Addr dma;   /* also of the next: source event, and the words that events copy */
  E3_Addr event; /* set here when a message has come */
  E3_Addr sent;  /* set here when ours has arrived */
  volatile uint32_t *came_word, *sent_word;
};

struct elan3_level {
  struct buffers buffers;
  ELAN3_CTX* ctx;
  unsigned partner;
  size_t bytes; /* that the descriptors are written for */
  struct turn turns[TURNS];
  unsigned sends, receives; /* so far */
};

static void* create(size_t most, int elan_memory, int partner) {
  struct elan3_level* level = calloc(1, sizeof *level);
  buffers_create(&level->buffers, most, elan_memory);
  level->ctx = elan_ctx(level->buffers.base);
  level->partner = (unsigned)partner;
  level->bytes = SIZE_MAX;
  for (unsigned i = 0; i < TURNS; ++i) {
    struct turn* turn = &level->turns[i];
    turn->dma = elan_gallocElan(level->buffers.base, 2 * LINE);
    turn->event = turn->dma + sizeof(E3_DMA);
    turn->sent = turn->event + sizeof(E3_BlockCopyEvent);
    const E3_Addr word = turn->dma + LINE;
    uint32_t* words = elan3_allocMain(level->ctx, LINE, 2 * LINE);
    turn->came_word = words;
    turn->sent_word = words + LINE / sizeof *words;
    *turn->came_word = *turn->sent_word = 0;
    elan3_initevent_word(level->ctx, turn->event, word, 1, turn->came_word);
    elan3_initevent_word(level->ctx, turn->sent, word, 1, turn->sent_word);
  }
  elan_gsync(elan_allGroup(level->buffers.base));
  return level;
}

/* The events have the same addresses in both processes. */
static void describe(struct elan3_level* level, size_t bytes) {
  for (unsigned i = 0; i < TURNS; ++i) {
    const struct turn* turn = &level->turns[i];
    const E3_DMA dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, 0, E3_DMA_RETRIES),
                        .size = (uint32_t)bytes,
                        .source = level->buffers.out_address,
                        .dest = level->buffers.in_address,
                        .dest_event = turn->event,
                        .dest_cookie_proc = elan3_local_cookie(level->ctx, level->partner),
                        .src_event = turn->sent,
                        .src_cookie_proc = elan3_local_cookie(level->ctx, elan3_process(level->ctx))};
    elan3_copy32_to_sdram(level->ctx, &dma, turn->dma);
  }
  level->bytes = bytes;
}

static void start(struct elan3_level* level, size_t bytes) {
  if (bytes != level->bytes) describe(level, bytes);
  elan3_putdma(level->ctx, level->turns[level->sends % TURNS].dma);
}

/* The word is reset before the event is primed, so a message that comes at once is not overlooked. */
static void await(struct elan3_level* level, volatile uint32_t* word, E3_Addr event) {
  elan3_waitevent_word(level->ctx, word, 1);
  *word = 0;
  elan3_primeevent(level->ctx, event, 1);
}

static void finish(struct elan3_level* level) {
  const struct turn* turn = &level->turns[level->sends++ % TURNS];
  await(level, turn->sent_word, turn->sent);
}

static void came(struct elan3_level* level) {
  const struct turn* turn = &level->turns[level->receives++ % TURNS];
  await(level, turn->came_word, turn->event);
}

static void elan3_level_send(void* state, size_t bytes) {
  start(state, bytes);
  finish(state);
}

static void receive(void* state, size_t bytes) {
  (void)bytes;
  came(state);
}

static void exchange(void* state, size_t bytes) {
  start(state, bytes);
  came(state);
  finish(state);
}

static void fill(void* state, size_t bytes, unsigned seed) {
  buffers_fill(&((struct elan3_level*)state)->buffers, bytes, seed);
}

static size_t wrong(void* state, size_t bytes, unsigned seed) {
  return buffers_wrong(&((struct elan3_level*)state)->buffers, bytes, seed);
}

static void barrier(void* state) { elan_gsync(elan_allGroup(((struct elan3_level*)state)->buffers.base)); }

static uint64_t swap(void* state, uint64_t mine) {
  const struct elan3_level* level = state;
  return swap_by_elan(level->buffers.base, level->partner, mine);
}

const struct level level_elan3 = {"elan3", create, elan3_level_send, receive, exchange, fill, wrong, barrier, swap};
