/* Schedules of collective operations: how they are built and executed. */
#include "sw/mpi/requests/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/deaths.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/datatypes/datatype.h"
#include "sw/mpi/datatypes/layout.h"
#include "sw/mpi/datatypes/op.h"
#include "sw/mpi/requests/request.h"

#define STEPS_AT_FIRST 16

enum step_kind { STEP_SEND, STEP_RECEIVE, STEP_AMONG, STEP_ROUND, STEP_COPY, STEP_COMBINE, STEP_UNPACK, STEP_ELEMENTS };

struct step {
  enum step_kind kind;
  int peer;
  const void* from;
  void* to;
  size_t size; /* bytes; elements, of a combination, to unpack or to copy; a tag, where the group changes */
  MPI_Datatype type;
  struct transport_request* request; /* of a message under way */
};

struct room {
  struct room* next;
  size_t bytes;
  _Alignas(max_align_t) char memory[];
};

struct mpi_schedule {
  const char* call;
  MPI_Comm owner;    /* communicator of the call: its handler gets the errors */
  MPI_Comm comm;     /* whose ranks the steps name; for two groups it changes during execution */
  uint64_t tag;      /* of its messages in this communicator */
  MPI_Datatype type; /* of the elements that are combined */
  MPI_Op op;
  struct step *steps, *last_steps; /* last_steps: executed after all others */
  int count, most, last_count, last_most;
  int next;            /* step to be executed */
  int waited;          /* messages before this step are done */
  int started, result; /* started: its handles are held */
  int gives_way;       /* after this step, until the next call of mpi_progress */
  int abandoned;       /* a node has died: messages of others may still arrive in the scratch space */
  struct room* rooms;
  struct mpi_schedule* next_active;
};

/* ---- building ---- */
static uint64_t next_tag(MPI_Comm comm) {
  return mpi_collective_tag(comm, (int)(comm->collectives++ & MPI_TAG_UB_VALUE));
}

struct mpi_schedule* mpi_schedule_open(const char* call, MPI_Comm comm) {
  struct mpi_schedule* schedule = mpi_zeroed_memory(sizeof *schedule);
  schedule->call = call;
  schedule->owner = schedule->comm = comm;
  schedule->tag = next_tag(comm);
  return schedule;
}

static struct step* append(struct step** steps, int* count, int* most) {
  if (*count == *most) {
    *most = *most > 0 ? 2 * *most : STEPS_AT_FIRST;
    *steps = mpi_larger_memory(*steps, (size_t)*most * sizeof **steps);
  }
  return &(*steps)[(*count)++];
}

static struct step* append_last(struct mpi_schedule* schedule) {
  return append(&schedule->last_steps, &schedule->last_count, &schedule->last_most);
}

static void add(struct mpi_schedule* schedule, struct step step) {
  *append(&schedule->steps, &schedule->count, &schedule->most) = step;
}

void mpi_add_send(struct mpi_schedule* schedule, int to, const void* from, size_t bytes) {
  add(schedule, (struct step){.kind = STEP_SEND, .peer = to, .from = from, .size = bytes});
}

void mpi_add_receive(struct mpi_schedule* schedule, int from, void* to, size_t bytes) {
  add(schedule, (struct step){.kind = STEP_RECEIVE, .peer = from, .to = to, .size = bytes});
}

void mpi_schedule_among(struct mpi_schedule* schedule, MPI_Comm comm) {
  const uint64_t tag = comm == schedule->comm ? schedule->tag : next_tag(comm);
  add(schedule, (struct step){.kind = STEP_AMONG, .to = comm, .size = tag});
}

void mpi_add_round(struct mpi_schedule* schedule) { add(schedule, (struct step){.kind = STEP_ROUND}); }

void mpi_add_copy(struct mpi_schedule* schedule, const void* from, void* to, size_t bytes) {
  if (bytes > 0 && from != to) add(schedule, (struct step){.kind = STEP_COPY, .from = from, .to = to, .size = bytes});
}

