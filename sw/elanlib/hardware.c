/* Barrier and broadcast by the network itself. Both want the group's nodes to be neighbours, for a broadcast goes to a
 * range of nodes. */
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/firmware/barrier_records.h"
#include "sw/elanlib/group.h"
#include "sw/hal/hal.h"

#define STAGE_BYTES 0x40000u /* of a broadcast at once, in memory that all have at the same address (A) */
#define THREAD_ALIGN 32u

struct hardware_sync {
  uint32_t everybody;          /* broadcast virtual process */
  E3_Addr record;              /* struct barrier_record */
  int started;                 /* the thread */
  volatile uint32_t* released; /* written by its event */
  E3_Addr released_address;
  /* Broadcast. */
  E3_Addr arrival;         /* event that the broadcast DMA sets everywhere, then its word */
  volatile uint32_t* came; /* written by it */
  void* stage;
  E3_Addr stage_address;
};

_Static_assert(sizeof(struct barrier_record) == CACHE_LINE, "a barrier record is one block");

/* Lowest and highest node; whether all between are the group's. */
static int neighbours(const struct elan_base* base, unsigned* low, unsigned* high) {
  *low = *high = (unsigned)hal_rank_node((int)base->leaders[0]);
  for (unsigned i = 1; i < base->nodes; ++i) {
    const unsigned node = (unsigned)hal_rank_node((int)base->leaders[i]);
    if (node < *low) *low = node;
    if (node > *high) *high = node;
  }
  return base->nodes > 1 && *high - *low + 1 == base->nodes;
}

/* At the first barrier: programs without one need no thread. */
static void start_thread(const struct elan_base* base, struct hardware_sync* sync) {
  if (sync->started) return;
  sync->started = 1;
  const struct e3_thread thread = {.program = elan3_loadprogram(base->ctx, "barrier"),
                                   .argument = {sync->record, sync->everybody}};
  const E3_Addr address = elan3_allocElan(base->ctx, THREAD_ALIGN, sizeof thread);
  elan3_copy_to_sdram(base->ctx, &thread, address, sizeof thread);
  elan3_runthread(base->ctx, address);
}

/* What a process writes at each barrier: its arrival, and the event fresh, in one burst. */
static void announce(const struct hardware_sync* sync, ELAN3_CTX* ctx, uint32_t sequence) {
  const struct barrier_record record = {
      .arrived = sequence,
      .release = {.count = 1,
                  .type = E3_EVENT_COPY,
                  .source = (sync->record + (E3_Addr)offsetof(struct barrier_record, word)) | E3_EVENT_COPY_WORD,
                  .dest = sync->released_address},
      .word = 1};
  elan3_copy_to_sdram(ctx, &record, sync->record, offsetof(struct barrier_record, start));
}

void elan_hardware_create(ELAN_GROUP* group) {
  struct elan_base* base = group->base;
  unsigned low = 0, high = 0;
  if (!neighbours(base, &low, &high)) return;
  struct hardware_sync* sync = calloc(1, sizeof *sync);
  group->sync = sync;
  group->hardware = 1;
  sync->record = elan_gallocElan(base, sizeof(struct barrier_record));
  sync->arrival = elan_gallocElan(base, CACHE_LINE);
  sync->released = elan3_allocMain(base->ctx, CACHE_LINE, 2 * CACHE_LINE);
  if (sync->record == 0 || sync->arrival == 0 || !sync->released) hal_abort("elan_baseInit: no memory for a group");
  sync->came = sync->released + CACHE_LINE / sizeof *sync->came;
  *sync->released = *sync->came = 0;
  sync->released_address = elan3_main2elan(base->ctx, sync->released);
  if (base->node_self != 0) return;
  const struct barrier_record empty = {.start = {.count = 1}};
  elan3_copy_to_sdram(base->ctx, &empty, sync->record, sizeof empty);
  sync->everybody = elan3_addbcastvp(base->ctx, low, high);
}

int elan_hardware(const ELAN_GROUP* group) { return group->hardware; }

int elan_hardwareBroadcast(const ELAN_GROUP* group) {
  return group->hardware && group->base->nodes == group->base->count;
}

