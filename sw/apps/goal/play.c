/* Plays a program of operations.
 *
 * Operations start as soon as those that they wait for are over: sends and receives first, so that computing delays no
 * message. A calc of CPU 0 keeps the rank busy; those of other CPUs go on beside it. What this program does to find out
 * which is next takes no time: only messages and calcs do.
 */
#include "sw/apps/goal/play.h"

#include <stdio.h>
#include <stdlib.h>
#include "sw/mpi/mpi.h"

#include "sw/apps/goal/collective.h"
#include "sw/apps/goal/program.h"
#include "sw/hal/hal.h"
#include "sw/support/options.h"
#include "sw/transport/transport.h"

#define PS_PER_NS 1000u
#define TAGS (UINT64_C(0xbffffffd) << 32) /* above the contexts of MPI, beside the barrier of sw/transport */
#define TAG_MASK UINT64_C(0xffffffff)
#define POLL_PS 1000000u /* while a calc of another CPU runs: how often its rank looks for messages */

/* A queue of operations, first in, first out: each is in it once. */
struct queue {
  uint32_t* operations;
  uint32_t first, last;
};

struct player {
  const struct goal_program* program;
  struct queue messages, calcs;
  int by_mpi;       /* else by the transport */
  void** requests;  /* of messages under way, without gaps: of MPI, or of the transport */
  uint32_t* owners; /* their operations */
  uint32_t under_way;
  char *sent, *received; /* what all sends send, and where all receives receive; not read */
  uint32_t over;
  int in_order;       /* is_one_after_the_other */
  uint32_t next_busy; /* the first calc or collective operation that is not over, if so */
  struct goal_collectives* collectives;
  uint64_t cpu_free[GOAL_CPUS]; /* ps: when the calcs of a CPU will be over */
  struct timer {
    uint64_t at;
    uint32_t operation;
  } * timers; /* calcs of other CPUs, a heap */
  uint32_t timer_count;
};

static void* room_for(size_t count, size_t each) {
  void* const room = calloc(count + 1, each);
  if (!room) hal_abort("goal: there is no room for the program");
  return room;
}

/* A rank does nothing else meanwhile. */
static int is_busy_with(const struct goal_operation* one) {
  return one->kind == GOAL_CALC || one->kind == GOAL_COLLECTIVE;
}

static void make_free(struct player* player, uint32_t operation) {
  struct queue* const queue =
      is_busy_with(&player->program->operations[operation]) ? &player->calcs : &player->messages;
  queue->operations[queue->last++] = operation;
}

/* Operations wait no longer for the start of this one, or for its end. */
static void tell(struct player* player, uint32_t operation, int at_start) {
  const struct goal_program* const program = player->program;
  for (uint32_t at = program->operations[operation].dependences; at; at = program->dependences[at].next) {
    const struct goal_dependence* const one = &program->dependences[at];
    if (one->at_start == at_start && --program->operations[one->after].waits_for == 0) make_free(player, one->after);
  }
  player->over += !at_start;
}

/* ---- how messages travel: by the transport, or by calls of MPI, whose own work is then part of them ---- */
static void* begin_message(const struct player* player, const struct goal_operation* one) {
  if (player->by_mpi) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (one->kind == GOAL_SEND)
      MPI_Isend(player->sent, (int)one->size, MPI_BYTE, (int)one->partner, (int)one->tag, MPI_COMM_WORLD, &request);
    else
      MPI_Irecv(player->received, (int)one->size, MPI_BYTE, (int)one->partner, (int)one->tag, MPI_COMM_WORLD, &request);
    return request;
  }
  const uint64_t tag = TAGS | (one->tag == GOAL_ANY ? 0 : (uint64_t)one->tag);
  const unsigned from = one->partner == GOAL_ANY ? TRANSPORT_ANY : (unsigned)one->partner;
  const uint64_t mask = one->tag == GOAL_ANY ? ~TAG_MASK : UINT64_MAX;
  return one->kind == GOAL_SEND ? transport_send((unsigned)one->partner, tag, player->sent, one->size, 0)
                                : transport_receive(from, tag, mask, player->received, one->size);
}

static int is_message_over(struct player* player, uint32_t at) {
  if (!player->by_mpi) return transport_test(player->requests[at], NULL);
  int is_over = 0;
  MPI_Test((MPI_Request*)&player->requests[at], &is_over, MPI_STATUS_IGNORE);
  return is_over;
}

