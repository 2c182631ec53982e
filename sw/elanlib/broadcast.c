/* Broadcast by the network itself, in pieces: while the network carries some, the root's card has the next ones and the
 * receivers copy those before out of their *stages*, memory that all have at the same Elan address, in slots.
 *
 * A slot is filled again when all have copied its piece out. The slots are used in halves: a barrier, which waits only
 * for the last receiver, says that a half is free while the other one is filled.
 *
 * The root's own node is left out of large broadcasts, as its bus already carries the data out: with both ways busy it
 * is much slower (FACTS.md 1.1: 80 MB/s each way, 200 one way). So there is a broadcast to the nodes below the root,
 * and one to those above. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/group.h"
#include "sw/hal/hal.h"

#define SLOTS 16u /* of a stage (A) */
#define HALF (SLOTS / 2)
#define SLOT_BYTES 0x4000u /* (A): its DMA takes 20 times as long as what host and card spend on a piece */
#define STAGE_BYTES (SLOTS * SLOT_BYTES)
#define LEAST_PIECE_BYTES 0x1000u /* smaller pieces are not worth their events (A) */
#define PIECES_OF_SMALL 4u        /* what is smaller than some slots is cut as well */
#define UNDER_WAY 2u              /* pieces at the card at once: more would take turns */
#define APART_BYTES 0x800u /* from here on the root's node is left out: smaller ones are not worth a second DMA */

void elan_broadcast_start(struct elan_base* base) {
  struct elan_meetings* meetings = base->meetings;
  meetings->arrivals = elan_gallocElan(base, SLOTS * CACHE_LINE);
  meetings->came = elan3_allocMain(base->ctx, CACHE_LINE, SLOTS * CACHE_LINE);
  if (meetings->arrivals == 0 || !meetings->came) hal_abort("elan_baseInit: no memory for groups");
  /* Its memory is allocated at the first broadcast. */
  meetings->stage_address = base->symmetric;
  base->symmetric += STAGE_BYTES;
}

/* ---- arrivals of pieces ---- */
static E3_Addr arrival(const struct elan_base* base, unsigned slot) {
  return base->meetings->arrivals + slot * CACHE_LINE;
}

static volatile uint32_t* came(const struct elan_base* base, unsigned slot) {
  return base->meetings->came + slot * (CACHE_LINE / sizeof *base->meetings->came);
}

static void prime_arrival(const struct elan_base* base, unsigned slot) {
  const E3_Addr event = arrival(base, slot);
  elan3_initevent_word(base->ctx, event, event + (E3_Addr)sizeof(E3_BlockCopyEvent), 1, came(base, slot));
  *came(base, slot) = 0;
}

/* ---- sending ---- */
struct sending {
  struct elan_event* events[2]; /* to the nodes below, above; null: none */
};

static struct elan_event* send_to(struct elan_base* base, uint32_t processes, E3_Addr source, E3_Addr dest,
                                  size_t bytes, unsigned slot) {
  struct elan_event* event = elan_event_take(base);
  struct slot dma = {.dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, E3_DMA_BROADCAST, E3_DMA_RETRIES),
                             .size = (uint32_t)bytes,
                             .source = source,
                             .dest = dest,
                             .dest_event = arrival(base, slot),
                             .dest_cookie_proc = elan3_local_cookie(base->ctx, processes),
                             .src_event = event->slot + (E3_Addr)offsetof(struct slot, event),
                             .src_cookie_proc = elan3_local_cookie(base->ctx, base->self)}};
  elan_event_issue(event, &dma);
  return event;
}

static void find_nodes_beside(ELAN_GROUP* group) {
  struct elan_meetings* meetings = group->base->meetings;
  if (meetings->beside == group) return;
  const unsigned node = (unsigned)hal_node();
  ELAN3_CTX* ctx = group->base->ctx;
  meetings->below = meetings->above = 0;
  if (node > group->low) meetings->below = elan3_setbcastvp(ctx, ELAN_BELOW, group->low, node - 1, group->leader);
  if (node < group->high) meetings->above = elan3_setbcastvp(ctx, ELAN_ABOVE, node + 1, group->high, group->leader);
  meetings->beside = group;
}

