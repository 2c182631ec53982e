/* Requests of other ranks that this rank's CPU serves: whenever it is in the library, waits in it, or gives way while
 * it computes. They come in order into a ring of receives, of which a schedule that never ends watches the oldest. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/deaths.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/datatypes/op.h"
#include "sw/mpi/windows/windows.h"

#define RING 4u                         /* receives that are posted (A) */
#define SERVED_AT_ONCE RING             /* requests before a call continues its own work (A) */
#define ALIGN 64u                       /* data in a message are aligned for any type */
#define SENDS_MOST 64u                  /* requests that are on their way before the oldest is waited for (A) */
#define SERVICE_TAG (UINT64_C(1) << 63) /* no communicator's: contexts are below that, groups' of Elanlib above */

_Static_assert(sizeof(struct window_head) % 16 == 0 && sizeof(struct window_run) == 16, "data are aligned");

/* ---- what this process sends ---- */
struct window_sent {
  struct window_sent* next;
  struct transport_request* request;
  void* data; /* freed at the end; may be null */
};

struct sends {
  struct window_sent *first, **end;
  unsigned count;
};

static struct sends* sends(void) {
  static struct sends list;
  if (!list.end) list.end = &list.first;
  return &list;
}

/* After a death the data may still be read, by the card or a rank that lives. */
static int has_ended(struct window_sent* sent) {
  struct transport_status got = {0};
  if (!transport_test(sent->request, &got)) return 0;
  if (got.dead) sent->data = NULL;
  return 1;
}

/* It is in no list from now on: requests that are served while one waits for it look at the others. */
static struct window_sent* take_first(void) {
  struct sends* list = sends();
  struct window_sent* sent = list->first;
  list->first = sent->next;
  if (!list->first) list->end = &list->first;
  --list->count;
  return sent;
}

static void forget(struct window_sent* sent) {
  free(sent->data);
  free(sent);
}

static void forget_ended(void) {
  while (sends()->first && has_ended(sends()->first)) forget(take_first());
}

static void wait_for_first(void) {
  struct transport_status got = {0};
  struct window_sent* sent = take_first();
  const int before = window_keep_out(1);
  transport_wait(sent->request, &got);
  window_keep_out(before);
  if (got.dead) sent->data = NULL;
  forget(sent);
}

static void remember(struct transport_request* request, void* data) {
  struct sends* list = sends();
  struct window_sent* sent = mpi_memory(sizeof *sent);
  *sent = (struct window_sent){.request = request, .data = data};
  *list->end = sent;
  list->end = &sent->next;
  ++list->count;
}

void window_sends_finish(void) {
  while (sends()->first) wait_for_first();
}

struct window_head* window_message(size_t runs, size_t bytes) {
  const size_t all = sizeof(struct window_head) + runs * sizeof(struct window_run) + bytes;
  struct window_head* head = mpi_memory(all);
  *head = (struct window_head){.runs = (uint32_t)runs, .bytes = bytes};
  return head;
}

static void transmit(MPI_Win window, int target, struct window_head* head) {
  head->window = window->comm->context;
  head->rank = window->comm->rank;
  const size_t bytes = sizeof *head + head->runs * sizeof(struct window_run) + head->bytes;
  remember(transport_send(mpi_process(window->comm, target), SERVICE_TAG, head, bytes, 0), head);
  forget_ended();
  while (sends()->count > SENDS_MOST) wait_for_first();
}

/* ---- the one request that has not been sent yet ---- */
struct last {
  MPI_Win window;
  int target;
  struct window_head* head; /* null: no message */
};

static struct last* last(void) {
  static struct last request;
  return &request;
}

static void transmit_last(void) {
  const struct last request = *last();
  last()->head = NULL;
  if (request.head) transmit(request.window, request.target, request.head);
}

void window_send(MPI_Win window, int target, struct window_head* head) {
  const int stays = (head->kind == REQUEST_PUT || head->kind == REQUEST_ACCUMULATE) && head->answer == 0;
  transmit_last();
  if (stays) {
    ++window_target(window, target)->messages;
    *last() = (struct last){window, target, head};
  } else {
    transmit(window, target, head);
  }
}

void window_send_last(MPI_Win window, int target, uint32_t confirm, int unlocks) {
  if (!last()->head || last()->window != window || last()->target != target) {
    transmit_last();
    *last() = (struct last){window, target, window_message(0, 0)};
    last()->head->kind = REQUEST_NOTHING;
  }
  last()->head->confirm = confirm;
  last()->head->unlocks = (uint8_t)unlocks;
  transmit_last();
}

