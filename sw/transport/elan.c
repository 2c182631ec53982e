/* The transport interface on Elanlib: the card matches messages with receives. */
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/tport.h"
#include "sw/hal/hal.h"
#include "sw/transport/elan_memory/copies.h"
#include "sw/transport/elan_memory/elan_memory.h"
#include "sw/transport/implementation.h"
#include "sw/transport/tuned/elan3.h"
#include "sw/transport/tuned/many_elan3.h"

struct transport {
  ELAN_BASE* base;
  ELAN_TPORT* tport;
  int hardware_barrier, hardware_broadcast;
  size_t (*background)(struct transport_request** pending, size_t room);
  int waits;                      /* in a call that only waits: the background may make any call */
  int serves_threads;             /* several threads may be in calls */
  uint64_t requests;              /* number of the last one */
  const struct several* waited;   /* requests of which one is waited for; may be null */
  int (*hopeless)(unsigned peer); /* transport_on_deaths; null: not set */
  unsigned peer;                  /* the process whose message is waited for ... */
  int dead;                       /* ... 1 + its node, if that is dead; 0: the message has arrived */
};

/* This process's: each process has its copy of an image. */
static struct transport* state(void) {
  static struct transport transport;
  return &transport;
}

#define BARRIER_MEANING "barrier of MPI and shmem: hardware or software"
#define BROADCAST_MEANING "broadcast of MPI: hardware or software"
#define CHOICE_SOURCE "QsNET paper 3.2: Elanlib has both"

static int chosen(const char* key, const char* what) {
  const char* value = hal_setting(key, "hardware", what, CHOICE_SOURCE);
  if (strcmp(value, "hardware") != 0 && strcmp(value, "software") != 0)
    hal_abort("elan.barrier and elan.broadcast are 'hardware' or 'software'");
  return strcmp(value, "hardware") == 0;
}

static void on_elan_start(void) {
  { HAL_SETTING_TOLD("elan.barrier", "hardware", BARRIER_MEANING, CHOICE_SOURCE); }
  { HAL_SETTING_TOLD("elan.broadcast", "hardware", BROADCAST_MEANING, CHOICE_SOURCE); }
  struct transport* transport = state();
  transport->base = elan_baseInit();
  elan_memory_start(transport->base);
  transport->tport = elan_tportInit(transport->base);
  transport->hardware_barrier = chosen("elan.barrier", BARRIER_MEANING);
  transport->hardware_broadcast = chosen("elan.broadcast", BROADCAST_MEANING);
}

/* ---- tagged messages: a request is an event of a Tport ---- */
struct transport_request {
  ELAN_TPORT_EVENT* event;
  int receives;
  unsigned peer;
  uint64_t number; /* in the order of creation; UINT64_MAX: it is free */
  union {
    struct transport_request* next; /* the next free one */
    struct elan_copy* copy;         /* that replaces the buffer; usually null */
  };
};

struct several {
  struct transport_request* const* requests;
  size_t count;
  uint64_t
      until; /* the last number at the start of the wait: a higher number means that the storage is free or reused */
};

static struct transport_request** free_requests(void) {
  static struct transport_request* list;
  return &list;
}

static struct transport_request* request_of(ELAN_TPORT_EVENT* event, int receives, unsigned peer,
                                            struct elan_copy* copy) {
  struct transport_request** list = free_requests();
  struct transport_request* request = *list;
  if (request)
    *list = request->next;
  else
    request = malloc(sizeof *request);
  *request = (struct transport_request){
      .event = event, .receives = receives, .peer = peer, .number = ++state()->requests, .copy = copy};
  return request;
}

static void release(struct transport_request* request) {
  struct transport_request** list = free_requests();
  free(request->copy);
  request->number = UINT64_MAX;
  request->next = *list;
  *list = request;
}

/* ---- progress while a call waits ---- */
/* Whether the background has ended one of the awaited requests: their words are then meaningless. */
static int some_ended(const struct several* waited) {
  for (size_t i = 0; waited && i < waited->count; ++i)
    if (waited->requests[i] && waited->requests[i]->number > waited->until) return 1;
  return 0;
}

static unsigned make_background(const volatile uint32_t** words, unsigned room) {
  struct transport* transport = state();
  struct transport_request* pending[ELAN_BACKGROUND_MOST];
  if (!transport->waits) return 0;
  const struct several* waited = transport->waited;
  transport->waited = NULL; /* an error handler of the program may throw: then the wait is over */
  transport->waits = 0;
  const size_t count = transport->background(pending, room);
  transport->waits = 1;
  transport->waited = waited;
  if (some_ended(transport->waited)) {
    static const uint32_t not_as_seen = 1;
    words[0] = &not_as_seen; /* returns at once */
    return 1;
  }
  for (size_t i = 0; i < count; ++i) words[i] = elan_tportWord(pending[i]->event);
  return (unsigned)count;
}