static struct sending piece_send(ELAN_GROUP* group, E3_Addr source, E3_Addr dest, size_t bytes, unsigned slot,
                                 int apart) {
  struct elan_base* base = group->base;
  if (!apart) return (struct sending){{send_to(base, elan_all_members(group), source, dest, bytes, slot), NULL}};
  find_nodes_beside(group);
  const struct elan_meetings* meetings = base->meetings;
  struct sending sending = {{NULL, NULL}};
  if (meetings->below) sending.events[0] = send_to(base, meetings->below, source, dest, bytes, slot);
  if (meetings->above) sending.events[1] = send_to(base, meetings->above, source, dest, bytes, slot);
  return sending;
}

/* Returns 0 if a death has made it hopeless: the card may still use the descriptors. */
static int end_sending(struct elan_base* base, struct sending* sending) {
  for (int i = 0; i < 2; ++i) {
    if (!sending->events[i]) continue;
    if (!elan_sleep_with_hope(base, &sending->events[i]->done, 0)) return 0;
    elan_event_release(sending->events[i]);
    sending->events[i] = NULL;
  }
  return 1;
}

/* ---- at the same address everywhere: to its place at once ---- */
static void broadcast_whole(ELAN_GROUP* group, E3_Addr source, E3_Addr dest, size_t bytes, int is_root, int apart) {
  struct elan_base* base = group->base;
  const int receives = elan_leads(group) && !is_root;
  if (receives) prime_arrival(base, 0);
  if (!elan_meet_to_broadcast(group)) return;
  if (is_root) {
    struct sending sending = piece_send(group, source, dest, bytes, 0, apart);
    end_sending(base, &sending);
  }
  if (receives) elan_sleep_with_hope(base, came(base, 0), 0);
}

