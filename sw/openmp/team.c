#include "sw/openmp/team.h"

#include <stdio.h>
#include <stdlib.h>

#include "sw/openmp/openmp.h"

static struct openmp_team innermost;

struct openmp_team* openmp_team(void) {
  return &innermost;
}

void openmp_run(void (*function)(void*), void* data, struct openmp_team team) {
  const struct openmp_team outer = innermost;
  innermost = team;
  innermost.level = outer.level + 1;
  function(data);
  innermost = outer;
}

void openmp_begin_construct(uintptr_t* reductions, void** memory) {
  if (reductions != NULL) {
    openmp_begin_group();
    openmp_register_reductions(reductions);
  }
  if (memory == NULL) return;
  innermost.scratch = calloc(1, (size_t)*memory);
  *memory = innermost.scratch;
}

void openmp_end_construct(void) {
  free(innermost.scratch);
  innermost.scratch = NULL;
}

OPENMP void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags) {
  (void)threads, (void)flags;
  openmp_run(function, data, (struct openmp_team){0});
}

/* The reductions' description is what the data begins with. @return how many threads the team has */
OPENMP unsigned GOMP_parallel_reductions(void (*function)(void*), void* data, unsigned threads, unsigned flags) {
  (void)threads, (void)flags;
  const struct openmp_team outer = innermost;
  innermost = (struct openmp_team){.level = outer.level + 1};
  openmp_begin_group();
  openmp_register_reductions(*(uintptr_t**)data);
  function(data);
  openmp_end_group();
  innermost = outer;
  return 1;
}

OPENMP void GOMP_teams_reg(void (*function)(void*), void* data, unsigned teams, unsigned limit, unsigned flags) {
  (void)teams, (void)limit, (void)flags;
  function(data);
}

OPENMP bool GOMP_teams4(unsigned lowest, unsigned highest, unsigned limit, bool is_first) {
  (void)lowest, (void)highest, (void)limit;
  return is_first; /* one team */
}

/* Sections. */

OPENMP unsigned GOMP_sections_next(void) {
  return innermost.next_section > innermost.sections ? 0 : innermost.next_section++;
}

OPENMP unsigned GOMP_sections_start(unsigned count) {
  innermost.sections = count;
  innermost.next_section = 1;
  return GOMP_sections_next();
}

OPENMP unsigned GOMP_sections2_start(unsigned count, uintptr_t* reductions, void** memory) {
  openmp_begin_construct(reductions, memory);
  return GOMP_sections_start(count);
}

OPENMP void GOMP_parallel_sections(void (*function)(void*), void* data, unsigned threads, unsigned count,
                                   unsigned flags) {
  (void)threads, (void)flags;
  openmp_run(function, data, (struct openmp_team){.sections = count, .next_section = 1});
}

OPENMP void GOMP_sections_end(void) { openmp_end_construct(); }
OPENMP void GOMP_sections_end_nowait(void) { openmp_end_construct(); }
OPENMP bool GOMP_sections_end_cancel(void) {
  openmp_end_construct();
  return false;
}

OPENMP void GOMP_scope_start(uintptr_t* reductions) { openmp_begin_construct(reductions, NULL); }

/* The one thread executes what one thread is to execute, alone, in order, and before any other. */

OPENMP bool GOMP_single_start(void) { return true; }
OPENMP void* GOMP_single_copy_start(void) { return NULL; }
OPENMP void GOMP_single_copy_end(void* data) { (void)data; }
OPENMP void GOMP_barrier(void) {}
OPENMP bool GOMP_barrier_cancel(void) { return false; }
OPENMP bool GOMP_cancel(int which, bool is_asked) {
  (void)which, (void)is_asked;
  return false; /* as without OMP_CANCELLATION */
}
OPENMP bool GOMP_cancellation_point(int which) {
  (void)which;
  return false;
}
OPENMP void GOMP_critical_start(void) {}
OPENMP void GOMP_critical_end(void) {}
OPENMP void GOMP_critical_name_start(void** name) { (void)name; }
OPENMP void GOMP_critical_name_end(void** name) { (void)name; }
OPENMP void GOMP_atomic_start(void) {}
OPENMP void GOMP_atomic_end(void) {}
OPENMP void GOMP_ordered_start(void) {}
OPENMP void GOMP_ordered_end(void) {}

/* The directive error, at execution. */

OPENMP void GOMP_warning(const char* text, size_t length) {
  if (text == NULL) text = "", length = 0;
  if (length == SIZE_MAX)
    fprintf(stderr, "OpenMP: warning directive encountered: %s\n", text);
  else
    fprintf(stderr, "OpenMP: warning directive encountered: %.*s\n", (int)length, text);
}

OPENMP void GOMP_error(const char* text, size_t length) {
  if (text == NULL) text = "", length = 0;
  if (length == SIZE_MAX)
    fprintf(stderr, "OpenMP: error directive encountered: %s\n", text);
  else
    fprintf(stderr, "OpenMP: error directive encountered: %.*s\n", (int)length, text);
  exit(EXIT_FAILURE);
}
