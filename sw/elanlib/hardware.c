/* Barrier by the network itself. It requires that the group's nodes are neighbours, since a broadcast goes to a range
 * of nodes, and to the process that has the same place on each: the leader. The node's other processes take part
 * through memory.
 */
#include "sw/elanlib/firmware/barrier_records.h"
#include "sw/elanlib/group.h"
#include "sw/hal/hal.h"

#define THREAD_ALIGN 32u

/* The purpose for which nodes meet. Those of different purposes never meet: a process that omits a broadcast and enters
 * a barrier waits there, the others wait in the broadcast, and the run reports it. */
#define TO_SYNCHRONISE 0u
#define TO_BROADCAST (1u << 31)

_Static_assert(sizeof(struct barrier_record) == CACHE_LINE, "a barrier record is one block");

static E3_Addr record_of(const ELAN_GROUP* group) {
  return group->base->meetings->records + group->number * (E3_Addr)sizeof(struct barrier_record);
}

void elan_hardware_start(struct elan_base* base) {
  struct elan_meetings* meetings = base->meetings;
  struct barrier_record empty[ELAN_GROUPS] = {0};
  for (unsigned number = 0; number < ELAN_GROUPS; ++number) empty[number].start.count = 1;
  meetings->records = elan_gallocElan(base, sizeof empty);
  meetings->released = elan3_allocMain(base->ctx, CACHE_LINE, CACHE_LINE);
  if (meetings->records == 0 || !meetings->released) hal_abort("elan_baseInit: no memory for groups");
  *meetings->released = 0;
  meetings->released_address = elan3_main2elan(base->ctx, meetings->released);
  elan3_copy_to_sdram(base->ctx, empty, meetings->records, sizeof empty);
}

int elan_hardware(const ELAN_GROUP* group) { return group->hardware; }

/* ---- barrier ---- */
uint32_t elan_all_members(ELAN_GROUP* group) {
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

/* A process writes at each barrier its arrival and a fresh event, in one burst. */
static void announce(const ELAN_GROUP* group, uint32_t arrived) {
  const E3_Addr at = record_of(group);
  const struct barrier_record record = {
      .arrived = arrived,
      .release = {.count = 1,
                  .type = E3_EVENT_COPY,
                  .source = (at + (E3_Addr)offsetof(struct barrier_record, word)) | E3_EVENT_COPY_WORD,
                  .dest = group->base->meetings->released_address},
      .word = 1,
      .all_members = group->all_members};
  elan3_copy_to_sdram(group->base->ctx, &record, at, offsetof(struct barrier_record, start));
}

static int meet_other_nodes(ELAN_GROUP* group, uint32_t arrived) {
  struct elan_base* base = group->base;
  const int asks = group->my_node == 0;
  *base->meetings->released = 0;
  if (asks) elan_all_members(group);
  announce(group, arrived);
  if (asks) start_thread(group);
  if (asks) elan3_setevent(base->ctx, record_of(group) + (E3_Addr)offsetof(struct barrier_record, start));
  if (elan_sleep_with_hope(base, base->meetings->released, 0)) return 1;
  base->meetings->threads &= ~(1u << group->number); /* it is asking a dead node: the driver ends it */
  return 0;
}

static int meet(ELAN_GROUP* group, uint32_t purpose) {
  if (!group->hardware) return elan_meet(group);
  const uint32_t sequence = ++group->sequence;
  return elan_local_arrive(group, sequence) && (!elan_leads(group) || meet_other_nodes(group, sequence ^ purpose)) &&
         elan_local_release(group, sequence);
}

int elan_meet_to_broadcast(ELAN_GROUP* group) { return meet(group, TO_BROADCAST); }

void elan_hgsync(ELAN_GROUP* group) { meet(group, TO_SYNCHRONISE); }