void elan_hbcastAt(ELAN_GROUP* group, E3_Addr source, E3_Addr dest, size_t size, unsigned root) {
  if (!group->hardware || group->count != group->nodes)
    hal_abort("elan_hbcastAt: wants one process on each of neighbouring nodes; see elan_hardware");
  broadcast_whole(group, source, dest, size, root == group->self, 0);
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

/* A broadcast under way, as one member sees it. */
struct staged {
  ELAN_GROUP* group;
  char* buffer;
  size_t size, piece_bytes, pieces;
  int is_root, apart;
  int shared;  /* some nodes have several members */
  int tells;   /* tells the node's others that a piece is in the leader's stage: the leader, or the root on its node */
  char* stage; /* the leader's of this node */
  int direct;  /* the root's card takes the data from the buffer, not from the root's own stage */
  struct sending sending[UNDER_WAY];
};

static size_t bytes_of(const struct staged* at, size_t piece) {
  const size_t rest = at->size - piece * at->piece_bytes;
  return rest < at->piece_bytes ? rest : at->piece_bytes;
}

static unsigned slot_of(size_t piece) { return (unsigned)(piece % SLOTS); }

static size_t pieces_of(size_t size, size_t* piece_bytes) {
  size_t bytes = (size / PIECES_OF_SMALL + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
  if (bytes < LEAST_PIECE_BYTES) bytes = LEAST_PIECE_BYTES;
  *piece_bytes = bytes < SLOT_BYTES ? bytes : SLOT_BYTES;
  return size > 0 ? (size + *piece_bytes - 1) / *piece_bytes : 1;
}

static int on_this_node(const ELAN_GROUP* group, unsigned member) {
  return elan_sameNode(group->base, group->members ? group->members[member] : member);
}

static struct staged begin(ELAN_GROUP* group, void* buffer, size_t size, unsigned root) {
  struct elan_base* base = group->base;
  const int is_root = root == group->self, shared = group->count != group->nodes;
  struct staged at = {.group = group, .buffer = buffer, .size = size, .is_root = is_root, .shared = shared};
  at.apart = shared || size >= APART_BYTES;
  at.tells = is_root || (elan_leads(group) && !on_this_node(group, root));
  at.direct = is_root && size >= APART_BYTES && elan3_addressable(base->ctx, buffer, size);
  at.pieces = pieces_of(size, &at.piece_bytes);
  if (elan_leads(group) || is_root) stage_of(base, base->node_self);
  if (shared || !is_root) at.stage = stage_of(base, group->leader);
  elan_stage_free(base);
  if (elan_leads(group) && group->local_count > 1) hal_store_word(&group->local_sync->told, 0);
  return at;
}

/* ---- the root ---- */
static int send_piece(struct staged* at, size_t piece) {
  ELAN_GROUP* group = at->group;
  struct elan_base* base = group->base;
  const size_t bytes = bytes_of(at, piece), in_stage = slot_of(piece) * (size_t)SLOT_BYTES;
  char* const data = at->buffer + piece * at->piece_bytes;
  char* const own_stage = at->direct ? NULL : stage_of(base, base->node_self) + in_stage;
  struct sending* sending = &at->sending[piece % UNDER_WAY];
  if (!end_sending(base, sending)) return 0;
  if (own_stage) copy(own_stage, data, bytes);
  const E3_Addr dest = base->meetings->stage_address + (E3_Addr)in_stage;
  *sending = piece_send(group, at->direct ? elan3_main2elan_all(base->ctx, data, bytes) : dest, dest, bytes,
                        slot_of(piece), at->apart);
  if (group->local_count == 1) return 1;
  if (at->stage + in_stage != own_stage) copy(at->stage + in_stage, data, bytes);
  hal_store_word(&group->local_sync->told, (uint32_t)piece + 1);
  return 1;
}

/* Before pieces that reuse a half: waits until all have copied out its contents. */
static int send_pieces(struct staged* at) {
  for (size_t piece = 0; piece < at->pieces; ++piece) {
    if (piece >= SLOTS && piece % HALF == 0 && !elan_meet_to_broadcast(at->group)) return 0;
    if (!send_piece(at, piece)) return 0;
  }
  for (unsigned i = 0; i < UNDER_WAY; ++i)
    if (!end_sending(at->group->base, &at->sending[i])) return 0;
  return 1;
}

/* ---- the others ---- */
/* Pieces from `first` to before `end`, as far as there are so many, come by the network. */
static void prime(const struct staged* at, size_t first, size_t end) {
  if (at->is_root || !at->tells) return;
  for (size_t piece = first; piece < end && piece < at->pieces; ++piece) prime_arrival(at->group->base, slot_of(piece));
}

static int await_piece(const struct staged* at, size_t piece) {
  ELAN_GROUP* group = at->group;
  if (!at->tells) return elan_local_await(group, &group->local_sync->told, (uint32_t)piece + 1);
  if (!elan_sleep_with_hope(group->base, came(group->base, slot_of(piece)), 0)) return 0;
  if (group->local_count > 1) hal_store_word(&group->local_sync->told, (uint32_t)piece + 1);
  return 1;
}

static int take_pieces(struct staged* at) {
  for (size_t piece = 0; piece < at->pieces; ++piece) {
    if (!await_piece(at, piece)) return 0;
    copy(at->buffer + piece * at->piece_bytes, at->stage + slot_of(piece) * (size_t)SLOT_BYTES, bytes_of(at, piece));
    const size_t done = piece + 1;
    if (done % HALF != 0 || done + HALF >= at->pieces) continue;
    prime(at, done + HALF, done + SLOTS);
    if (!elan_meet_to_broadcast(at->group)) return 0;
  }
  return 1;
}

/* Readers of the leader's stage report when they have read it: the leader checks before the next broadcast. */
static void end(const struct staged* at) {
  ELAN_GROUP* group = at->group;
  if (!at->shared) return;
  const uint32_t sequence = ++group->sequence;
  if (!elan_leads(group)) {
    elan_local_arrive(group, sequence);
  } else if (group->local_count > 1) {
    group->last_stage_read = sequence;
    group->base->meetings->readers = group;
  }
}

void elan_hbcast(ELAN_GROUP* group, void* buffer, size_t size, unsigned root, int global) {
  if (!group->hardware) hal_abort("elan_hbcast: wants neighbouring nodes; see elan_hardware");
  if (global && group->count == group->nodes) {
    const E3_Addr place = elan_address(group->base, buffer, size);
    broadcast_whole(group, place, place, size, root == group->self, size >= APART_BYTES);
    return;
  }
  struct staged at = begin(group, buffer, size, root);
  prime(&at, 0, SLOTS);
  if (!elan_meet_to_broadcast(group)) return;
  if (at.is_root ? send_pieces(&at) : take_pieces(&at)) end(&at);
}
