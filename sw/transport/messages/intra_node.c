/* Intra-node records, through rings in shared memory, without a card. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/support/shared_ring.h"
#include "sw/transport/messages/state.h"

/* A ring and the positions of its ends, each in its own cache line. */
struct ring_with_ends {
  struct {
    volatile uint32_t position;
    uint32_t spare[RING_LINE / sizeof(uint32_t) - 1];
  } written, read;
  struct shared_ring ring;
};

struct ring_pair {
  unsigned process;
  struct ring_end out, in;
  int refused; /* a record waits for space */
};

/* The other processes of the node, all connected from the start: a message may arrive from any. */
struct intra_node {
  struct ring_pair* pairs;
  unsigned count, next;   /* next: the process that is polled next */
  struct ring_pair* open; /* whose record is being read */
  const struct ring_record* record;
};

static struct intra_node* state(void) {
  static struct intra_node intra_node;
  return &intra_node;
}

static struct ring_with_ends* ring_of(unsigned from, unsigned to) {
  return ring_memory("messages", from, to, sizeof(struct ring_with_ends),
                     "MPI and shmem: no memory for messages among the processes of a node; use fewer, more nodes, or "
                     "more host.memory");
}

void messages_intra_node_start(void) {
  struct intra_node* intra_node = state();
  const unsigned self = (unsigned)hal_rank(), count = (unsigned)hal_job_processes();
  for (unsigned process = 0; process < count; ++process)
    intra_node->count += process != self && hal_rank_node((int)process) == hal_node();
  intra_node->pairs = calloc(intra_node->count + 1, sizeof *intra_node->pairs);
  struct ring_pair* pair = intra_node->pairs;
  for (unsigned process = 0; process < count; ++process) {
    if (process == self || hal_rank_node((int)process) != hal_node()) continue;
    struct ring_with_ends *out = ring_of(self, process), *in = ring_of(process, self);
    *pair++ =
        (struct ring_pair){.process = process,
                           .out = {.ring = &out->ring, .own = &out->written.position, .other = &out->read.position},
                           .in = {.ring = &in->ring, .own = &in->read.position, .other = &in->written.position}};
  }
}

struct ring_pair* messages_intra_node_pair(unsigned process) {
  const struct intra_node* intra_node = state();
  for (unsigned i = 0; i < intra_node->count; ++i)
    if (intra_node->pairs[i].process == process) return &intra_node->pairs[i];
  return NULL;
}

size_t messages_intra_node_record_bytes(void) { return RING_MOST_BYTES; }

enum channel_room messages_intra_node_send(struct ring_pair* pair, const struct channel_record* record) {
  const size_t bytes = record->head_bytes + record->body_bytes;
  struct ring_record* place = ring_begin(&pair->out, bytes);
  pair->refused = !place;
  if (!place) return CHANNEL_PEER_FULL;
  place->kind = 1;
  char* data = (char*)(place + 1);
  memcpy(data, record->head, record->head_bytes);
  if (record->body_bytes > 0) memcpy(data + record->head_bytes, record->body, record->body_bytes);
  ring_send(&pair->out, place);
  return CHANNEL_SENT;
}

const void* messages_intra_node_receive(unsigned* from, size_t* bytes) {
  struct intra_node* intra_node = state();
  for (unsigned i = 0; i < intra_node->count; ++i) {
    struct ring_pair* pair = &intra_node->pairs[(intra_node->next + i) % intra_node->count];
    intra_node->record = ring_next(&pair->in);
    if (!intra_node->record) continue;
    intra_node->open = pair;
    intra_node->next = (intra_node->next + i + 1) % intra_node->count;
    *from = pair->process;
    *bytes = intra_node->record->bytes;
    return ring_data(intra_node->record);
  }
  return NULL;
}

void messages_intra_node_release(void) {
  struct intra_node* intra_node = state();
  ring_take(&intra_node->open->in, intra_node->record);
}

unsigned messages_intra_node_words(void) { return 2 * state()->count; }

unsigned messages_intra_node_watch(const volatile uint32_t** words, uint32_t* seen) {
  struct intra_node* intra_node = state();
  unsigned count = 0;
  for (unsigned i = 0; i < intra_node->count; ++i) {
    struct ring_pair* pair = &intra_node->pairs[i];
    words[count] = pair->in.other;
    seen[count++] = pair->in.at;
    if (!pair->refused) continue;
    words[count] = pair->out.other;
    seen[count++] = pair->out.full;
  }
  return count;
}
