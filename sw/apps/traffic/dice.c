#include <math.h>

#include "sw/apps/traffic/traffic.h"

/* SplitMix64, by Steele, Lea and Flood: a counter, mixed. */
uint64_t dice_next(struct dice* dice) {
  uint64_t z = dice->state += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

unsigned dice_below(struct dice* dice, unsigned limit) { return (unsigned)((dice_next(dice) >> 32) * limit >> 32); }

double dice_exponential(struct dice* dice, double mean) {
  const double uniform = ((double)(dice_next(dice) >> 11) + 0.5) / 9007199254740992.0; /* 2^53 */
  return -mean * log(uniform);
}