static void on_elan_background(size_t (*make)(struct transport_request** pending, size_t room)) {
  state()->background = make;
  elan_background(state()->base, make_background);
}

/* Around waits that leave no state of this library half changed. */
static int begin_wait(void) {
  const int before = state()->waits;
  state()->waits = 1;
  return before;
}

static void end_wait(int before) { state()->waits = before; }

static void on_elan_serve_threads(void) {
  struct transport* transport = state();
  transport->serves_threads = 1;
  elan_tportServeThreads(transport->tport);
  hal_threads_alone_while(&transport->waits, 0);
  hal_threads_own(&transport->waits, sizeof transport->waits);
  hal_threads_own(&transport->waited, sizeof transport->waited);
  hal_threads_own(&transport->peer, sizeof transport->peer);
  hal_threads_own(&transport->dead, sizeof transport->dead);
}

static struct transport_request* on_elan_send(unsigned to, uint64_t tag, const void* buffer, size_t bytes, int flags) {
  const struct transport* transport = state();
  const int how = flags & TRANSPORT_SYNCHRONOUS ? ELAN_TPORT_TXSYNC : 0;
  struct elan_copy* copy = elan_copy_unless_reached(buffer, bytes);
  if (copy) buffer = copy->data;
  return request_of(elan_tportTxStart(transport->tport, how, to, transport_self(), tag, buffer, bytes), 0, to, copy);
}

static ELAN_TPORT_EVENT* start_receive(int flags, unsigned from, uint64_t tag, uint64_t mask, void* buffer,
                                       size_t bytes) {
  if (from == TRANSPORT_ANY)
    flags |= ELAN_TPORT_RXANY;
  else
    flags |= elan_sameNode(state()->base, from) ? ELAN_TPORT_RXNEAR : ELAN_TPORT_RXFAR;
  return elan_tportRxStart(state()->tport, flags, UINT32_MAX, from, mask, tag, buffer, bytes);
}

static struct transport_request* receive(int flags, unsigned from, uint64_t tag, uint64_t mask, void* buffer,
                                         size_t bytes) {
  struct elan_copy* copy = elan_copy_unless_reached(buffer, bytes);
  if (copy) buffer = copy->data;
  return request_of(start_receive(flags, from, tag, mask, buffer, bytes), 1, from, copy);
}

static struct transport_request* on_elan_receive(unsigned from, uint64_t tag, uint64_t mask, void* buffer,
                                                 size_t bytes) {
  return receive(0, from, tag, mask, buffer, bytes);
}

static void finish_receive(ELAN_TPORT_EVENT* event, struct transport_status* status) {
  struct transport_status got;
  const int before = begin_wait();
  got.dead = 0;
  elan_tportRxWait(event, &got.from, &got.tag, &got.bytes);
  end_wait(before);
  if (status) *status = got;
}

static void finish_send(ELAN_TPORT_EVENT* event) {
  const int before = begin_wait();
  elan_tportTxWait(event);
  end_wait(before);
}

static int wait_is_hopeless(void) {
  struct transport* transport = state();
  transport->dead = transport->hopeless(transport->peer);
  return transport->dead;
}

static void on_elan_on_deaths(int (*hopeless)(unsigned peer)) {
  state()->hopeless = hopeless;
  elan_hopeless(state()->base, wait_is_hopeless);
}

/* A receive that a death has ended. A living process may still send to it, when its buffer is something else. */
static void take_back(struct transport_request* request) {
  const int can_come = request->peer == TRANSPORT_ANY || !hal_is_dead(hal_rank_node((int)request->peer));
  if (request->receives && can_come && elan_tportRxCancel(request->event)) release(request);
}

/* The card may still use the memory of a request that cannot end since its partner died: it is never released. */
static void on_elan_wait(struct transport_request* request, struct transport_status* status) {
  struct transport* transport = state();
  const unsigned before = transport->peer;
  transport->peer = request->peer;
  if (request->receives)
    finish_receive(request->event, status);
  else
    finish_send(request->event);
  transport->peer = before;
  if (transport->dead) {
    if (status) status->dead = transport->dead;
    transport->dead = 0;
    take_back(request);
    return;
  }
  if (request->receives && request->copy) elan_copy_bring_back(request->copy);
  release(request);
}

static int is_hopeless(const struct transport_request* request) {
  const struct transport* transport = state();
  return transport->hopeless && *hal_deaths() != 0 && transport->hopeless(request->peer) != 0;
}

