/* Intra-node records, through lanes in shared memory, without a card. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/support/lane.h"
#include "sw/transport/messages/state.h"

/* A lane and how far its ends are, each in a line of its own. */
struct near_lane {
  struct {
    volatile uint32_t position;
    uint32_t spare[LANE_LINE / sizeof(uint32_t) - 1];
  } written, read;
  struct lane lane;
};

struct lane_pair {
  unsigned process;
  struct lane_end out, in;
  int refused; /* a record waits for room */
};

/* The neighbours of this process, all in use from the start: a message may come from any. */
struct near {
  struct lane_pair* pairs;
  unsigned count, next;   /* next: whose turn it is to be looked at */
  struct lane_pair* open; /* whose record is being read */
  const struct lane_record* record;
};

static struct near* state(void) {
  static struct near near;
  return &near;
}

static struct near_lane* lane_of(unsigned from, unsigned to) {
  char name[48];
  snprintf(name, sizeof name, "messages.lane.%u.%u", from, to);
  struct near_lane* lane = hal_shared(name, sizeof *lane);
  if (!lane) hal_abort("MPI and shmem: no memory for messages among the processes of a node; use fewer, or more nodes");
  return lane;
}

void messages_near_start(void) {
  struct near* near = state();
  const unsigned self = (unsigned)hal_rank(), count = (unsigned)hal_ranks();
  for (unsigned process = 0; process < count; ++process)
    near->count += process != self && hal_rank_node((int)process) == hal_node();
  near->pairs = calloc(near->count + 1, sizeof *near->pairs);
  struct lane_pair* pair = near->pairs;
  for (unsigned process = 0; process < count; ++process) {
    if (process == self || hal_rank_node((int)process) != hal_node()) continue;
    struct near_lane *out = lane_of(self, process), *in = lane_of(process, self);
    *pair++ =
        (struct lane_pair){.process = process,
                           .out = {.lane = &out->lane, .own = &out->written.position, .other = &out->read.position},
                           .in = {.lane = &in->lane, .own = &in->read.position, .other = &in->written.position}};
  }
}

struct lane_pair* messages_near_pair(unsigned process) {
  const struct near* near = state();
  for (unsigned i = 0; i < near->count; ++i)
    if (near->pairs[i].process == process) return &near->pairs[i];
  return NULL;
}

size_t messages_near_record_bytes(void) { return LANE_MOST_BYTES; }

enum channel_room messages_near_send(struct lane_pair* pair, const struct channel_record* record) {
  const size_t bytes = record->head_bytes + record->body_bytes;
  struct lane_record* place = lane_begin(&pair->out, bytes);
  pair->refused = !place;
  if (!place) return CHANNEL_PEER_FULL;
  place->kind = 1;
  char* data = (char*)(place + 1);
  memcpy(data, record->head, record->head_bytes);
  if (record->body_bytes > 0) memcpy(data + record->head_bytes, record->body, record->body_bytes);
  lane_send(&pair->out, place);
  return CHANNEL_SENT;
}

const void* messages_near_receive(unsigned* from, size_t* bytes) {
  struct near* near = state();
  for (unsigned i = 0; i < near->count; ++i) {
    struct lane_pair* pair = &near->pairs[(near->next + i) % near->count];
    near->record = lane_next(&pair->in);
    if (!near->record) continue;
    near->open = pair;
    near->next = (near->next + i + 1) % near->count;
    *from = pair->process;
    *bytes = near->record->bytes;
    return lane_data(near->record);
  }
  return NULL;
}

void messages_near_release(void) {
  struct near* near = state();
  lane_take(&near->open->in, near->record);
}

unsigned messages_near_words(void) { return 2 * state()->count; }

unsigned messages_near_watch(const volatile uint32_t** words, uint32_t* seen) {
  struct near* near = state();
  unsigned count = 0;
  for (unsigned i = 0; i < near->count; ++i) {
    struct lane_pair* pair = &near->pairs[i];
    words[count] = pair->in.other;
    seen[count++] = pair->in.at;
    if (!pair->refused) continue;
    words[count] = pair->out.other;
    seen[count++] = pair->out.full;
  }
  return count;
}
