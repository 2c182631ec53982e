/* The state of a process, its settings, requests, and the table of calls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/support/size.h"
#include "sw/transport/messages/calls.h"

#define REQUESTS_AT_ONCE 64u /* allocated when none is free */
/* The eager limit: larger messages are announced and wait at their sender. Up to it, an additional copy costs less than
 * to wait for the answer: 16 KiB at 500 MB/s are 32 us, about the time of two short messages of a system-area network.
 * (A; MPICH on GM used the same.) */
#define EAGER_DEFAULT (16u << 10)
/* A process's memory for messages that arrive before their receives, divided among all other processes: enough for four
 * of the largest eager messages from each of 64 processes (A). */
#define UNEXPECTED_DEFAULT "4M"
/* For one sender: more is never needed, and 32 bits suffice. */
#define WINDOW_MOST (64u << 10)

struct messages* messages_state(void) {
  static struct messages messages;
  return &messages;
}

void messages_use(const struct channel* channel) { messages_state()->channel = channel; }

#define EAGER_MEANING "bytes of a message that goes at once; larger ones wait for their receive"
#define EAGER_SOURCE "assumed (sw/transport/messages/start.c)"

static void read_settings(struct messages* m) {
  static char eager[24]; /* static: the setting may point to this text */
  snprintf(eager, sizeof eager, "%zu", m->channel->eager_bytes != 0 ? m->channel->eager_bytes : EAGER_DEFAULT);
  HAL_SETTING_TOLD("transport.eager", "by card", EAGER_MEANING, EAGER_SOURCE);
  m->eager = size_setting("transport.eager", hal_setting("transport.eager", eager, EAGER_MEANING, EAGER_SOURCE));
  const size_t unexpected = size_setting(
      "transport.unexpected", HAL_SETTING("transport.unexpected", UNEXPECTED_DEFAULT,
                                          "bytes that a process keeps of messages that came before their receives",
                                          "assumed (sw/transport/messages/start.c)"));
  const char* direct =
      HAL_SETTING("transport.direct", "yes",
                  "whether large messages and remote memory go by the card's put and get, where it has them: yes or no",
                  "sw/transport/channel.h");
  if (strcmp(direct, "yes") != 0 && strcmp(direct, "no") != 0)
    hal_abort("transport.direct is yes or no: large messages by the card's put and get, or in records");
  m->puts = m->channel->put && strcmp(direct, "yes") == 0;
  m->gets = m->channel->get && strcmp(direct, "yes") == 0;
  const size_t share = m->count > 1 ? unexpected / (m->count - 1) : unexpected;
  m->window = (uint32_t)(share < WINDOW_MOST ? share : WINDOW_MOST);
}

void messages_start(void) {
  struct messages* m = messages_state();
  m->self = (unsigned)hal_rank();
  m->count = (unsigned)hal_job_processes();
  list_init(&m->waiting);
  list_init(&m->any);
  list_init(&m->early);
  list_init(&m->free_requests);
  list_init(&m->direct_waiting);
  list_init(&m->direct_under_way);
  m->peers = calloc(m->count, sizeof *m->peers);
  if (!m->peers) hal_abort("MPI and shmem: no memory left to start with; give the nodes more (host.memory)");
  m->deaths = hal_deaths();
  void* heap;
  m->most_bytes = hal_region(m->peers, &heap);
  messages_memory_start();
  messages_intra_node_start();
  m->card = m->channel->start();
  if (m->channel->record_bytes(m->card) < CHANNEL_RECORD_LEAST)
    hal_abort("MPI and shmem: the channel of this card has records of fewer bytes than CHANNEL_RECORD_LEAST");
  read_settings(m);
}

/* ---- requests ---- */
static void more_requests(void) {
  struct messages* m = messages_state();
  struct transport_request** chunks = realloc(m->chunks, (m->chunk_count + 1) * sizeof *chunks);
  struct transport_request* requests = calloc(REQUESTS_AT_ONCE, sizeof *requests);
  if (!chunks || !requests) hal_abort("MPI and shmem: no memory left for requests; wait for some first");
  for (unsigned i = 0; i < REQUESTS_AT_ONCE; ++i) {
    requests[i].id = m->chunk_count * REQUESTS_AT_ONCE + i + 1;
    list_append(&m->free_requests, &requests[i].link);
  }
  m->chunks = chunks;
  m->chunks[m->chunk_count++] = requests;
}

struct transport_request* messages_request(enum request_role role, unsigned peer, void* buffer, size_t bytes) {
  struct messages* m = messages_state();
  if (list_empty(&m->free_requests)) more_requests();
  struct transport_request* request = LIST_OWNER(m->free_requests.next, struct transport_request, link);
  list_remove(&request->link);
  const uint32_t id = request->id;
  *request = (struct transport_request){
      .role = role, .id = id, .peer = peer, .buffer = buffer, .bytes = bytes, .number = ++m->requests};
  list_init(&request->link);
  return request;
}

struct transport_request* messages_request_of(uint32_t id) {
  const struct messages* m = messages_state();
  if (id == 0 || id > m->chunk_count * REQUESTS_AT_ONCE) messages_damaged("it names a request that there is not");
  return &m->chunks[(id - 1) / REQUESTS_AT_ONCE][(id - 1) % REQUESTS_AT_ONCE];
}

void messages_release(struct transport_request* request) {
  struct messages* m = messages_state();
  /* The last released one is reused first: it is in the cache. */
  request->link.next = m->free_requests.next;
  request->link.previous = &m->free_requests;
  m->free_requests.next->previous = &request->link;
  m->free_requests.next = &request->link;
}

void messages_end(struct transport_request* request) {
  struct messages* m = messages_state();
  request->done = 1;
  ++m->ends;
  if (request->exposed > 0) messages_unexpose(request->buffer, request->exposed);
  if (request->by_records) --m->record_gets;
  if (request->left) messages_end_left(request);
}

/* ---- transport.h ---- */
static void background(size_t (*make)(struct transport_request** pending, size_t room)) {
  messages_state()->background = make;
}

static void on_deaths(int (*hopeless)(unsigned peer)) { messages_state()->hopeless = hopeless; }

static void start_atomics(void) {} /* they need nothing beyond records */

static void look(void) { messages_progress(); }

const struct transport_calls messages_calls = {.start = messages_start,
                                               .send = messages_send,
                                               .receive = messages_receive,
                                               .test = messages_test,
                                               .wait = messages_wait,
                                               .wait_any = messages_wait_any,
                                               .probe = messages_probe,
                                               .cancel = messages_cancel,
                                               .on_deaths = on_deaths,
                                               .background = background,
                                               .serve_threads = messages_serve_threads,
                                               .symmetric = messages_symmetric,
                                               .address_of = messages_address_of,
                                               .batch_open = messages_batch_open,
                                               .batch_close = messages_batch_close,
                                               .put = messages_put,
                                               .get = messages_get,
                                               .put_copied = messages_put_copied,
                                               .get_now = messages_get_now,
                                               .quiet = messages_quiet,
                                               .start_atomics = start_atomics,
                                               .atomic_now = messages_atomic_now,
                                               .atomic = messages_atomic,
                                               .put_signal = messages_put_signal,
                                               .look = look,
                                               .wait_words = messages_wait_words,
                                               .pause = messages_pause,
                                               .barrier = messages_barrier,
                                               .broadcast = messages_broadcast,
                                               .reach = &messages_reach_calls};
