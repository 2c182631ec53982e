/* Plays the program of a GOAL file on the whole machine: messages by MPI, and a calc computes for its time.
 *
 * Operations start as soon as those that they wait for are over: sends and receives first, so that computing delays no
 * message. A calc of CPU 0 keeps the rank busy; those of other CPUs go on beside it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/apps/goal/program.h"
#include "sw/hal/hal.h"
#include "sw/support/options.h"

#define PS_PER_NS 1000u
#define POLL_PS 1000000u /* while a calc of another CPU runs: how often its rank looks for messages */

/* A queue of operations, first in, first out: each is in it once. */
struct queue {
  uint32_t* operations;
  uint32_t first, last;
};

struct player {
  const struct goal_program* program;
  struct queue messages, calcs;
  MPI_Request* requests; /* of messages under way, without gaps */
  uint32_t* owners;      /* their operations */
  void** buffers;        /* of receives; NULL for sends */
  int under_way;
  int* done;  /* of MPI_Waitsome */
  char* sent; /* what all sends send */
  uint32_t over;
  uint64_t cpu_free[GOAL_CPUS]; /* ps: when the calcs of a CPU will be over */
  struct timer {
    uint64_t at;
    uint32_t operation;
  } * timers; /* calcs of other CPUs, a heap */
  uint32_t timer_count;
};

static void make_free(struct player* player, uint32_t operation) {
  struct queue* const queue =
      player->program->operations[operation].kind == GOAL_CALC ? &player->calcs : &player->messages;
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

static void start_message(struct player* player, uint32_t operation) {
  const struct goal_operation* const one = &player->program->operations[operation];
  MPI_Request* const request = &player->requests[player->under_way];
  void* buffer = NULL;
  if (one->kind == GOAL_SEND) {
    MPI_Isend(player->sent, (int)one->size, MPI_BYTE, (int)one->partner, (int)one->tag, MPI_COMM_WORLD, request);
  } else {
    buffer = malloc(one->size + 1);
    if (!buffer) hal_abort("goal: there is no room for a message");
    MPI_Irecv(buffer, (int)one->size, MPI_BYTE, one->partner == GOAL_ANY ? MPI_ANY_SOURCE : (int)one->partner,
              one->tag == GOAL_ANY ? MPI_ANY_TAG : (int)one->tag, MPI_COMM_WORLD, request);
  }
  player->owners[player->under_way] = operation;
  player->buffers[player->under_way++] = buffer;
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

static void start_calc(struct player* player, uint32_t operation) {
  const struct goal_operation* const one = &player->program->operations[operation];
  tell(player, operation, 1);
  if (one->cpu == 0) {
    hal_compute_ps(one->size * PS_PER_NS);
    tell(player, operation, 0);
    return;
  }
  const uint64_t now = hal_time_ps();
  uint64_t* const free_at = &player->cpu_free[one->cpu];
  *free_at = (*free_at > now ? *free_at : now) + one->size * PS_PER_NS;
  push_timer(player, *free_at, operation);
}

/* Messages that are over leave; the last ones take their places. */
static void take_done(struct player* player, int count) {
  for (int i = 0; i < count; ++i) {
    const int at = player->done[i];
    free(player->buffers[at]);
    player->buffers[at] = NULL;
    tell(player, player->owners[at], 0);
  }
  int kept = 0;
  for (int at = 0; at < player->under_way; ++at) {
    if (player->requests[at] == MPI_REQUEST_NULL) continue;
    player->requests[kept] = player->requests[at];
    player->owners[kept] = player->owners[at];
    player->buffers[kept++] = player->buffers[at];
  }
  player->under_way = kept;
}

/* Until a message or a calc of another CPU is over. */
static void wait_for_something(struct player* player) {
  int count = 0;
  if (player->timer_count == 0) {
    if (player->under_way == 0) hal_abort("goal: operations of the program wait for each other");
    MPI_Waitsome(player->under_way, player->requests, &count, player->done, MPI_STATUSES_IGNORE);
    take_done(player, count);
    return;
  }
  const uint64_t now = hal_time_ps();
  if (player->timers[0].at <= now) {
    tell(player, pop_timer(player), 0);
    return;
  }
  const uint64_t left = player->timers[0].at - now;
  if (player->under_way > 0) {
    MPI_Testsome(player->under_way, player->requests, &count, player->done, MPI_STATUSES_IGNORE);
    if (count > 0) {
      take_done(player, count);
      return;
    }
  }
  hal_compute_ps(player->under_way > 0 && left > POLL_PS ? POLL_PS : left);
}

static void* room_for(size_t count, size_t each) {
  void* const room = calloc(count + 1, each);
  if (!room) hal_abort("goal: there is no room for the program");
  return room;
}

static void play(const struct goal_program* program) {
  const uint32_t count = program->count;
  struct player player = {.program = program,
                          .messages = {.operations = room_for(count, sizeof(uint32_t))},
                          .calcs = {.operations = room_for(count, sizeof(uint32_t))},
                          .requests = room_for(count, sizeof(MPI_Request)),
                          .owners = room_for(count, sizeof(uint32_t)),
                          .buffers = room_for(count, sizeof(void*)),
                          .done = room_for(count, sizeof(int)),
                          .sent = room_for(program->largest, 1),
                          .timers = room_for(count, sizeof(struct timer))};
  for (uint32_t i = 0; i < count; ++i)
    if (program->operations[i].waits_for == 0) make_free(&player, i);
  while (player.over < count) {
    if (player.messages.first < player.messages.last)
      start_message(&player, player.messages.operations[player.messages.first++]);
    else if (player.calcs.first < player.calcs.last)
      start_calc(&player, player.calcs.operations[player.calcs.first++]);
    else
      wait_for_something(&player);
  }
  free(player.messages.operations);
  free(player.calcs.operations);
  free(player.requests);
  free(player.owners);
  free(player.buffers);
  free(player.done);
  free(player.sent);
  free(player.timers);
}

/* A tag that MPI cannot have would be a mistake in each call; one message says it. */
static void require_tags(const struct goal_program* program) {
  int* most = NULL;
  int is_told = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &is_told);
  for (uint32_t i = 0; i < program->count && is_told; ++i)
    if (program->operations[i].kind != GOAL_CALC && program->operations[i].tag > *most) {
      char text[128];
      snprintf(text, sizeof text, "goal: tag %lld is more than %d, the most of MPI on this machine",
               (long long)program->operations[i].tag, *most);
      hal_abort(text);
    }
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const char* file = options_text(&options, "file", "", "the program: a GOAL file (docs/goal.md)");
  options_check(&options);
  if (!*file) {
    if (hal_rank() == 0) fprintf(stderr, "goal wants a program: -- --file program.goal\n");
    options_refused();
  }
  struct goal_program program = goal_read(file);
  MPI_Init(&argc, &argv);
  require_tags(&program);
  MPI_Barrier(MPI_COMM_WORLD);
  const uint64_t start = hal_time_ps();
  play(&program);
  const double own = (double)(hal_time_ps() - start) / 1e6;
  double last = 0;
  MPI_Reduce(&own, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  hal_metric("run_us", own, "us");
  if (hal_rank() == 0) {
    hal_metric("time_us", last, "us");
    printf("%d ranks: %.3f us\nPASS\n", hal_ranks(), last);
  }
  free(program.operations);
  free(program.dependences);
  MPI_Finalize();
  return 0;
}