void window_send_tagged(MPI_Win window, int target, uint64_t tag, void* data, size_t bytes, int owned) {
  remember(transport_send(mpi_process(window->comm, target), tag, data, bytes, 0), owned ? data : NULL);
}

uint64_t window_answer_tag(MPI_Win window, uint32_t number) {
  return mpi_tag(window->comm, (int)(WINDOW_TAG_ANSWERS + number % (uint32_t)(MPI_TAG_UB_VALUE - WINDOW_TAG_ANSWERS)));
}

struct transport_request* window_answer(MPI_Win window, int target, void* buffer, size_t bytes, uint32_t* number) {
  if (++window->answers == 0) ++window->answers; /* 0: none is wanted */
  *number = window->answers;
  return transport_receive(mpi_process(window->comm, target), window_answer_tag(window, *number), UINT64_MAX, buffer,
                           bytes);
}

/* ---- the memory that a request means ---- */
/* The attached memory from an address on, in bytes. */
static size_t attached_at(const struct MPI_window_* window, const char* at) {
  for (const struct window_region* region = window->regions; region; region = region->next)
    if (at >= region->base && at < region->base + region->bytes) return (size_t)(region->base + region->bytes - at);
  return 0;
}

int window_is_attached(const struct MPI_window_* window, const char* at, size_t bytes) {
  for (size_t here = 0; bytes > 0; at += here, bytes -= here) { /* regions may adjoin */
    here = attached_at(window, at);
    if (here == 0) return 0;
    if (here >= bytes) return 1;
  }
  return 1;
}

/* The requester knows the sizes of windows, but not what another rank attached to a dynamic one. */
static int is_there(const struct MPI_window_* window, const struct window_head* head) {
  if (window->members) return 1;
  const struct window_run* runs = window_runs(head);
  for (uint32_t i = 0; i < head->runs; ++i) {
    const size_t bytes = head->extent > 0 ? (runs[i].count - 1) * head->extent + head->size : runs[i].count;
    if (!window_is_attached(window, window_at(window, runs[i].offset), bytes)) return 0;
  }
  return 1;
}

/* ---- requests ---- */
static void answer(MPI_Win window, const struct window_head* head, void* data, size_t bytes, int owned) {
  window_send_tagged(window, head->rank, window_answer_tag(window, head->answer), data, bytes, owned);
}

static void put(MPI_Win window, const struct window_head* head) {
  const struct window_run* runs = window_runs(head);
  const char* from = window_data(head);
  for (uint32_t i = 0; i < head->runs; from += runs[i++].count)
    memcpy(window_at(window, runs[i].offset), from, runs[i].count);
}

static void get(MPI_Win window, const struct window_head* head) {
  const struct window_run* runs = window_runs(head);
  if (head->runs == 1) {
    answer(window, head, window_at(window, runs[0].offset), runs[0].count, 0);
    return;
  }
  size_t bytes = 0;
  for (uint32_t i = 0; i < head->runs; ++i) bytes += runs[i].count;
  char* packed = mpi_memory(bytes);
  char* to = packed;
  for (uint32_t i = 0; i < head->runs; to += runs[i++].count)
    memcpy(to, window_at(window, runs[i].offset), runs[i].count);
  answer(window, head, packed, bytes, 1);
}

static void accumulate(MPI_Win window, const struct window_head* head) {
  const struct window_run* runs = window_runs(head);
  const char* from = window_data(head);
  size_t bytes = 0;
  for (uint32_t i = 0; i < head->runs; ++i) bytes += runs[i].count * head->extent;
  char* before = head->answer != 0 ? mpi_zeroed_memory(bytes) : NULL;
  for (uint32_t i = 0, at = 0; i < head->runs; ++i) {
    char* memory = window_at(window, runs[i].offset);
    if (before) memcpy(before + at, memory, (runs[i].count - 1) * head->extent + head->size);
    const struct window_elements elements = {runs[i].count, head->basic, head->extent, head->size, head->align};
    window_apply(head->op, from + at, memory, &elements);
    at += (uint32_t)(runs[i].count * head->extent);
  }
  if (before) answer(window, head, before, bytes, 1);
}

/* The data: the comparand, then the new value. */
static void swap(MPI_Win window, const struct window_head* head) {
  char* memory = window_at(window, window_runs(head)[0].offset);
  const char* data = window_data(head);
  char* before = mpi_memory(head->size);
  memcpy(before, memory, head->size);
  if (memcmp(memory, data, head->size) == 0) memcpy(memory, data + head->size, head->size);
  answer(window, head, before, head->size, 1);
}

