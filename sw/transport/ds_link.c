/* MPI and shmem over virtual links of DS links: a channel (channel.h) of one virtual link between any two nodes'
 * processes. Each end connects when it first sends, or when the other end has sent; from then on an input is always
 * posted, so that no output waits for its reader. The card does the rest: packets, their order, acknowledgements.
 */
#include <stdlib.h>
#include <string.h>

#include "sw/ds_link/ds_link.h"
#include "sw/hal/hal.h"
#include "sw/transport/channel.h"
#include "sw/transport/implementation.h"
#include "sw/transport/tuned/ds_link.h"
#include "sw/transport/tuned/many_elan3.h"

#define NUMBER 0u          /* of the virtual link between two processes: programs may use the others */
#define RECORD_BYTES 2048u /* 64 packets; between records a channel idles until its sender wakes up (A) */

struct peer {
  Channel *to, *from; /* null until one of both sends */
  int has_come;       /* its input is complete, and it is in `came` */
};

struct ds_transport {
  unsigned ranks;
  struct peer* peers;
  char *out, *in; /* RECORD_BYTES for each peer; pages are touched only when used */
  unsigned* came; /* peers whose records are here, in the order of arrival */
  size_t first, count;
  uint32_t cursor; /* in the card's list of events */
  uint32_t looks;  /* at that list */
  int refused;     /* a send was refused since the last sleep */
  int room;        /* an output has ended since then */
};

static void post(struct ds_transport* ds, unsigned rank) {
  ds_input(ds->peers[rank].from, ds->in + (size_t)rank * RECORD_BYTES, RECORD_BYTES);
}

static void connect(struct ds_transport* ds, unsigned rank) {
  if (ds->peers[rank].from) return;
  ds->peers[rank] = (struct peer){.to = ds_channel_to(rank, NUMBER), .from = ds_channel_from(rank, NUMBER)};
  post(ds, rank);
}

static void* start(void) {
  static struct ds_transport state;
  struct ds_transport* ds = &state;
  ds_init();
  ds->ranks = (unsigned)hal_job_processes();
  ds->peers = calloc(ds->ranks, sizeof *ds->peers);
  ds->came = calloc(ds->ranks, sizeof *ds->came);
  ds->out = malloc((size_t)ds->ranks * RECORD_BYTES);
  ds->in = malloc((size_t)ds->ranks * RECORD_BYTES);
  if (!ds->peers || !ds->came || !ds->out || !ds->in)
    hal_abort("ds_link: the node's memory is full; each process has 4 KiB for each other one: give host.memory more");
  return ds;
}

static size_t record_bytes(const void* self) {
  (void)self;
  return RECORD_BYTES;
}

static void look_at(struct ds_transport* ds, unsigned rank) {
  struct peer* peer = &ds->peers[rank];
  if (hal_rank_node((int)rank) == hal_node()) return;
  connect(ds, rank);
  if (ds->refused && ds_output_ended(peer->to)) ds->room = 1;
  if (peer->has_come || !ds_input_ended(peer->from)) return;
  peer->has_come = 1;
  ds->came[(ds->first + ds->count++) % ds->ranks] = rank;
}

/* The card's events since the last call. */
static void look(struct ds_transport* ds) {
  int64_t event;
  ++ds->looks;
  while ((event = ds_next_event(&ds->cursor)) != DS_NO_EVENT) {
    if (event == DS_EVENTS_LOST) /* the program has used the other links much meanwhile */
      for (unsigned rank = 0; rank < ds->ranks; ++rank) look_at(ds, rank);
    else if (event % ds_numbers() == NUMBER)
      look_at(ds, (unsigned)(event / ds_numbers()));
  }
}

static enum channel_room ds_link_record_send(void* self, unsigned to, const struct channel_record* record) {
  struct ds_transport* ds = self;
  connect(ds, to);
  struct peer* peer = &ds->peers[to];
  if (!ds_output_ended(peer->to)) {
    ds->refused = 1;
    return CHANNEL_PEER_FULL;
  }
  char* out = ds->out + (size_t)to * RECORD_BYTES;
  memcpy(out, record->head, record->head_bytes);
  if (record->body_bytes > 0) memcpy(out + record->head_bytes, record->body, record->body_bytes);
  ds_output(peer->to, out, record->head_bytes + record->body_bytes);
  return CHANNEL_SENT;
}

static const void* receive(void* self, unsigned* from, size_t* bytes) {
  struct ds_transport* ds = self;
  if (ds->count == 0) look(ds);
  if (ds->count == 0) return NULL;
  *from = ds->came[ds->first];
  *bytes = ds_input_bytes(ds->peers[*from].from);
  return ds->in + (size_t)*from * RECORD_BYTES;
}

static void release(void* self) {
  struct ds_transport* ds = self;
  const unsigned from = ds->came[ds->first];
  ds->first = (ds->first + 1) % ds->ranks;
  --ds->count;
  ds->peers[from].has_come = 0;
  post(ds, from);
}

static int differs(const volatile uint32_t* const* words, const uint32_t* seen, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    if (*words[i] != seen[i]) return 1;
  return 0;
}

static void sleep_(void* self, const volatile uint32_t* const* words, const uint32_t* seen, unsigned count) {
  struct ds_transport* ds = self;
  const volatile uint32_t* all[TRANSPORT_WORDS + 1] = {ds_wake_word()};
  uint32_t all_seen[TRANSPORT_WORDS + 1];
  memcpy(all + 1, words, count * sizeof *words);
  memcpy(all_seen + 1, seen, count * sizeof *seen);
  for (;;) {
    all_seen[0] = *all[0];
    look(ds);
    /* The end of an output is no reason to wake unless a caller waits for it. */
    if (ds->count > 0 || ds->room || differs(words, seen, count)) break;
    const uint32_t looks = ds->looks;
    if (!hal_wait_words(all, all_seen, (int)count + 1, UINT64_MAX)) break; /* a node has died */
    /* Another thread has done something meanwhile, perhaps for this one. */
    if (ds->looks != looks || !differs(all, all_seen, count + 1)) break;
  }
  ds->refused = ds->room = 0;
}

static const struct channel channel = {.start = start,
                                       .record_bytes = record_bytes,
                                       .send = ds_link_record_send,
                                       .receive = receive,
                                       .release = release,
                                       .sleep = sleep_};

const struct transport_implementation transport_ds_link = {
    .card = "ds_link", .matching = "host", .channel = &channel, .advice = tuned_ds_link, .advice_for_many = many_elan3};
