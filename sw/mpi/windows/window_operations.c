/* Operations under way: begun by the card or asked for by messages; their ends. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/deaths.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/datatypes/datatype.h"
#include "sw/mpi/datatypes/op.h"
#include "sw/mpi/requests/request.h"
#include "sw/mpi/windows/windows.h"

static struct window_operation** free_operations(void) {
  static struct window_operation* list;
  return &list;
}

static struct window_operation* operation_of(struct link* link) {
  return LIST_OWNER(link, struct window_operation, link);
}

/* ---- threads: while one waits for an operation, others come in, but leave its end to that one ---- */
static uint32_t this_thread(void) {
  static uint32_t numbers;
  static _Thread_local uint32_t number;
  if (number == 0) number = ++numbers;
  return number;
}

struct threads {
  int are_served;
  volatile uint32_t ends; /* of operations and turns */
  int alone;              /* none comes in */
};

static struct threads* threads(void) {
  static struct threads threads;
  return &threads;
}

void window_serve_threads(void) {
  threads()->are_served = 1;
  hal_threads_alone_while(&threads()->alone, 1);
}

int window_set_alone(int others) {
  const int before = threads()->alone;
  threads()->alone = others;
  return before;
}

static void tell_of_an_end(void) {
  if (!threads()->are_served) return;
  ++threads()->ends;
  hal_stored(&threads()->ends, sizeof threads()->ends);
}

/* Or until a node has died, as what waits for it is then forgotten. */
static void await_an_end(void) {
  const volatile uint32_t* words[] = {&threads()->ends, hal_deaths()};
  const uint32_t seen[] = {*words[0], *words[1]};
  transport_wait_words(words, seen, sizeof words / sizeof *words);
}

static int is_for_another(const struct window_operation* operation) {
  return threads()->are_served && (operation->awaited || operation->schedule);
}

void window_get_turn(struct window_target* target) {
  while (target->has_turn) await_an_end();
  target->has_turn = (int16_t)threads()->are_served;
}

void window_give_turn(struct window_target* target) {
  if (!target->has_turn) return;
  target->has_turn = 0;
  tell_of_an_end();
}

/* ---- their begin ---- */
struct window_operation* window_begin(const char* call, MPI_Win window, int target, struct transport_request* request) {
  struct window_operation** list = free_operations();
  struct window_operation* operation = *list;
  if (operation)
    *list = (struct window_operation*)operation->buffer;
  else
    operation = mpi_memory(sizeof *operation);
  *operation = (struct window_operation){.window = window,
                                         .target = target,
                                         .request = request,
                                         .call = call,
                                         .serial = ++window->begun,
                                         .fault = MPI_SUCCESS};
  if (HAL_HAS_THREADS) operation->thread = this_thread();
  list_append(&window->operations, &operation->link);
  return operation;
}

/* ---- ends ---- */
static void deliver(struct window_operation* operation) {
  if (operation->staging && operation->basic)
    window_scatter_elements(&operation->place, operation->basic, operation->buffer, operation->staging,
                            operation->bytes / (size_t)operation->basic->extent);
  else if (operation->staging)
    window_scatter(&operation->place, operation->buffer, operation->staging, operation->bytes);
}

static void end(struct window_operation* operation) {
  list_remove(&operation->link);
  operation->window->by_card -= (unsigned)operation->by_card;
  free(operation->staging);
  if (operation->place.type) mpi_type_release(operation->place.type);
  struct window_operation** list = free_operations();
  operation->buffer = (char*)*list;
  *list = operation;
  if (HAL_HAS_THREADS) tell_of_an_end();
}

static int wait_for(struct window_operation* operation, struct transport_status* got) {
  if (!operation->is_atomic) {
    transport_wait(operation->request, got);
    return got->dead;
  }
  uint64_t before = 0;
  while (!transport_fetched(operation->request, &before, got)) transport_wait_any(&operation->request, 1);
  if (!got->dead && operation->before) memcpy(operation->before, &before, operation->width);
  return got->dead;
}

