/* Worksharing loops. The one thread takes all iterations at once, whatever the schedule, so that nothing is left for
 * the next call: ordered regions and waits of doacross loops are in order by themselves. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sw/openmp/openmp.h"
#include "sw/openmp/team.h"

static bool take(long start, long end, long step, long* from, long* to) {
  *from = start;
  *to = end;
  return step > 0 ? start < end : start > end;
}

static bool take_unsigned(bool is_up, unsigned long long start, unsigned long long end, unsigned long long* from,
                          unsigned long long* to) {
  *from = start;
  *to = end;
  return is_up ? start < end : start > end;
}

/* Those of a combined construct are taken by the first of these calls. */
static bool take_rest(unsigned long long* from, unsigned long long* to) {
  struct openmp_team* const team = openmp_team();
  if (!team->has_iterations) return false;
  team->has_iterations = false;
  *from = team->from;
  *to = team->to;
  return true;
}

static bool next(long* from, long* to) {
  unsigned long long first = 0, end = 0;
  if (!take_rest(&first, &end)) return false;
  *from = (long)first;
  *to = (long)end;
  return true;
}

static void run_loop(void (*function)(void*), void* data, long start, long end, long step) {
  openmp_run(function, data,
             (struct openmp_team){.has_iterations = step > 0 ? start < end : start > end,
                                  .from = (unsigned long long)start,
                                  .to = (unsigned long long)end});
}

/* Each schedule has calls of its own; that at run time is told no chunk. */
#define LOOP(schedule)                                                                                          \
  OPENMP bool GOMP_loop_##schedule##_start(long start, long end, long step, long chunk, long* from, long* to) { \
    (void)chunk;                                                                                                \
    return take(start, end, step, from, to);                                                                    \
  }                                                                                                             \
  OPENMP bool GOMP_loop_ull_##schedule##_start(bool is_up, unsigned long long start, unsigned long long end,    \
                                               unsigned long long step, unsigned long long chunk,               \
                                               unsigned long long* from, unsigned long long* to) {              \
    (void)step, (void)chunk;                                                                                    \
    return take_unsigned(is_up, start, end, from, to);                                                          \
  }                                                                                                             \
  NEXT(schedule)
#define LOOP_AT_RUN_TIME(schedule)                                                                           \
  OPENMP bool GOMP_loop_##schedule##_start(long start, long end, long step, long* from, long* to) {          \
    return take(start, end, step, from, to);                                                                 \
  }                                                                                                          \
  OPENMP bool GOMP_loop_ull_##schedule##_start(bool is_up, unsigned long long start, unsigned long long end, \
                                               unsigned long long step, unsigned long long* from,            \
                                               unsigned long long* to) {                                     \
    (void)step;                                                                                              \
    return take_unsigned(is_up, start, end, from, to);                                                       \
  }                                                                                                          \
  NEXT(schedule)
#define NEXT(schedule)                                                                            \
  OPENMP bool GOMP_loop_##schedule##_next(long* from, long* to) { return next(from, to); }        \
  OPENMP bool GOMP_loop_ull_##schedule##_next(unsigned long long* from, unsigned long long* to) { \
    return take_rest(from, to);                                                                   \
  }
LOOP(static)
LOOP(dynamic)
LOOP(guided)
LOOP(nonmonotonic_dynamic)
LOOP(nonmonotonic_guided)
LOOP(ordered_static)
LOOP(ordered_dynamic)
LOOP(ordered_guided)
LOOP_AT_RUN_TIME(runtime)
LOOP_AT_RUN_TIME(nonmonotonic_runtime)
LOOP_AT_RUN_TIME(maybe_nonmonotonic_runtime)
LOOP_AT_RUN_TIME(ordered_runtime)

#define PARALLEL_LOOP(schedule)                                                                                \
  OPENMP void GOMP_parallel_loop_##schedule(void (*function)(void*), void* data, unsigned threads, long start, \
                                            long end, long step, long chunk, unsigned flags) {                 \
    (void)threads, (void)chunk, (void)flags;                                                                   \
    run_loop(function, data, start, end, step);                                                                \
  }
#define PARALLEL_LOOP_AT_RUN_TIME(schedule)                                                                    \
  OPENMP void GOMP_parallel_loop_##schedule(void (*function)(void*), void* data, unsigned threads, long start, \
                                            long end, long step, unsigned flags) {                             \
    (void)threads, (void)flags;                                                                                \
    run_loop(function, data, start, end, step);                                                                \
  }