static int on_elan_test(struct transport_request* request, struct transport_status* status) {
  if (!(request->receives ? elan_tportRxDone(request->event) : elan_tportTxDone(request->event)) &&
      !is_hopeless(request))
    return 0;
  on_elan_wait(request, status);
  return 1;
}

static void on_elan_wait_any(struct transport_request* const* requests, size_t count) {
  ELAN_TPORT_EVENT* events[count + 1];
  size_t used = 0;
  for (size_t i = 0; i < count; ++i) {
    if (requests[i] && is_hopeless(requests[i])) return;
    if (requests[i]) events[used++] = requests[i]->event;
  }
  const struct several waited = {requests, count, state()->requests};
  const int before = begin_wait();
  state()->waited = &waited;
  if (used > 0) elan_tportWaitAny(state()->tport, events, used);
  state()->waited = NULL;
  end_wait(before);
}

static int on_elan_probe(unsigned from, uint64_t tag, uint64_t mask, int wait, struct transport_status* status) {
  const int flags = ELAN_TPORT_RXPROBE | (wait ? 0 : ELAN_TPORT_RXNOWAIT);
  struct transport_status got;
  state()->peer = from;
  finish_receive(start_receive(flags, from, tag, mask, NULL, 0), &got);
  if (state()->dead) {
    if (status) status->dead = state()->dead;
    state()->dead = 0;
    return 0;
  }
  if (got.bytes == ELAN_TPORT_NONE) return 0;
  if (status) *status = got;
  return 1;
}

/* The card tells all threads that probe of the same message, and the next receive takes it. */
static struct transport_request* on_elan_take(const struct transport_status* message, void* buffer) {
  const int flags = state()->serves_threads ? ELAN_TPORT_RXNOWAIT : 0;
  struct transport_request* request = receive(flags, message->from, message->tag, UINT64_MAX, buffer, message->bytes);
  if (!flags) return request;
  while (!elan_tportRxDone(request->event) && !is_hopeless(request)) on_elan_wait_any(&request, 1);
  if (!elan_tportRxDone(request->event) || !elan_tportRxNone(request->event)) return request;
  on_elan_wait(request, NULL);
  return NULL;
}

static int on_elan_cancel(struct transport_request* request) {
  const int before = begin_wait();
  const int taken_back = request->receives ? elan_tportRxCancel(request->event) : elan_tportTxCancel(request->event);
  end_wait(before);
  if (!taken_back) return 0;
  release(request);
  return 1;
}

/* ---- memory of any process: events of the Tport, which are requests as messages are ---- */
static unsigned on_elan_reach(unsigned process) {
  return process == transport_self() ? TRANSPORT_ATOMICS : TRANSPORT_PUTS | TRANSPORT_GETS | TRANSPORT_ATOMICS;
}

static uint64_t on_elan_expose(const volatile void* pointer, size_t bytes) { /* it stays mapped */
  return hal_is_own(pointer, bytes) ? elan_address(state()->base, pointer, bytes) : 0;
}

static uint64_t on_elan_atomics_at(void) { return elan_atomicQueue(state()->base); }

static struct transport_request* on_elan_put_at(unsigned to, uint64_t remote, const void* local, size_t bytes) {
  if (bytes > ELAN_SMALL_BYTES && !hal_is_own(local, bytes)) return NULL;
  return request_of(elan_tportPut(state()->tport, local, (E3_Addr)remote, bytes, to), 0, to, NULL);
}

static struct transport_request* on_elan_get_at(unsigned from, uint64_t remote, void* local, size_t bytes) {
  if (!hal_is_own(local, bytes)) return NULL;
  return request_of(elan_tportGet(state()->tport, (E3_Addr)remote, local, bytes, from), 0, from, NULL);
}

static struct transport_request* on_elan_atomic_at(unsigned to, uint64_t atomics, uint64_t remote,
                                                   enum word_operation operation, unsigned width, uint64_t operand,
                                                   uint64_t comparand) {
  return request_of(
      elan_tportAtomic(state()->tport, (E3_Addr)atomics, operation, width, (E3_Addr)remote, operand, comparand, to), 1,
      to, NULL);
}

static int on_elan_fetched(struct transport_request* request, uint64_t* before, struct transport_status* status) {
  if (!elan_tportRxDone(request->event) && !is_hopeless(request)) return 0;
  *before = elan_tportBefore(request->event);
  on_elan_wait(request, status);
  return 1;
}

