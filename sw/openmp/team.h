/* What the innermost parallel region keeps. A region within it has its own, and leaves this one as it was. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct openmp_group; /* tasks.c: a taskgroup */

struct openmp_team {
  bool has_iterations;             /* of a combined construct such as parallel for, not yet taken by the thread */
  unsigned long long from, to;     /* these iterations */
  unsigned sections, next_section; /* of the innermost construct; numbered from 1 */
  void* scratch;                   /* of the innermost loop or sections construct; null: none */
  struct openmp_group* group;      /* the innermost taskgroup; null: none */
  int level;                       /* how many regions are around */
};

struct openmp_team* openmp_team(void);

/* Runs a region's function in a team of its own, which begins as `team`. */
void openmp_run(void (*function)(void*), void* data, struct openmp_team team);

/* What GCC's worksharing calls may ask for: a taskgroup with reductions, and zeroed memory, of whose size *memory is
 * told. Either may be null. */
void openmp_begin_construct(uintptr_t* reductions, void** memory);
void openmp_end_construct(void);

/* tasks.c, reductions.c */
void openmp_begin_group(void);
void openmp_end_group(void);
void openmp_register_reductions(uintptr_t* data);
uintptr_t** openmp_reductions_of_group(void); /* null: there is no taskgroup */
