/* Barrier and broadcast by the network itself. Both want the group's nodes to be neighbours, for a broadcast goes to a
 * range of nodes, and to the process that has the same place on each: the leader. The node's other processes take part
 * through memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/firmware/barrier_records.h"
#include "sw/elanlib/group.h"
#include "sw/hal/hal.h"

#define STAGE_BYTES 0x40000u /* of a broadcast at once, in memory that all have at the same address (A) */
#define THREAD_ALIGN 32u

_Static_assert(sizeof(struct barrier_record) == CACHE_LINE, "a barrier record is one block");

static E3_Addr record_of(const ELAN_GROUP* group) {
  return group->base->meetings->records + group->number * (E3_Addr)sizeof(struct barrier_record);
}

void elan_hardware_start(struct elan_base* base) {
  struct elan_meetings* meetings = base->meetings;
  struct barrier_record empty[ELAN_GROUPS] = {0};
  for (unsigned number = 0; number < ELAN_GROUPS; ++number) empty[number].start.count = 1;
  meetings->records = elan_gallocElan(base, sizeof empty);
  meetings->arrival = elan_gallocElan(base, CACHE_LINE);
  meetings->released = elan3_allocMain(base->ctx, CACHE_LINE, 2 * CACHE_LINE);
  if (meetings->records == 0 || meetings->arrival == 0 || !meetings->released)
    hal_abort("elan_baseInit: no memory for groups");
  meetings->came = meetings->released + CACHE_LINE / sizeof *meetings->came;
  *meetings->released = *meetings->came = 0;
  meetings->released_address = elan3_main2elan(base->ctx, meetings->released);
  elan3_copy_to_sdram(base->ctx, empty, meetings->records, sizeof empty);
  /* Its memory comes with the first broadcast. */
  meetings->stage_address = base->symmetric;
  base->symmetric += STAGE_BYTES;
}

int elan_hardware(const ELAN_GROUP* group) { return group->hardware; }

/* ---- barrier ---- */
static uint32_t all_members(ELAN_GROUP* group) {
  if (group->all_members == 0)
    group->all_members = elan3_setbcastvp(group->base->ctx, group->number, group->low, group->high, group->leader);
  return group->all_members;
}

/* At the first barrier of that number: programs without one need no thread. */
static void start_thread(ELAN_GROUP* group) {
  struct elan_base* base = group->base;
  if (base->meetings->threads >> group->number & 1) return;
  base->meetings->threads |= 1u << group->number;
  const struct e3_thread thread = {.program = elan3_loadprogram(base->ctx, "barrier"), .argument = {record_of(group)}};
  const E3_Addr address = elan3_allocElan(base->ctx, THREAD_ALIGN, sizeof thread);
  if (address == 0) hal_abort("elan_hgsync: no Elan memory left for its thread");
  elan3_copy_to_sdram(base->ctx, &thread, address, sizeof thread);
  elan3_runthread(base->ctx, address);
}

/* What a process writes at each barrier: its arrival, and the event fresh, in one burst. */
static void announce(const ELAN_GROUP* group, uint32_t sequence) {
  const E3_Addr at = record_of(group);
  const struct barrier_record record = {
      .arrived = sequence,
      .release = {.count = 1,
                  .type = E3_EVENT_COPY,
                  .source = (at + (E3_Addr)offsetof(struct barrier_record, word)) | E3_EVENT_COPY_WORD,
                  .dest = group->base->meetings->released_address},
      .word = 1,
      .all_members = group->all_members};
  elan3_copy_to_sdram(group->base->ctx, &record, at, offsetof(struct barrier_record, start));
}

static int meet_other_nodes(ELAN_GROUP* group, uint32_t sequence) {
  struct elan_base* base = group->base;
  const int asks = group->my_node == 0;
  *base->meetings->released = 0;
  if (asks) all_members(group);
  announce(group, sequence);
  if (asks) start_thread(group);
  if (asks) elan3_setevent(base->ctx, record_of(group) + (E3_Addr)offsetof(struct barrier_record, start));
  if (elan_sleep_with_hope(base, base->meetings->released, 0)) return 1;
  base->meetings->threads &= ~(1u << group->number); /* the driver ends it, which asks a dead node */
  return 0;
}

int elan_meet_hardware(ELAN_GROUP* group) {
  if (!group->hardware) return elan_meet(group);
  const uint32_t sequence = ++group->sequence;
  return elan_local_arrive(group, sequence) && (!elan_leads(group) || meet_other_nodes(group, sequence)) &&
         elan_local_release(group, sequence);
}

void elan_hgsync(ELAN_GROUP* group) { elan_meet_hardware(group); }