static int fault_of(const struct window_operation* operation, const struct transport_status* got) {
  const MPI_Win window = operation->window;
  const int lost = operation->bytes > 0 && !operation->by_card && got->bytes != operation->bytes;
  if (operation->fault == MPI_SUCCESS && !lost) return MPI_SUCCESS;
  return mpi_fail_on(window->comm, operation->call, MPI_ERR_RMA_RANGE,
                     "an operation on rank %d went to memory that is not attached there; call MPI_Win_attach first",
                     operation->target);
}

int window_await(struct window_operation* operation) {
  const MPI_Win window = operation->window;
  struct transport_status got = {0};
  hal_call_waits_for(operation->call, (int)mpi_process(window->comm, operation->target), HAL_NO_TAG);
  if (HAL_HAS_THREADS && is_for_another(operation)) {
    await_an_end();
    return MPI_SUCCESS;
  }
  if (operation->schedule) {
    mpi_schedule_wait(operation->schedule); /* it ends all operations of the request */
    return MPI_SUCCESS;
  }
  const char* call = operation->call;
  if (HAL_HAS_THREADS) operation->awaited = 1;
  const int dead = wait_for(operation, &got);
  const int error = dead ? MPI_SUCCESS : fault_of(operation, &got);
  if (!dead && error == MPI_SUCCESS) deliver(operation);
  if (dead) operation->staging = NULL; /* something may still arrive there */
  end(operation);
  return dead ? mpi_fail_dead(window->comm, call, dead) : error;
}

#define BY_CARD_MOST 64u /* of a window at once, as in shmem (sw/transport/elan.c) */

int window_room(MPI_Win window) {
  while (window->by_card >= BY_CARD_MOST) {
    struct link* at = window->operations.next;
    while (!operation_of(at)->by_card) at = at->next;
    MPI_TRY(window_await(operation_of(at)));
  }
  return MPI_SUCCESS;
}

/* ---- completion at the targets ---- */
struct window_operation* window_confirmation(const char* call, MPI_Win window, int rank, int unlocks) {
  struct window_target* target = window_target(window, rank);
  struct window_operation* operation = window_begin(call, window, rank, NULL);
  uint32_t number = 0;
  operation->request = window_answer(window, rank, &operation->fault, sizeof operation->fault, &number);
  window_send_last(window, rank, number, unlocks);
  target->messages = target->accumulates = 0;
  return operation;
}

static void ask_to_confirm(const char* call, MPI_Win window, struct window_target* target) {
  if (target && target->messages > 0) window_confirmation(call, window, target->rank, 0);
}

/* Nothing of a dead rank is waited for, and its operations are forgotten: a request of the program may still name
 * them, so their memory stays. */
static int forget(const char* call, MPI_Win window, int rank, int dead) {
  for (struct link *at = window->operations.next, *next = NULL; at != &window->operations; at = next) {
    next = at->next;
    if (operation_of(at)->target != rank || (HAL_HAS_THREADS && operation_of(at)->awaited)) continue;
    window->by_card -= (unsigned)operation_of(at)->by_card;
    list_remove(at);
  }
  if (window->targets[rank]) window->targets[rank]->messages = window->targets[rank]->accumulates = 0;
  return mpi_fail_dead(window->comm, call, dead);
}

/* The oldest of the first `until`: what other threads begin from now on need not be complete. */
static struct window_operation* oldest(MPI_Win window, int rank, uint64_t until) {
  for (struct link* at = window->operations.next; at != &window->operations; at = at->next) {
    struct window_operation* operation = operation_of(at);
    if (HAL_HAS_THREADS && operation->serial > until) break;
    if (HAL_HAS_THREADS && operation->is_lock) continue;
    if (rank == MPI_PROC_NULL || operation->target == rank) return operation;
  }
  return NULL;
}