void mpi_schedule_mismatch(struct mpi_schedule* schedule, int sender, size_t sent, size_t expected) {
  if (schedule->result != MPI_SUCCESS) return;
  /* Reported for the operation's call: the current call may be any that waits meanwhile. */
  schedule->result = mpi_fail_on(schedule->owner, schedule->call, MPI_ERR_TRUNCATE,
                                 "rank %d sends %zu bytes where rank %d expects %zu; counts and types must agree",
                                 sender, sent, schedule->comm->rank, expected);
}

void mpi_add_combine(struct mpi_schedule* schedule, const void* in, void* inout, size_t count) {
  if (count > 0) add(schedule, (struct step){.kind = STEP_COMBINE, .from = in, .to = inout, .size = count});
}

void mpi_schedule_reduces(struct mpi_schedule* schedule, MPI_Datatype type, MPI_Op op) {
  schedule->type = type;
  schedule->op = op;
}

void* mpi_schedule_room(struct mpi_schedule* schedule, size_t bytes) {
  struct room* room = mpi_memory(sizeof *room + bytes);
  *room = (struct room){.next = schedule->rooms, .bytes = bytes};
  schedule->rooms = room;
  return room->memory;
}

/* ---- data of any type as bytes ---- */
const void* mpi_packed(struct mpi_schedule* schedule, const void* buffer, size_t count, MPI_Datatype type) {
  if (mpi_is_dense(type) || count == 0) return buffer;
  void* room = mpi_schedule_room(schedule, count * type->bytes);
  mpi_pack(buffer, count, type, room);
  return room;
}

void* mpi_to_unpack(struct mpi_schedule* schedule, void* buffer, size_t count, MPI_Datatype type) {
  if (mpi_is_dense(type) || count == 0) return buffer;
  void* room = mpi_schedule_room(schedule, count * type->bytes);
  *append_last(schedule) = (struct step){.kind = STEP_UNPACK, .from = room, .to = buffer, .size = count, .type = type};
  return room;
}

void mpi_copy_elements(const void* from, void* to, size_t count, MPI_Datatype type) {
  const size_t bytes = count * type->bytes;
  void* packed = mpi_memory(bytes);
  mpi_pack(from, count, type, packed);
  mpi_unpack(packed, to, count, type);
  free(packed);
}

void mpi_add_elements(struct mpi_schedule* schedule, const void* from, void* to, size_t count, MPI_Datatype type) {
  if (count > 0)
    add(schedule, (struct step){.kind = STEP_ELEMENTS, .from = from, .to = to, .size = count, .type = type});
}

void mpi_add_elements_at_last(struct mpi_schedule* schedule, const void* from, void* to, size_t count,
                              MPI_Datatype type) {
  if (count > 0)
    *append_last(schedule) = (struct step){.kind = STEP_ELEMENTS, .from = from, .to = to, .size = count, .type = type};
}

static void close_schedule(struct mpi_schedule* schedule) {
  mpi_add_round(schedule);
  for (int i = 0; i < schedule->last_count; ++i) add(schedule, schedule->last_steps[i]);
}

/* ---- execution ---- */
static void end_message(struct mpi_schedule* schedule, const struct step* step, const struct transport_status* got) {
  if (step->kind == STEP_RECEIVE && got->bytes != step->size)
    mpi_schedule_mismatch(schedule, step->peer, got->bytes, step->size);
}

/* A member's node has died: no more steps are executed, and messages under way are abandoned. */
static void abandon(struct mpi_schedule* schedule, int dead) {
  for (; schedule->waited < schedule->next; ++schedule->waited) {
    struct step* step = &schedule->steps[schedule->waited];
    if (step->request) transport_wait(step->request, NULL);
    step->request = NULL;
  }
  schedule->waited = schedule->next = schedule->count;
  schedule->abandoned = 1;
  if (schedule->result == MPI_SUCCESS) schedule->result = mpi_fail_dead(schedule->owner, schedule->call, dead);
}

