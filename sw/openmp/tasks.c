/* Tasks run where they are created, each before the next: what they depend on has been done by then. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/openmp/openmp.h"
#include "sw/openmp/team.h"

/* gomp-constants.h */
enum { FINAL = 1 << 1, UPWARDS = 1 << 8, NO_GROUP = 1 << 11, REDUCTION = 1 << 12, DETACH = 1 << 13 };

struct openmp_group {
  struct openmp_group* outer;
  uintptr_t* reductions; /* the innermost description; null: none */
};

static bool is_final;

void openmp_begin_group(void) {
  struct openmp_team* const team = openmp_team();
  struct openmp_group* const group = malloc(sizeof *group);
  if (group == NULL) hal_abort("OpenMP: no memory for a taskgroup");
  /* Descriptions of outer groups are reached from those of this one. */
  *group = (struct openmp_group){team->group, team->group != NULL ? team->group->reductions : NULL};
  team->group = group;
}

void openmp_end_group(void) {
  struct openmp_team* const team = openmp_team();
  struct openmp_group* const group = team->group;
  if (group == NULL) return;
  team->group = group->outer;
  free(group);
}

uintptr_t** openmp_reductions_of_group(void) {
  struct openmp_group* const group = openmp_team()->group;
  return group != NULL ? &group->reductions : NULL;
}

OPENMP void GOMP_taskgroup_start(void) { openmp_begin_group(); }
OPENMP void GOMP_taskgroup_end(void) { openmp_end_group(); }
OPENMP void GOMP_taskwait(void) {}
OPENMP void GOMP_taskwait_depend(void** depend) { (void)depend; }
OPENMP void GOMP_taskyield(void) {}

/* The task's own copy of its data, if it needs one: in `room`, of `bytes` + `alignment` - 1. */
static void* copied(void (*copy)(void*, void*), void* data, char* room, long alignment) {
  const uintptr_t mask = (uintptr_t)alignment - 1;
  void* const own = (void*)(((uintptr_t)room + mask) & ~mask);
  copy(own, data);
  return own;
}

OPENMP void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes, long alignment,
                      bool may_wait, unsigned flags, void** depend, int priority, void* detach) {
  (void)may_wait, (void)depend, (void)priority, (void)detach;
  if ((flags & DETACH) != 0)
    hal_abort(
        "OpenMP: a task with the clause detach: it needs another thread, and a native rank is one; compile the "
        "program with --target riscv64");
  const bool was_final = is_final;
  is_final = is_final || (flags & FINAL) != 0;
  if (copy != NULL) {
    char room[bytes + alignment - 1];
    function(copied(copy, data, room, alignment));
  } else {
    function(data);
  }
  is_final = was_final;
}

/* One task with all iterations: its data begins with the first and the end, and then has the reductions' description.
 */
#define TASK_LOOP(call, type, is_empty)                                                                         \
  OPENMP void call(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes, long alignment, \
                   unsigned flags, unsigned long tasks, int priority, type start, type end, type step) {        \
    (void)tasks, (void)priority, (void)step;                                                                    \
    struct head {                                                                                               \
      type start, end;                                                                                          \
      uintptr_t* reductions;                                                                                    \
    };                                                                                                          \
    if (is_empty) return;                                                                                       \
    if ((flags & NO_GROUP) == 0) {                                                                              \
      openmp_begin_group();                                                                                     \
      if ((flags & REDUCTION) != 0) openmp_register_reductions(((struct head*)data)->reductions);               \
    }                                                                                                           \
    const bool was_final = is_final;                                                                            \
    is_final = is_final || (flags & FINAL) != 0;                                                                \
    char room[copy != NULL ? bytes + alignment - 1 : 1];                                                        \
    struct head* const own = copy != NULL ? copied(copy, data, room, alignment) : data;                         \
    own->start = start;                                                                                         \
    own->end = end;                                                                                             \
    function(own);                                                                                              \
    is_final = was_final;                                                                                       \
    if ((flags & NO_GROUP) == 0) openmp_end_group();                                                            \
  }
TASK_LOOP(GOMP_taskloop, long, step > 0 ? start >= end : start <= end)
TASK_LOOP(GOMP_taskloop_ull, unsigned long long, (flags & UPWARDS) != 0 ? start >= end : start <= end)

OPENMP int omp_in_final(void) { return is_final; }
OPENMP int omp_get_max_task_priority(void) { return 0; }