static void meet_other_nodes(ELAN_GROUP* group, uint32_t sequence) {
  struct hardware_sync* sync = group->sync;
  ELAN3_CTX* ctx = group->base->ctx;
  *sync->released = 0;
  announce(sync, ctx, sequence);
  if (group->base->my_node == 0) start_thread(group->base, sync);
  if (group->base->my_node == 0) elan3_setevent(ctx, sync->record + (E3_Addr)offsetof(struct barrier_record, start));
  elan_sleep_while(group->base, sync->released, 0);
}

void elan_hgsync(ELAN_GROUP* group) {
  if (!group->hardware) {
    elan_gsync(group);
    return;
  }
  const uint32_t sequence = ++group->sequence;
  elan_local_arrive(group, sequence);
  if (group->base->node_self == 0) meet_other_nodes(group, sequence);
  elan_local_release(group, sequence);
}

/* ---- broadcast ---- */
static void prime_arrival(const struct hardware_sync* sync, struct elan_base* base) {
  const E3_Addr word = sync->arrival + (E3_Addr)sizeof(E3_BlockCopyEvent);
  elan3_initevent_word(base->ctx, sync->arrival, word, 1, sync->came);
  *sync->came = 0;
}

static void send_to_all(const struct hardware_sync* sync, struct elan_base* base, E3_Addr source, E3_Addr dest,
                        size_t bytes) {
  struct elan_event* event = elan_event_take(base);
  struct slot slot = {.dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, E3_DMA_BROADCAST, E3_DMA_RETRIES),
                              .size = (uint32_t)bytes,
                              .source = source,
                              .dest = dest,
                              .dest_event = sync->arrival,
                              .dest_cookie_proc = elan3_local_cookie(base->ctx, sync->everybody),
                              .src_event = event->slot + (E3_Addr)offsetof(struct slot, event),
                              .src_cookie_proc = elan3_local_cookie(base->ctx, base->self)}};
  elan_event_issue(event, &slot);
  elan_wait(event, ELAN_POLL_EVENT);
}

/* One piece. The barrier tells the root that everybody waits for it, with what came before out of the way. */
static void broadcast_piece(ELAN_GROUP* group, E3_Addr source, E3_Addr dest, size_t bytes, int is_root) {
  struct hardware_sync* sync = group->sync;
  if (!is_root) prime_arrival(sync, group->base);
  elan_hgsync(group);
  if (is_root)
    send_to_all(sync, group->base, source, dest, bytes);
  else
    elan_sleep_while(group->base, sync->came, 0);
}

static void want_hardware(const ELAN_GROUP* group) {
  if (!elan_hardwareBroadcast(group))
    hal_abort("elan_hbcast: wants one process on each of neighbouring nodes; see elan_hardwareBroadcast");
}

void elan_hbcastAt(ELAN_GROUP* group, E3_Addr source, E3_Addr dest, size_t size, unsigned root) {
  want_hardware(group);
  broadcast_piece(group, source, dest, size, root == group->base->self);
}

void elan_hbcast(ELAN_GROUP* group, void* buffer, size_t size, unsigned root, int global) {
  struct elan_base* base = group->base;
  want_hardware(group);
  struct hardware_sync* sync = group->sync;
  const int is_root = root == base->self;
  if (global) {
    const E3_Addr at = elan_address(base, buffer, size);
    broadcast_piece(group, at, at, size, is_root);
    return;
  }
  if (!sync->stage) {
    sync->stage_address = base->symmetric;
    sync->stage = elan_gallocMain(base, STAGE_BYTES);
    if (!sync->stage) hal_abort("elan_hbcast: no memory for its stage");
  }
  for (size_t done = 0; done < size || done == 0; done += STAGE_BYTES) {
    const size_t bytes = size - done < STAGE_BYTES ? size - done : STAGE_BYTES;
    if (is_root && bytes > 0) memcpy(sync->stage, (char*)buffer + done, bytes);
    if (is_root) hal_memory_copied(bytes);
    broadcast_piece(group, sync->stage_address, sync->stage_address, bytes, is_root);
    if (!is_root && bytes > 0) memcpy((char*)buffer + done, sync->stage, bytes);
    if (!is_root) hal_memory_copied(bytes);
  }
}