static void confirm(MPI_Win window, const struct window_head* head) {
  int32_t* fault = mpi_memory(sizeof *fault);
  *fault = window->faults;
  window->faults = MPI_SUCCESS;
  window_send_tagged(window, head->rank, window_answer_tag(window, head->confirm), fault, sizeof *fault, 1);
}

static MPI_Win window_of(uint32_t number) {
  MPI_Win window = *window_all();
  while (window && window->comm->context != number) window = window->next;
  return window;
}

static void make(MPI_Win window, const struct window_head* head) {
  switch ((enum window_request_kind)head->kind) {
    case REQUEST_PUT:
      put(window, head);
      break;
    case REQUEST_GET:
      get(window, head);
      break;
    case REQUEST_ACCUMULATE:
      accumulate(window, head);
      break;
    case REQUEST_SWAP:
      swap(window, head);
      break;
    case REQUEST_LOCK:
      window_lock_wanted(window, head->rank, (int)head->lock, head->answer);
      break;
    case REQUEST_NOTHING:
      break;
  }
}

static void serve(const struct window_head* head) {
  const MPI_Win window = window_of(head->window);
  if (!window) return; /* of a rank that has missed its end, since another rank has died */
  if (is_there(window, head)) {
    make(window, head);
  } else {
    window->faults = MPI_ERR_RMA_RANGE;
    if (head->answer != 0) answer(window, head, NULL, 0, 0);
  }
  if (head->unlocks) window_lock_released(window, head->rank);
  if (head->confirm != 0) confirm(window, head);
}

/* ---- the ring ---- */
struct ring {
  struct mpi_schedule* schedule;
  char* memory;
  struct transport_request* requests[RING];
  unsigned next;
  uint32_t deaths;
};

static struct ring* ring(void) {
  static struct ring ring;
  return &ring;
}

static char* place(unsigned i) { return ring()->memory + (size_t)i * WINDOW_MESSAGE_BYTES; }

static void post(unsigned i) {
  ring()->requests[i] = transport_receive(TRANSPORT_ANY, SERVICE_TAG, UINT64_MAX, place(i), WINDOW_MESSAGE_BYTES);
}

static void serve_next(void) {
  struct ring* r = ring();
  const unsigned i = r->next;
  r->next = (i + 1) % RING;
  serve((const struct window_head*)place(i));
  post(i);
}

static void look_for_deaths(void) {
  struct ring* r = ring();
  if (*hal_deaths() == r->deaths) return;
  r->deaths = *hal_deaths();
  for (MPI_Win window = *window_all(); window; window = window->next) window_locks_of_the_dead(window);
}

/* No death ends the wait for requests: any rank may send the next. */
static int another_has_come(void) {
  const struct ring* r = ring();
  struct transport_status got = {0};
  const MPI_Comm before = mpi_waits_among(MPI_COMM_SELF);
  const int has_come = transport_test(r->requests[r->next], &got);
  mpi_waits_among(before);
  return has_come;
}

/* One request has come; others may have. Ranks that poll a window send the next ones as fast as this CPU serves them,
 * so after some of them the call that serves them continues its own work. */
static void served(void* in, void* data, int* length, MPI_Datatype* type) {
  struct ring* r = data;
  (void)in, (void)length, (void)type;
  look_for_deaths();
  unsigned count = 0;
  do serve_next();
  while (++count < SERVED_AT_ONCE && another_has_come());
  forget_ended();
  mpi_schedule_again(r->schedule, r->requests[r->next]);
}

void window_service(void) {
  transmit_last();
  look_for_deaths();
  mpi_progress();
}

/* While the program computes: this replaces what shmem may have asked for. */
static void look(void) {
  if (MPI_comm_world_.size > 0)
    window_service();
  else
    transport_look();
}

void window_service_start(void) {
  static struct MPI_op_ serves = {.references = 1, .name = "the service of windows", .user = served, .commutes = 1};
  struct ring* r = ring();
  if (r->memory) return;
  r->memory = aligned_alloc(ALIGN, (size_t)RING * WINDOW_MESSAGE_BYTES);
  if (!r->memory) hal_abort("MPI: no memory for requests to windows; set host.memory");
  for (unsigned i = 0; i < RING; ++i) post(i);
  r->schedule = mpi_schedule_around("MPI_Win_create", MPI_COMM_SELF, MPI_COMM_SELF, &r->requests[0], 1);
  mpi_schedule_then(r->schedule, &serves, r);
  mpi_schedule_follow(r->schedule, NULL);
  hal_while_computing(look);
}
