/* Random draws of the storms: `draw` gives all ranks the same number, `next(&own, ...)` each rank its own. */
#ifndef PROGRAMS_DRAW_H
#define PROGRAMS_DRAW_H

#include <stdlib.h>

/* 0 .. most - 1 */
static unsigned next(unsigned* state, unsigned most) {
  *state = *state * 1664525u + 1013904223u;
  unsigned mixed = *state ^ *state >> 15;
  mixed *= 2246822519u;
  return (mixed ^ mixed >> 13) % most;
}

static unsigned common, own;
static int draw(int most) { return (int)next(&common, (unsigned)most); }

static void seed_draws(int seed, int rank) {
  common = (unsigned)seed * 977u;
  own = common + 31u * (unsigned)rank + 1;
}

/* The head of a storm: its numbers, of which the first is the seed, as the command line has them, if it has them. */
static void read_numbers(int argc, char** argv, int rank, int* const* numbers, int count) {
  for (int i = 0; i < count && i + 1 < argc; ++i) *numbers[i] = atoi(argv[i + 1]);
  seed_draws(*numbers[0], rank);
}

#endif
