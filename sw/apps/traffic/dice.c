#include <math.h>

#include "sw/apps/traffic/traffic.h"
#include "sw/hal/hal.h"
#include "sw/hal/split_mix.h"

struct dice dice_for(const char* consumer) {
  return (struct dice){.state = hal_seed(consumer)};
}

uint64_t dice_next(struct dice* dice) { return split_mix(&dice->state); }

unsigned dice_below(struct dice* dice, unsigned limit) { return (unsigned)((dice_next(dice) >> 32) * limit >> 32); }

double dice_exponential(struct dice* dice, double mean) {
  const double uniform = ((double)(dice_next(dice) >> 11) + 0.5) / 9007199254740992.0; /* 2^53 */
  return -mean * log(uniform);
}