int window_complete(const char* call, MPI_Win window, int rank) {
  if (rank != MPI_PROC_NULL) ask_to_confirm(call, window, window->targets[rank]);
  for (struct window_target* at = window->accessed; at && rank == MPI_PROC_NULL; at = at->next)
    ask_to_confirm(call, window, at);
  return window_drain(call, window, rank);
}

int window_drain(const char* call, MPI_Win window, int rank) {
  int error = MPI_SUCCESS;
  const uint64_t until = window->begun;
  for (struct window_operation* operation; (operation = oldest(window, rank, until));) {
    const int target = operation->target, dead = mpi_death_of(mpi_process(window->comm, target));
    const int is_forgotten = dead && !(HAL_HAS_THREADS && operation->awaited);
    const int result = is_forgotten ? forget(call, window, target, dead) : window_await(operation);
    if (error == MPI_SUCCESS) error = result;
  }
  return error;
}

/* ---- requests of the program ---- */
struct request_group {
  int count;
  struct window_operation* operations[];
};

static void end_group(void* in, void* data, int* length, MPI_Datatype* type) {
  struct request_group* group = data;
  (void)in;
  (void)length;
  (void)type;
  for (int i = 0; i < group->count; ++i) {
    deliver(group->operations[i]);
    end(group->operations[i]);
  }
  free(group);
}

static int is_of_this_thread(const struct window_operation* operation) {
  return !HAL_HAS_THREADS || operation->thread == this_thread();
}

/* Old values of the card's atomic operations are not in what a schedule waits for; nor is what another thread ends. */
static int end_single_ones(MPI_Win window, uint64_t before) {
  for (struct link *at = window->operations.next, *next = NULL; at != &window->operations; at = next) {
    struct window_operation* operation = operation_of(at);
    next = at->next;
    if (operation->serial <= before || !is_of_this_thread(operation)) continue;
    if (!operation->is_atomic && !(HAL_HAS_THREADS && operation->awaited)) continue;
    MPI_TRY(window_await(operation));
    if (HAL_HAS_THREADS) next = window->operations.next; /* the list may have changed meanwhile */
  }
  return MPI_SUCCESS;
}

/* The first of them: they are the last ones, but for other threads'. */
static struct link* first_after(MPI_Win window, uint64_t before, int* count) {
  struct link* first = &window->operations;
  for (*count = 0; first->previous != &window->operations && operation_of(first->previous)->serial > before;
       first = first->previous)
    *count += is_of_this_thread(operation_of(first->previous));
  return first;
}

int window_request(const char* call, MPI_Win window, uint64_t before, MPI_Request* request) {
  static struct MPI_op_ ends = {.references = 1, .name = "the end of a request", .user = end_group, .commutes = 1};
  MPI_TRY(end_single_ones(window, before));
  int count = 0;
  struct link* const first = first_after(window, before, &count);
  if (count == 0) {
    *request = mpi_request_new(call, window->comm, NULL);
    (*request)->active = 1;
    return MPI_SUCCESS;
  }
  struct request_group* group = mpi_memory(sizeof *group + (size_t)count * sizeof(struct window_operation*));
  struct transport_request** requests = mpi_memory((size_t)count * sizeof(struct transport_request*));
  group->count = 0;
  for (struct link* at = first; at != &window->operations; at = at->next) {
    if (!is_of_this_thread(operation_of(at))) continue;
    requests[group->count] = operation_of(at)->request;
    group->operations[group->count++] = operation_of(at);
  }
  struct mpi_schedule* schedule = mpi_schedule_around(call, window->comm, NULL, requests, count);
  for (int i = 0; i < count; ++i) {
    group->operations[i]->request = NULL;
    group->operations[i]->schedule = schedule;
  }
  mpi_schedule_then(schedule, &ends, group);
  free(requests);
  mpi_schedule_follow(schedule, request);
  return MPI_SUCCESS;
}
