/* Chooses the implementation for this machine's card, and forwards each call of transport.h to it. */
#include <stdio.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/hal/record.h"
#include "sw/transport/implementation.h"
#include "sw/transport/messages/messages.h"
#include "sw/transport/recording/recording.h"
#include "sw/transport/tuned/neutral.h"

#define TEXT_MOST 384u

/* This process's: each process has its copy of an image. */
static const struct transport_calls** chosen(void) {
  static const struct transport_calls* calls;
  return &calls;
}

static const struct transport_calls* calls(void) { return *chosen(); }

/* [many] */
static const struct transport_advice** advice(void) {
  static const struct transport_advice* rows[2];
  return rows;
}

const struct transport_advice* transport_advice(int many) { return advice()[many]; }

/* Adds a name to a list, once. */
static void add(char* list, size_t room, const char* name) {
  if (strstr(list, name)) return;
  const size_t used = strlen(list);
  snprintf(list + used, room - used, "%s%s", used > 0 ? ", " : "", name);
}

static void refuse_card(void) {
  char text[TEXT_MOST], cards[TEXT_MOST / 2] = "";
  for (const struct transport_implementation* const* at = transport_implementations; *at; ++at)
    add(cards, sizeof cards, (*at)->card);
  if (hal_card()[0] == '\0')
    snprintf(text, sizeof text,
             "MPI and shmem: this machine's nodes have no card that software can use; take a machine whose nic.type is "
             "one of: %s",
             cards);
  else
    snprintf(text, sizeof text,
             "MPI and shmem: there is no transport for this machine's card '%s'; take a machine whose nic.type is one "
             "of: %s; a card of your own gets one by `sanvp-part card.cpp card.c`",
             hal_card(), cards);
  hal_abort(text);
}

static void refuse_matching(const char* matching) {
  char text[TEXT_MOST], offered[TEXT_MOST / 2] = "";
  for (const struct transport_implementation* const* at = transport_implementations; *at; ++at)
    if (strcmp((*at)->card, hal_card()) == 0) add(offered, sizeof offered, (*at)->matching);
  snprintf(text, sizeof text, "transport.matching is '%.32s'; with this machine's card, '%s', it is one of: %s",
           matching, hal_card(), offered);
  hal_abort(text);
}

/* The first of a list for this card; if `matching` is not null, the first with that matching. */
static const struct transport_implementation* find_in(const struct transport_implementation* const* at,
                                                      const char* matching) {
  for (; *at; ++at)
    if (strcmp((*at)->card, hal_card()) == 0 && (!matching || strcmp((*at)->matching, matching) == 0)) return *at;
  return NULL;
}

static const struct transport_implementation* find(const char* matching) {
  const struct transport_implementation* own = find_in(sanvp_own_transports, matching);
  return own ? own : find_in(transport_implementations, matching);
}

#define MATCHING_MEANING "where messages are matched with receives, if the card can do it: card or host"
#define MATCHING_SOURCE "the first transport for this card (sw/transport/README.md)"

static const struct transport_implementation* choose(void) {
  const struct transport_implementation* first = find(NULL);
  if (!first) refuse_card();
  HAL_SETTING_TOLD("transport.matching", "by card", MATCHING_MEANING, MATCHING_SOURCE);
  const char* matching = hal_setting("transport.matching", first->matching, MATCHING_MEANING, MATCHING_SOURCE);
  const struct transport_implementation* found = find(matching);
  if (!found) refuse_matching(matching);
  return found;
}

#define TAG_BARRIER (0xbffffffeull << 32) /* above the contexts of MPI, below the groups of elanlib, beside sw/io's */

/* Dissemination: after round i each has heard of 2^(i+1) processes. Two barriers in a row do not mix, as messages of
 * one sender with one tag are received in order. */
static void barrier_of_ranks(void) {
  const unsigned count = transport_count(), self = transport_self();
  for (unsigned distance = 1; distance < count; distance *= 2) {
    struct transport_request* sent = transport_send((self + distance) % count, TAG_BARRIER | distance, NULL, 0, 0);
    transport_wait(transport_receive((self + count - distance) % count, TAG_BARRIER | distance, UINT64_MAX, NULL, 0),
                   NULL);
    transport_wait(sent, NULL);
  }
}

void transport_start(void) {
  if (calls()) return;
  const struct transport_implementation* implementation = choose();
  if (implementation->channel) messages_use(implementation->channel);
  advice()[0] = implementation->advice ? implementation->advice : tuned_neutral;
  advice()[1] = implementation->advice_for_many ? implementation->advice_for_many : tuned_neutral;
  *chosen() = implementation->channel ? &messages_calls : implementation->calls;
  calls()->start();
  if (hal_records()) *chosen() = transport_recorded(calls(), barrier_of_ranks);
}

/* ---- without servers of files, which take part in no operation of all processes ---- */
static int no_broadcast(void* buffer, size_t bytes, unsigned root) {
  (void)buffer, (void)bytes, (void)root;
  return 0;
}

void transport_serve_threads(void) {
  if (calls()->serve_threads) calls()->serve_threads();
}

void transport_leave_out_servers(void) {
  static struct transport_calls of_ranks;
  of_ranks = *calls();
  of_ranks.barrier = barrier_of_ranks;
  of_ranks.broadcast = no_broadcast;
  *chosen() = &of_ranks;
}

unsigned transport_self(void) { return (unsigned)hal_rank(); }

unsigned transport_count(void) { return (unsigned)hal_ranks(); }