/* ---- broadcast ---- */
static void prime_arrival(const struct elan_base* base) {
  const struct elan_meetings* meetings = base->meetings;
  const E3_Addr word = meetings->arrival + (E3_Addr)sizeof(E3_BlockCopyEvent);
  elan3_initevent_word(base->ctx, meetings->arrival, word, 1, meetings->came);
  *meetings->came = 0;
}

static int send_to_all(ELAN_GROUP* group, E3_Addr source, E3_Addr dest, size_t bytes) {
  struct elan_base* base = group->base;
  struct elan_event* event = elan_event_take(base);
  struct slot slot = {.dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, E3_DMA_BROADCAST, E3_DMA_RETRIES),
                              .size = (uint32_t)bytes,
                              .source = source,
                              .dest = dest,
                              .dest_event = base->meetings->arrival,
                              .dest_cookie_proc = elan3_local_cookie(base->ctx, all_members(group)),
                              .src_event = event->slot + (E3_Addr)offsetof(struct slot, event),
                              .src_cookie_proc = elan3_local_cookie(base->ctx, base->self)}};
  elan_event_issue(event, &slot);
  if (!elan_sleep_with_hope(base, &event->done, 0)) return 0; /* the card may still use it */
  elan_event_release(event);
  return 1;
}

/* One piece, to the leaders. The barrier tells the root that all members wait for it, and that earlier pieces are
 * done. Returns 0 where a death has made it hopeless. */
static int broadcast_piece(ELAN_GROUP* group, E3_Addr source, E3_Addr dest, size_t bytes, int is_root) {
  struct elan_base* base = group->base;
  const int receives = elan_leads(group) && !is_root;
  if (receives) prime_arrival(base);
  if (!elan_meet_hardware(group)) return 0;
  if (is_root && !send_to_all(group, source, dest, bytes)) return 0;
  return !receives || elan_sleep_with_hope(base, base->meetings->came, 0);
}

void elan_hbcastAt(ELAN_GROUP* group, E3_Addr source, E3_Addr dest, size_t size, unsigned root) {
  if (!group->hardware || group->count != group->nodes)
    hal_abort("elan_hbcastAt: wants one process on each of neighbouring nodes; see elan_hardware");
  broadcast_piece(group, source, dest, size, root == group->self);
}

/* ---- through stages: memory that all have at the same address, and that the node's other processes see ---- */
static char* stage_of(const struct elan_base* base, unsigned place) {
  char name[48];
  snprintf(name, sizeof name, "elan.stage.%u", place);
  char* stage = hal_shared(name, STAGE_BYTES);
  if (!stage) hal_abort("elan_hbcast: no memory for its stage; set host.memory");
  if (place == base->node_self && !base->meetings->stage_mapped) {
    base->meetings->stage_mapped = 1;
    elan3_mapSymmetric(base->ctx, stage, base->meetings->stage_address, STAGE_BYTES);
  }
  return stage;
}

/* Readers leave with a sequence number of their own, which the leader checks before it changes its stage. */
void elan_stage_free(struct elan_base* base) {
  ELAN_GROUP* readers = base->meetings->readers;
  base->meetings->readers = NULL;
  if (readers) elan_local_arrive(readers, readers->last_stage_read);
}

static void copy(void* to, const void* from, size_t bytes) {
  if (bytes > 0) memcpy(to, from, bytes);
}

/* The leader's stage holds the piece: the node's others may read it. Answers as broadcast_piece. */
static int share_stage(ELAN_GROUP* group) {
  const uint32_t sequence = ++group->sequence;
  if (!elan_local_release(group, sequence)) return 0;
  if (!elan_leads(group) || group->local_count == 1) return 1;
  group->last_stage_read = sequence;
  group->base->meetings->readers = group;
  return 1;
}

void elan_hbcast(ELAN_GROUP* group, void* buffer, size_t size, unsigned root, int global) {
  struct elan_base* base = group->base;
  if (!group->hardware) hal_abort("elan_hbcast: wants neighbouring nodes; see elan_hardware");
  const int is_root = root == group->self, shared = group->count != group->nodes;
  if (global && !shared) {
    const E3_Addr at = elan_address(base, buffer, size);
    broadcast_piece(group, at, at, size, is_root);
    return;
  }
  const E3_Addr stage = base->meetings->stage_address;
  if (elan_leads(group) || is_root) stage_of(base, base->node_self);
  for (size_t done = 0; done < size || done == 0; done += STAGE_BYTES) {
    const size_t bytes = size - done < STAGE_BYTES ? size - done : STAGE_BYTES;
    elan_stage_free(base);
    if (is_root) copy(stage_of(base, base->node_self), (char*)buffer + done, bytes);
    if (!broadcast_piece(group, stage, stage, bytes, is_root)) return;
    if (shared && !share_stage(group)) return;
    if (!is_root) copy((char*)buffer + done, stage_of(base, group->leader), bytes);
    if (shared && !elan_leads(group)) elan_local_arrive(group, group->sequence);
  }
}