/* For one message; or for any of those under way, which then is_message_over finds. */
static void await_message(struct player* player, uint32_t at, int any) {
  int first = 0;
  if (player->by_mpi && any)
    MPI_Waitany((int)player->under_way, (MPI_Request*)player->requests, &first, MPI_STATUS_IGNORE);
  else if (player->by_mpi)
    MPI_Wait((MPI_Request*)&player->requests[at], MPI_STATUS_IGNORE);
  else if (any)
    transport_wait_any((struct transport_request* const*)player->requests, player->under_way);
  else
    transport_wait(player->requests[at], NULL);
}

static void start_message(struct player* player, uint32_t operation) {
  hal_untimed_end();
  void* const request = begin_message(player, &player->program->operations[operation]);
  hal_untimed_begin();
  player->requests[player->under_way] = request;
  player->owners[player->under_way++] = operation;
  tell(player, operation, 1);
}

static void push_timer(struct player* player, uint64_t at, uint32_t operation) {
  uint32_t place = player->timer_count++;
  for (; place > 0 && player->timers[(place - 1) / 2].at > at; place = (place - 1) / 2)
    player->timers[place] = player->timers[(place - 1) / 2];
  player->timers[place].at = at;
  player->timers[place].operation = operation;
}

static uint32_t pop_timer(struct player* player) {
  const uint32_t operation = player->timers[0].operation;
  const struct timer last = player->timers[--player->timer_count];
  uint32_t place = 0;
  for (uint32_t child; (child = 2 * place + 1) < player->timer_count; place = child) {
    child += child + 1 < player->timer_count && player->timers[child + 1].at < player->timers[child].at;
    if (player->timers[child].at >= last.at) break;
    player->timers[place] = player->timers[child];
  }
  player->timers[place] = last;
  return operation;
}

static void compute(uint64_t ps) {
  hal_untimed_end();
  hal_compute_ps(ps);
  hal_untimed_begin();
}

static uint64_t time_now(void) {
  hal_untimed_end();
  const uint64_t now = hal_time_ps();
  hal_untimed_begin();
  return now;
}

static void start_calc(struct player* player, uint32_t operation) {
  const struct goal_operation* const one = &player->program->operations[operation];
  tell(player, operation, 1);
  if (one->cpu == 0 || one->kind == GOAL_COLLECTIVE) {
    if (one->kind == GOAL_COLLECTIVE)
      goal_play_collective(player->collectives, (uint32_t)one->size);
    else if (one->size > 0)
      compute(one->size * PS_PER_NS);
    while (++player->next_busy < player->program->count &&
           !is_busy_with(&player->program->operations[player->next_busy])) {
    }
    tell(player, operation, 0);
    return;
  }
  const uint64_t now = time_now();
  uint64_t* const free_at = &player->cpu_free[one->cpu];
  *free_at = (*free_at > now ? *free_at : now) + one->size * PS_PER_NS;
  push_timer(player, *free_at, operation);
}

/* A message that is over leaves; the later ones move up. */
static void remove_message(struct player* player, uint32_t at) {
  const uint32_t operation = player->owners[at];
  --player->under_way;
  for (; at < player->under_way; ++at) {
    player->requests[at] = player->requests[at + 1];
    player->owners[at] = player->owners[at + 1];
  }
  tell(player, operation, 0);
}

/* Looks at all messages under way. @return whether one was over */
static int test_messages(struct player* player) {
  int found = 0;
  for (uint32_t at = 0; at < player->under_way;) {
    hal_untimed_end();
    const int is_over = is_message_over(player, at);
    hal_untimed_begin();
    if (is_over)
      remove_message(player, at);
    else
      ++at;
    found |= is_over;
  }
  return found;
}

/* Whether each operation waits for the end of the last calc or collective operation before it, as those of a recorded
 * program do: then what comes next is always the next of these, and only the messages that it waits for need to be
 * looked at. */
static int is_one_after_the_other(const struct goal_program* program) {
  uint32_t* const waits_for = room_for(program->count, sizeof(uint32_t)); /* 1 + the last of all; 0: none */
  uint32_t before = 0;
  int is_so = 1;
  for (uint32_t i = 0; i < program->count && is_so; ++i) {
    const struct goal_operation* const one = &program->operations[i];
    is_so = waits_for[i] == before && (one->kind != GOAL_CALC || one->cpu == 0);
    if (!is_busy_with(one)) continue;
    before = i + 1;
    for (uint32_t at = one->dependences; at; at = program->dependences[at].next)
      if (!program->dependences[at].at_start) waits_for[program->dependences[at].after] = before;
  }
  free(waits_for);
  return is_so;
}

/* The first message under way that the next calc waits for; of a program at its end, the first of all. */
static uint32_t wanted_message(struct player* player) {
  const struct goal_program* const program = player->program;
  for (uint32_t at = 0; at < player->under_way; ++at)
    for (uint32_t one = program->operations[player->owners[at]].dependences; one; one = program->dependences[one].next)
      if (program->dependences[one].after == player->next_busy && !program->dependences[one].at_start) return at;
  return 0;
}