/* ---- tagged messages ---- */
struct transport_request* transport_send(unsigned to, uint64_t tag, const void* buffer, size_t bytes, int flags) {
  return calls()->send(to, tag, buffer, bytes, flags);
}

struct transport_request* transport_receive(unsigned from, uint64_t tag, uint64_t mask, void* buffer, size_t bytes) {
  return calls()->receive(from, tag, mask, buffer, bytes);
}

int transport_test(struct transport_request* request, struct transport_status* status) {
  return calls()->test(request, status);
}

void transport_wait(struct transport_request* request, struct transport_status* status) {
  calls()->wait(request, status);
}

void transport_wait_any(struct transport_request* const* requests, size_t count) { calls()->wait_any(requests, count); }

int transport_probe(unsigned from, uint64_t tag, uint64_t mask, int wait, struct transport_status* status) {
  return calls()->probe(from, tag, mask, wait, status);
}

struct transport_request* transport_take(const struct transport_status* message, void* buffer) {
  if (calls()->take) return calls()->take(message, buffer);
  /* No earlier message has this sender and this tag. */
  return calls()->receive(message->from, message->tag, UINT64_MAX, buffer, message->bytes);
}

int transport_cancel(struct transport_request* request) { return calls()->cancel(request); }

void transport_on_deaths(int (*hopeless)(unsigned peer)) {
  if (!calls()->on_deaths) return;
  hal_ends_waits_for_the_dead();
  calls()->on_deaths(hopeless);
}

void transport_background(size_t (*make)(struct transport_request** pending, size_t room)) {
  calls()->background(make);
}

/* ---- remote memory ---- */
void* transport_symmetric(size_t bytes) { return calls()->symmetric(bytes); }

transport_address transport_address_of(const volatile void* pointer, size_t bytes) {
  return calls()->address_of(pointer, bytes);
}

transport_batch transport_batch_open(void) { return calls()->batch_open(); }

void transport_batch_close(transport_batch batch) { calls()->batch_close(batch); }

void transport_put(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes) {
  calls()->put(batch, to, remote, local, bytes);
}

void transport_get(transport_batch batch, unsigned from, transport_address remote, void* local, size_t bytes) {
  calls()->get(batch, from, remote, local, bytes);
}

void transport_put_copied(transport_batch batch, unsigned to, transport_address remote, const void* local,
                          size_t bytes) {
  calls()->put_copied(batch, to, remote, local, bytes);
}

void transport_get_now(unsigned from, transport_address remote, void* local, size_t bytes) {
  calls()->get_now(from, remote, local, bytes);
}

void transport_quiet(transport_batch batch) { calls()->quiet(batch); }

void transport_start_atomics(void) { calls()->start_atomics(); }

uint64_t transport_atomic_now(unsigned to, transport_address remote, const struct transport_update* update) {
  return calls()->atomic_now(to, remote, update);
}

void transport_atomic(transport_batch batch, unsigned to, transport_address remote,
                      const struct transport_update* update, void* before) {
  calls()->atomic(batch, to, remote, update, before);
}

void transport_put_signal(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes,
                          int copied, const struct transport_signal* signal) {
  calls()->put_signal(batch, to, remote, local, bytes, copied, signal);
}

/* ---- memory of any process ---- */
unsigned transport_reach(unsigned process) { return calls()->reach ? calls()->reach->reach(process) : 0; }

uint64_t transport_expose(const volatile void* pointer, size_t bytes) {
  return calls()->reach && bytes > 0 ? calls()->reach->expose(pointer, bytes) : 0;
}

void transport_unexpose(const volatile void* pointer, size_t bytes) {
  if (calls()->reach->unexpose) calls()->reach->unexpose(pointer, bytes);
}

uint64_t transport_atomics_at(void) { return calls()->reach ? calls()->reach->atomics_at() : 0; }

struct transport_request* transport_put_at(unsigned to, uint64_t remote, const void* local, size_t bytes) {
  return calls()->reach->put(to, remote, local, bytes);
}

struct transport_request* transport_get_at(unsigned from, uint64_t remote, void* local, size_t bytes) {
  return calls()->reach->get(from, remote, local, bytes);
}

struct transport_request* transport_atomic_at(unsigned to, uint64_t atomics, uint64_t remote,
                                              enum word_operation operation, unsigned width, uint64_t operand,
                                              uint64_t comparand) {
  return calls()->reach->atomic(to, atomics, remote, operation, width, operand, comparand);
}

int transport_fetched(struct transport_request* request, uint64_t* before, struct transport_status* status) {
  return calls()->reach->fetched(request, before, status);
}

void transport_look(void) { calls()->look(); }

void transport_wait_words(const volatile uint32_t* const* words, const uint32_t* seen, unsigned count) {
  calls()->wait_words(words, seen, count);
}

void transport_pause(const volatile uint32_t* word, uint32_t seen, uint64_t until_ps) {
  calls()->pause(word, seen, until_ps);
}

/* ---- all processes ---- */
void transport_barrier(void) { calls()->barrier(); }

int transport_broadcast(void* buffer, size_t bytes, unsigned root) { return calls()->broadcast(buffer, bytes, root); }

/* ---- some of them ---- */
struct transport_group* transport_group(const unsigned* members, unsigned count) {
  return calls()->group ? calls()->group(members, count) : NULL;
}

void transport_group_free(struct transport_group* group) {
  if (group) calls()->group_free(group);
}

void transport_group_barrier(struct transport_group* group) { calls()->group_barrier(group); }

int transport_group_broadcast(struct transport_group* group, void* buffer, size_t bytes, unsigned root) {
  return calls()->group_broadcast(group, buffer, bytes, root);
}
