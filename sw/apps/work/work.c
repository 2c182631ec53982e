/* See work.h. */
#include "sw/apps/work/work.h"

#include <string.h>

#include "sw/hal/hal.h"

#define TRIALS 5
#define TURNS 500

struct work work_option(struct options* options) {
  return (struct work){.is_loop = strcmp(options_choice(options, "work", "loop", "loop|stated"), "loop") == 0};
}

static volatile double result;

/* Four divisions that do not depend on each other: the simulating computer overlaps them. */
static __attribute__((noinline)) void turn(uint64_t turns) {
  double a = 1.1, b = 1.2, c = 1.3, d = 1.4;
  for (uint64_t i = 0; i < turns; ++i) {
    a = 1.0 / a;
    b = 1.0 / b;
    c = 1.0 / c;
    d = 1.0 / d;
  }
  result = a + b + c + d;
}

static double time_us(uint64_t turns) {
  const uint64_t start = hal_time_ps();
  turn(turns);
  return (double)(hal_time_ps() - start) / HAL_PS_PER_US;
}

/* Daemons of the system may lengthen some trials. */
static double least_time_us(uint64_t turns) {
  double least = time_us(turns);
  for (int i = 1; i < TRIALS; ++i) {
    const double us = time_us(turns);
    if (us < least) least = us;
  }
  return least;
}

/* By a difference, which excludes the time of reading the clock. */
void work_calibrate(struct work* work) {
  if (!work->is_loop) return;
  work->turn_us = (least_time_us(2 * TURNS) - least_time_us(TURNS)) / TURNS;
  if (work->turn_us <= 0) work->is_loop = 0;
}

double work_for_us(const struct work* work, double us) {
  if (us <= 0) return 0;
  if (!work->is_loop) {
    hal_compute_ps((uint64_t)(us * HAL_PS_PER_US));
    return us;
  }
  const uint64_t turns = (uint64_t)(us / work->turn_us + 0.5);
  turn(turns);
  return (double)turns * work->turn_us;
}
