/* Reductions of tasks: GCC describes the variables of a construct, and asks in each task for the thread's private
 * copies. A description is a list of words. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/openmp/openmp.h"
#include "sw/openmp/team.h"

enum word {
  COUNT,  /* how many variables */
  BYTES,  /* of a thread's private copies */
  BEGIN,  /* told: their alignment. Answered: where they are */
  KIND,   /* of the allocator */
  OUTER,  /* the next description: of the same construct, and after it those around */
  FIRST,  /* answered: whether it is the first of a construct */
  END,    /* answered: where the copies end */
  HEADER, /* then of each variable: its address, where its copy is among all, and a word that is ours */
  WORDS_OF_VARIABLE = 3
};

static uintptr_t* outer(const uintptr_t* data) { return (uintptr_t*)data[OUTER]; }
static const uintptr_t* variable(const uintptr_t* data, uintptr_t number) {
  return data + HEADER + number * WORDS_OF_VARIABLE;
}

static void* zeroed(size_t alignment, size_t bytes) {
  void* memory = NULL;
  if (posix_memalign(&memory, alignment < sizeof(void*) ? sizeof(void*) : alignment, bytes > 0 ? bytes : 1) != 0)
    hal_abort("OpenMP: no memory for the copies of a reduction");
  return memset(memory, 0, bytes);
}

void openmp_register_reductions(uintptr_t* data) {
  uintptr_t** const innermost = openmp_reductions_of_group();
  if (innermost == NULL) hal_abort("OpenMP: a reduction of tasks outside of a taskgroup");
  for (uintptr_t* each = data;; each = outer(each)) {
    each[BEGIN] = (uintptr_t)zeroed(each[BEGIN], each[BYTES]);
    each[END] = each[BEGIN] + each[BYTES];
    each[FIRST] = each == data;
    if (each[OUTER] != 0) continue;
    each[OUTER] = (uintptr_t)*innermost;
    break;
  }
  *innermost = data;
}

OPENMP void GOMP_taskgroup_reduction_register(uintptr_t* data) {
  if (openmp_reductions_of_group() == NULL) openmp_begin_group(); /* outside of all: as long as the rank */
  openmp_register_reductions(data);
}

OPENMP void GOMP_taskgroup_reduction_unregister(uintptr_t* data) {
  uintptr_t* each = data;
  do {
    free((void*)each[BEGIN]);
    each = outer(each);
  } while (each != NULL && each[FIRST] == 0);
}

/* At the end of a worksharing construct. */
OPENMP void GOMP_workshare_task_reduction_unregister(_Bool is_cancelled) {
  (void)is_cancelled;
  uintptr_t* const data = *openmp_reductions_of_group();
  openmp_end_group();
  GOMP_taskgroup_reduction_unregister(data);
}

/* The variable with an address, or whose copy has it, and its description. */
struct found {
  const uintptr_t *data, *variable;
};

static struct found find(const uintptr_t* data, uintptr_t address) {
  for (; data != NULL; data = outer(data))
    for (uintptr_t i = 0; i < data[COUNT]; ++i) {
      const uintptr_t* const at = variable(data, i);
      if (at[0] == address || data[BEGIN] + at[1] == address) return (struct found){data, at};
    }
  hal_abort("OpenMP: in_reduction of a variable that no task_reduction around it has");
}

/* @param places  addresses of variables or of copies, which become those of this thread's copies. After them is room
 * for the addresses of the first `originals` variables themselves */
OPENMP void GOMP_task_reduction_remap(size_t count, size_t originals, void** places) {
  const uintptr_t* const* const innermost = (const uintptr_t* const*)openmp_reductions_of_group();
  for (size_t i = 0; i < count; ++i) {
    const struct found found = find(innermost != NULL ? *innermost : NULL, (uintptr_t)places[i]);
    places[i] = (void*)(found.data[BEGIN] + found.variable[1]);
    if (i < originals) places[count + i] = (void*)found.variable[0];
  }
}