static void wait_for_message(struct player* player, uint32_t at) {
  const struct goal_operation* const one = &player->program->operations[player->owners[at]];
  const int peer = one->partner == GOAL_ANY ? HAL_NO_RANK : (int)one->partner;
  hal_untimed_end();
  hal_call_begin("goal_wait", peer, one->tag, one->size);
  hal_call_waits_for("goal_wait", peer, one->tag);
  await_message(player, at, !player->in_order);
  hal_call_end();
  hal_untimed_begin();
}

static void wait_for_messages(struct player* player) {
  if (player->in_order) {
    const uint32_t at = wanted_message(player);
    wait_for_message(player, at);
    remove_message(player, at);
    return;
  }
  do wait_for_message(player, 0);
  while (!test_messages(player));
}

/* Until a message or a calc of another CPU is over. */
static void wait_for_something(struct player* player) {
  if (player->timer_count == 0) {
    if (player->under_way == 0) hal_abort("goal: operations of the program wait for each other");
    wait_for_messages(player);
    return;
  }
  const uint64_t now = time_now();
  if (player->timers[0].at <= now) {
    tell(player, pop_timer(player), 0);
    return;
  }
  if (player->under_way > 0 && test_messages(player)) return;
  const uint64_t left = player->timers[0].at - now;
  compute(player->under_way > 0 && left > POLL_PS ? POLL_PS : left);
}

static struct player prepare(const struct goal_program* program, int by_mpi) {
  const uint32_t count = program->count;
  struct player player = {.program = program,
                          .by_mpi = by_mpi,
                          .messages = {.operations = room_for(count, sizeof(uint32_t))},
                          .calcs = {.operations = room_for(count, sizeof(uint32_t))},
                          .requests = room_for(count, sizeof(void*)),
                          .owners = room_for(count, sizeof(uint32_t)),
                          .sent = room_for(program->largest, 1),
                          .received = room_for(program->largest, 1),
                          .timers = room_for(count, sizeof(struct timer)),
                          .in_order = is_one_after_the_other(program),
                          .collectives = goal_prepare_collectives(program)};
  for (uint32_t i = 0; i < count; ++i)
    if (program->operations[i].waits_for == 0) make_free(&player, i);
  while (player.next_busy < count && !is_busy_with(&program->operations[player.next_busy])) ++player.next_busy;
  return player;
}

static void play(struct player* player) {
  hal_untimed_begin();
  while (player->over < player->program->count) {
    if (player->messages.first < player->messages.last)
      start_message(player, player->messages.operations[player->messages.first++]);
    else if (player->calcs.first < player->calcs.last)
      start_calc(player, player->calcs.operations[player->calcs.first++]);
    else
      wait_for_something(player);
  }
  hal_untimed_end();
}

static void end(struct player* player) {
  free(player->messages.operations);
  free(player->calcs.operations);
  free(player->requests);
  free(player->owners);
  free(player->sent);
  free(player->received);
  free(player->timers);
  goal_forget_collectives(player->collectives);
}

static void make_longer(struct goal_program* program, const char* ratio, const char* app) {
  char* behind = NULL;
  const double longer = strtod(ratio, &behind);
  if (*behind || !(longer > 0 && longer < 1e6)) {
    if (hal_rank() == 0) fprintf(stderr, "%s: --cpu-ratio %s: give a number above 0, such as 2.5\n", app, ratio);
    options_refused();
  }
  for (uint32_t i = 0; i < program->count; ++i)
    if (program->operations[i].kind == GOAL_CALC)
      program->operations[i].size = (uint64_t)((double)program->operations[i].size * longer + 0.5);
}

void goal_play(const char* app, const char* file, const char* cpu_ratio, int by_mpi) {
  struct goal_program program = goal_read(file);
  make_longer(&program, cpu_ratio, app);
  MPI_Init(NULL, NULL);
  struct player player = prepare(&program, by_mpi);
  MPI_Barrier(MPI_COMM_WORLD);
  const uint64_t start = hal_time_ps();
  play(&player);
  const double own = (double)(hal_time_ps() - start) / 1e6;
  double last = 0;
  MPI_Reduce(&own, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  hal_metric("run_us", own, "us");
  if (hal_rank() == 0) {
    hal_metric("time_us", last, "us");
    printf("%d ranks: %.3f us\nPASS\n", hal_ranks(), last);
  }
  end(&player);
  goal_forget(&program);
  MPI_Finalize();
}