/* Ends the messages before a step: waits for them, or returns 0 if one is not done, or the schedule is abandoned. */
static int end_round(struct mpi_schedule* schedule, int wait) {
  for (; schedule->waited < schedule->next; ++schedule->waited) {
    struct step* step = &schedule->steps[schedule->waited];
    if (!step->request) continue;
    struct transport_status got = {0};
    int done = 1;
    const MPI_Comm before = mpi_waits_among(schedule->comm);
    if (wait) {
      hal_call_waits_for(schedule->call, step->peer, HAL_NO_TAG);
      transport_wait(step->request, &got);
    } else {
      done = transport_test(step->request, &got);
    }
    if (done) step->request = NULL;
    if (got.dead) abandon(schedule, got.dead);
    mpi_waits_among(before);
    if (!done || got.dead) return 0;
    end_message(schedule, step, &got);
  }
  return 1;
}

/* Offset from an element's address to its first byte. */
static ptrdiff_t lowest(MPI_Datatype type) { return mpi_is_dense(type) ? 0 : mpi_true_lower(type); }

static void make_step(struct mpi_schedule* schedule, struct step* step) {
  switch (step->kind) {
    case STEP_SEND:
      step->request = transport_send(mpi_process(schedule->comm, step->peer), schedule->tag, step->from, step->size, 0);
      break;
    case STEP_RECEIVE:
      step->request =
          transport_receive(mpi_process(schedule->comm, step->peer), schedule->tag, UINT64_MAX, step->to, step->size);
      break;
    case STEP_AMONG:
      schedule->comm = step->to;
      schedule->tag = step->size;
      break;
    case STEP_COPY:
      memmove(step->to, step->from, step->size);
      break;
    case STEP_COMBINE:
      mpi_op_apply(schedule->op, (const char*)step->from - lowest(schedule->type),
                   (char*)step->to - lowest(schedule->type), step->size, schedule->type);
      break;
    case STEP_UNPACK:
      mpi_unpack(step->from, step->to, step->size, step->type);
      break;
    case STEP_ELEMENTS:
      mpi_copy_elements(step->from, step->to, step->size, step->type);
      break;
    case STEP_ROUND:
      break;
  }
}

/* Executes the steps that are possible now; with `wait`, all. */
static void make(struct mpi_schedule* schedule, int wait) {
  while (schedule->next < schedule->count) {
    struct step* step = &schedule->steps[schedule->next];
    if (step->kind == STEP_ROUND && !end_round(schedule, wait)) return;
    make_step(schedule, step);
    ++schedule->next;
    if (schedule->gives_way) break;
  }
  schedule->gives_way = 0;
}

/* The program may free types and operations before a nonblocking operation ends, so these are held; the request holds
 * the communicator. */
static void hold_handles(struct mpi_schedule* schedule) {
  schedule->started = 1;
  if (schedule->op) mpi_op_hold(schedule->op);
  if (schedule->type) mpi_type_hold(schedule->type);
  for (int i = 0; i < schedule->last_count; ++i) mpi_type_hold(schedule->last_steps[i].type);
}

static void release_handles(struct mpi_schedule* schedule) {
  for (int i = 0; i < schedule->last_count; ++i) mpi_type_release(schedule->last_steps[i].type);
  if (schedule->type) mpi_type_release(schedule->type);
  if (schedule->op) mpi_op_release(schedule->op);
}

int mpi_schedule_free(struct mpi_schedule* schedule) {
  const int result = schedule->result;
  if (schedule->started) release_handles(schedule);
  while (schedule->rooms && !schedule->abandoned) {
    struct room* room = schedule->rooms;
    schedule->rooms = room->next;
    free(room);
  }
  free(schedule->steps);
  free(schedule->last_steps);
  free(schedule);
  return result;
}

int mpi_schedule_make(struct mpi_schedule* schedule) {
  close_schedule(schedule);
  make(schedule, 1);
  return mpi_schedule_free(schedule);
}

/* ---- started schedules ---- */
struct active {
  struct mpi_schedule *first, **end;
  int busy; /* executing: a step may wait, and that calls mpi_progress again */
};

static struct active* active(void) {
  static struct active list;
  if (!list.end) list.end = &list.first;
  return &list;
}

void mpi_schedule_serve_threads(void) { hal_threads_alone_while(&active()->busy, 1); }

int mpi_schedule_done(const struct mpi_schedule* schedule) { return schedule->next == schedule->count; }