static const struct transport_reach_calls reach_calls = {.reach = on_elan_reach,
                                                         .expose = on_elan_expose,
                                                         .atomics_at = on_elan_atomics_at,
                                                         .put = on_elan_put_at,
                                                         .get = on_elan_get_at,
                                                         .atomic = on_elan_atomic_at,
                                                         .fetched = on_elan_fetched};

static void on_elan_look(void) {} /* the card writes by itself */

static void on_elan_wait_words(const volatile uint32_t* const* words, const uint32_t* seen, unsigned count) {
  const int before = begin_wait();
  elan_sleep(state()->base, words, seen, count);
  end_wait(before);
}

static void on_elan_pause(const volatile uint32_t* word, uint32_t seen, uint64_t until_ps) {
  const int before = begin_wait();
  hal_wait_word(word, seen, until_ps);
  end_wait(before);
}

static void on_elan_quiet(transport_batch batch) {
  const int before = begin_wait();
  elan_memory_quiet(batch);
  end_wait(before);
}

/* ---- all processes, some: a group is Elanlib's ---- */
/* A wait for several processes: it cannot end once one of them has died (transport_on_deaths). */
struct meeting {
  int waits;
  unsigned peer;
};

static struct meeting begin_meeting(void) {
  struct transport* transport = state();
  const struct meeting before = {begin_wait(), transport->peer};
  transport->peer = TRANSPORT_ANY;
  return before;
}

static void end_meeting(struct meeting before) {
  struct transport* transport = state();
  transport->peer = before.peer;
  transport->dead = 0; /* the caller knows of the death, too */
  end_wait(before.waits);
}

static void barrier(ELAN_GROUP* group) {
  const struct meeting before = begin_meeting();
  if (state()->hardware_barrier)
    elan_hgsync(group);
  else
    elan_gsync(group);
  end_meeting(before);
}

static int broadcast(ELAN_GROUP* group, void* buffer, size_t bytes, unsigned root) {
  if (!state()->hardware_broadcast || !elan_hardware(group)) return 0;
  const struct meeting before = begin_meeting();
  elan_hbcast(group, buffer, bytes, root, 0);
  end_meeting(before);
  return 1;
}

static void on_elan_barrier(void) { barrier(elan_allGroup(state()->base)); }

static int on_elan_broadcast(void* buffer, size_t bytes, unsigned root) {
  return broadcast(elan_allGroup(state()->base), buffer, bytes, root);
}

static struct transport_group* on_elan_group(const unsigned* members, unsigned count) {
  const struct meeting before = begin_meeting();
  ELAN_GROUP* group = elan_groupCreate(state()->tport, members, count);
  end_meeting(before);
  return (struct transport_group*)group;
}

static void on_elan_group_free(struct transport_group* group) { elan_groupFree((ELAN_GROUP*)group); }

static void on_elan_group_barrier(struct transport_group* group) { barrier((ELAN_GROUP*)group); }

static int on_elan_group_broadcast(struct transport_group* group, void* buffer, size_t bytes, unsigned root) {
  return broadcast((ELAN_GROUP*)group, buffer, bytes, root);
}

static const struct transport_calls calls = {
    .start = on_elan_start,
    .send = on_elan_send,
    .receive = on_elan_receive,
    .test = on_elan_test,
    .wait = on_elan_wait,
    .wait_any = on_elan_wait_any,
    .probe = on_elan_probe,
    .take = on_elan_take,
    .cancel = on_elan_cancel,
    .on_deaths = on_elan_on_deaths,
    .background = on_elan_background,
    .serve_threads = on_elan_serve_threads,
    .symmetric = elan_memory_symmetric,
    .address_of = elan_memory_address_of,
    .batch_open = elan_memory_batch_open,
    .batch_close = elan_memory_batch_close,
    .put = elan_memory_put,
    .get = elan_memory_get,
    .put_copied = elan_memory_put_copied,
    .get_now = elan_memory_get_now,
    .quiet = on_elan_quiet,
    .start_atomics = elan_memory_start_atomics,
    .atomic_now = elan_memory_atomic_now,
    .atomic = elan_memory_atomic,
    .put_signal = elan_memory_put_signal,
    .look = on_elan_look,
    .wait_words = on_elan_wait_words,
    .pause = on_elan_pause,
    .barrier = on_elan_barrier,
    .broadcast = on_elan_broadcast,
    .group = on_elan_group,
    .group_free = on_elan_group_free,
    .group_barrier = on_elan_group_barrier,
    .group_broadcast = on_elan_group_broadcast,
    .reach = &reach_calls,
};

const struct transport_implementation transport_elan = {
    .card = "elan3", .matching = "card", .calls = &calls, .advice = tuned_elan3, .advice_for_many = many_elan3};
