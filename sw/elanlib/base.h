/* State shared by the files of elanlib. */
#ifndef SANVP_ELANLIB_BASE_H
#define SANVP_ELANLIB_BASE_H

#include "sw/elanlib/elan.h"
#include "sw/support/extents.h"

#define CACHE_LINE 64u /* also what the card copies at once */

struct slot;

/* Progress hooks, run while a process sleeps in a call of elanlib: intra-node messages, which no card moves.
 */
struct elan_progress_hooks {
  void* self;
  void (*make)(void* self);
  /* Appends the words that announce more work, with their last seen values, to the `count` there are. Returns the new
   * count. */
  unsigned (*watch)(void* self, const volatile uint32_t** words, uint32_t* seen, unsigned count);
};

struct elan_base {
  ELAN3_CTX* ctx;
  unsigned self, count;                         /* virtual process, of how many */
  unsigned node_self, node_count;               /* among the job's processes on this node */
  unsigned neighbour[ELAN3_PROCESSES_PER_NODE]; /* [node_count]: the job's processes on this node */
  unsigned nodes;                               /* of the job */
  struct elan_event* free_events;
  E3_Addr atomics;   /* input queue of the thread for atomic operations, the same everywhere; 0: not started */
  E3_Addr symmetric; /* where the next elan_gallocMain goes */
  ELAN_GROUP* all;
  struct elan_meetings* meetings;                                         /* what groups share */
  struct elan_progress_hooks progress_hooks;                              /* make: null if none */
  unsigned (*background)(const volatile uint32_t** words, unsigned room); /* of a library above; null: none */
  int (*hopeless)(void);                                                  /* elan_hopeless; null: not set */
  const volatile uint32_t* deaths;                                        /* that this process knows of */
};

/* Calls elan_sleep until *word is not `value`, or until it is. */
void elan_sleep_while(struct elan_base* base, const volatile uint32_t* word, uint32_t value);
void elan_sleep_until(struct elan_base* base, const volatile uint32_t* word, uint32_t value);

/* Whether a death has made the current wait impossible to end (elan_hopeless). */
static inline int elan_is_hopeless(const struct elan_base* base) {
  return base->hopeless && *base->deaths != 0 && base->hopeless();
}
/* The first; returns 0 if a death has made it hopeless. */
int elan_sleep_with_hope(struct elan_base* base, const volatile uint32_t* word, uint32_t value);

/* A DMA with its completion event, in one 64-byte block of Elan memory, so that the host writes both in one
 * burst. */
struct slot {
  struct e3_dma dma;
  struct e3_block_event event;
  uint32_t value; /* copied to `done` */
  uint32_t word;  /* a word to be put, if that is all */
  uint64_t small; /* bytes to be put, of elan_putSmall */
};

struct elan_event {
  uint64_t before;        /* of an atomic operation; comes together with the next */
  volatile uint32_t done; /* alone in its line of main memory */
  E3_Addr done_address;
  E3_Addr slot;
  struct elan_base* base;
  struct elan_event* next; /* free ones */
  char pad[CACHE_LINE - 40];
};

/* An event from the pool, not fired, with its slot. */
struct elan_event* elan_event_take(struct elan_base* base);
void elan_event_release(struct elan_event* event);
/* Writes descriptor and event, and hands the DMA to the card. */
void elan_event_issue(struct elan_event* event, struct slot* slot);

#endif