/* Also when an error handler of the program throws, so that what is under way continues in later calls. */
static void end_progress(struct active** of) {
  struct active* list = *of;
  while (*list->end) list->end = &(*list->end)->next_active;
  list->busy = 0;
}

static void progress(struct active* of) {
  struct active* list __attribute__((cleanup(end_progress))) = of;
  list->busy = 1;
  list->end = &list->first;
  while (*list->end) {
    struct mpi_schedule* schedule = *list->end;
    make(schedule, 0);
    if (mpi_schedule_done(schedule)) {
      *list->end = schedule->next_active;
      hal_threads_tell();
    } else {
      list->end = &schedule->next_active;
    }
  }
}

void mpi_progress(void) {
  struct active* list = active();
  if (list->first && !list->busy) progress(list);
}

/* All messages of a round must end, so watching one of them is enough. */
struct transport_request* mpi_schedule_pending(const struct mpi_schedule* schedule) {
  return mpi_schedule_done(schedule) ? NULL : schedule->steps[schedule->waited].request;
}

static size_t background(struct transport_request** pending, size_t room) {
  mpi_progress();
  size_t count = 0;
  for (const struct mpi_schedule* at = active()->first; at && count < room; at = at->next_active)
    pending[count++] = mpi_schedule_pending(at);
  return count;
}

int mpi_schedule_start(struct mpi_schedule* schedule, MPI_Request* request) {
  const MPI_Comm comm = schedule->comm;
  close_schedule(schedule);
  hold_handles(schedule);
  make(schedule, 0);
  *request = mpi_request_new(schedule->call, comm, NULL);
  (*request)->schedule = schedule;
  (*request)->active = 1;
  if (mpi_schedule_done(schedule)) return MPI_SUCCESS;
  transport_background(background);
  struct active* list = active();
  schedule->next_active = NULL;
  *list->end = schedule;
  list->end = &schedule->next_active;
  return MPI_SUCCESS;
}

void mpi_schedule_wait(struct mpi_schedule* schedule) {
  for (mpi_progress(); !mpi_schedule_done(schedule); mpi_progress()) {
    struct transport_request* pending = mpi_schedule_pending(schedule);
    hal_call_waits_for(schedule->call, schedule->steps[schedule->waited].peer, HAL_NO_TAG);
    const MPI_Comm before = mpi_waits_among(schedule->comm);
    transport_wait_any(&pending, 1);
    mpi_waits_among(before);
  }
}

/* ---- around requests of other parts of the library ---- */
struct mpi_schedule* mpi_schedule_around(const char* call, MPI_Comm owner, MPI_Comm among,
                                         struct transport_request* const* requests, int count) {
  struct mpi_schedule* schedule = mpi_zeroed_memory(sizeof *schedule);
  *schedule = (struct mpi_schedule){.call = call, .owner = owner, .comm = among, .next = count};
  for (int i = 0; i < count; ++i) add(schedule, (struct step){.kind = STEP_SEND, .request = requests[i]});
  return schedule;
}

void mpi_schedule_then(struct mpi_schedule* schedule, MPI_Op function, void* data) {
  mpi_schedule_reduces(schedule, MPI_BYTE, function);
  mpi_add_round(schedule);
  mpi_add_combine(schedule, data, data, 1);
}

void mpi_schedule_again(struct mpi_schedule* schedule, struct transport_request* request) {
  schedule->steps[0].request = request;
  schedule->gives_way = 1;
  schedule->waited = schedule->next = 0; /* the step after the first is next, once this one has been executed */
}

void mpi_schedule_follow(struct mpi_schedule* schedule, MPI_Request* request) {
  mpi_add_round(schedule);
  schedule->started = 1;
  mpi_op_hold(schedule->op); /* the type is predefined */
  if (request) {
    *request = mpi_request_new(schedule->call, schedule->owner, NULL);
    (*request)->schedule = schedule;
    (*request)->active = 1;
  }
  transport_background(background);
  struct active* list = active();
  *list->end = schedule;
  list->end = &schedule->next_active;
  mpi_progress();
}