PARALLEL_LOOP(static)
PARALLEL_LOOP(dynamic)
PARALLEL_LOOP(guided)
PARALLEL_LOOP(nonmonotonic_dynamic)
PARALLEL_LOOP(nonmonotonic_guided)
PARALLEL_LOOP_AT_RUN_TIME(runtime)
PARALLEL_LOOP_AT_RUN_TIME(nonmonotonic_runtime)
PARALLEL_LOOP_AT_RUN_TIME(maybe_nonmonotonic_runtime)

/* With reductions of tasks, or memory (conditional lastprivate, scans). No `from`: the loop is static, and the caller
 * computes its own iterations. */
#define GENERAL_LOOP(call)                                                                           \
  OPENMP bool call(long start, long end, long step, long schedule, long chunk, long* from, long* to, \
                   uintptr_t* reductions, void** memory) {                                           \
    (void)schedule, (void)chunk;                                                                     \
    openmp_begin_construct(reductions, memory);                                                      \
    return from == NULL || take(start, end, step, from, to);                                         \
  }
#define GENERAL_UNSIGNED_LOOP(call)                                                                           \
  OPENMP bool call(bool is_up, unsigned long long start, unsigned long long end, unsigned long long step,     \
                   long schedule, unsigned long long chunk, unsigned long long* from, unsigned long long* to, \
                   uintptr_t* reductions, void** memory) {                                                    \
    (void)step, (void)schedule, (void)chunk;                                                                  \
    openmp_begin_construct(reductions, memory);                                                               \
    return from == NULL || take_unsigned(is_up, start, end, from, to);                                        \
  }
GENERAL_LOOP(GOMP_loop_start)
GENERAL_LOOP(GOMP_loop_ordered_start)
GENERAL_UNSIGNED_LOOP(GOMP_loop_ull_start)
GENERAL_UNSIGNED_LOOP(GOMP_loop_ull_ordered_start)

/* Loops whose iterations wait for others. The outermost is shared out. */
#define DOACROSS(schedule)                                                                                            \
  OPENMP bool GOMP_loop_doacross_##schedule##_start(unsigned loops, long* counts, long chunk, long* from, long* to) { \
    (void)loops, (void)chunk;                                                                                         \
    return take(0, counts[0], 1, from, to);                                                                           \
  }                                                                                                                   \
  OPENMP bool GOMP_loop_ull_doacross_##schedule##_start(unsigned loops, unsigned long long* counts,                   \
                                                        unsigned long long chunk, unsigned long long* from,           \
                                                        unsigned long long* to) {                                     \
    (void)loops, (void)chunk;                                                                                         \
    return take_unsigned(true, 0, counts[0], from, to);                                                               \
  }
DOACROSS(static)
DOACROSS(dynamic)
DOACROSS(guided)

OPENMP bool GOMP_loop_doacross_runtime_start(unsigned loops, long* counts, long* from, long* to) {
  (void)loops;
  return take(0, counts[0], 1, from, to);
}

OPENMP bool GOMP_loop_ull_doacross_runtime_start(unsigned loops, unsigned long long* counts, unsigned long long* from,
                                                 unsigned long long* to) {
  (void)loops;
  return take_unsigned(true, 0, counts[0], from, to);
}

OPENMP bool GOMP_loop_doacross_start(unsigned loops, long* counts, long schedule, long chunk, long* from, long* to,
                                     uintptr_t* reductions, void** memory) {
  (void)loops, (void)schedule, (void)chunk;
  openmp_begin_construct(reductions, memory);
  return from == NULL || take(0, counts[0], 1, from, to);
}

OPENMP bool GOMP_loop_ull_doacross_start(unsigned loops, unsigned long long* counts, long schedule,
                                         unsigned long long chunk, unsigned long long* from, unsigned long long* to,
                                         uintptr_t* reductions, void** memory) {
  (void)loops, (void)schedule, (void)chunk;
  openmp_begin_construct(reductions, memory);
  return from == NULL || take_unsigned(true, 0, counts[0], from, to);
}

OPENMP void GOMP_doacross_post(long* counts) { (void)counts; }
OPENMP void GOMP_doacross_wait(long first, ...) { (void)first; }
OPENMP void GOMP_doacross_ull_post(unsigned long long* counts) { (void)counts; }
OPENMP void GOMP_doacross_ull_wait(unsigned long long first, ...) { (void)first; }

OPENMP void GOMP_loop_end(void) { openmp_end_construct(); }
OPENMP void GOMP_loop_end_nowait(void) { openmp_end_construct(); }
OPENMP bool GOMP_loop_end_cancel(void) {
  openmp_end_construct();
  return false;
}
