/* Barriers: their time, in software and in hardware, and whether they are barriers at all (QsNET paper 3.2;
 * FACTS.md 1.1).
 *
 * The check would notice a barrier that does nothing: before each barrier one rank, a different one each time, is
 * delayed, and every rank records when it left. No rank may leave before the late one came.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/elan.h"
#include "sw/hal/hal.h"
#include "sw/support/options.h"

#define LATE_PS 50000000ull /* 50 us: many times what a barrier takes */

typedef void (*barrier_function)(ELAN_GROUP*);

static void nothing(ELAN_GROUP* group) { (void)group; }

struct test {
  ELAN_BASE* base;
  barrier_function barrier;
  uint64_t* came; /* [ranks]: when each came to the barrier; symmetric */
  unsigned self, ranks;
};

/* Sends rank 0 a time of this rank; afterwards all have done so. */
static void gather(const struct test* test, uint64_t time) {
  uint64_t* mine = test->came + test->self;
  *mine = time;
  const E3_Addr address = elan_address(test->base, mine, sizeof *mine);
  if (test->self != 0) elan_wait(elan_put(test->base, address, address, sizeof *mine, 0), ELAN_POLL_EVENT);
  elan_gsync(elan_allGroup(test->base));
}

/* The number of ranks that left before the late one came. Rank 0 reports it; others return 0. */
static unsigned early_leavers(const struct test* test, unsigned rounds) {
  unsigned early = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned late = round % test->ranks;
    if (test->self == late) hal_sleep_ps(LATE_PS);
    const uint64_t came = hal_time_ps();
    test->barrier(elan_allGroup(test->base));
    const uint64_t left = hal_time_ps();
    gather(test, came);
    const uint64_t late_came = test->came[late];
    elan_gsync(elan_allGroup(test->base));
    gather(test, left);
    for (unsigned rank = 0; rank < test->ranks && test->self == 0; ++rank) early += test->came[rank] < late_came;
    elan_gsync(elan_allGroup(test->base));
  }
  return early;
}

static double time_us(const struct test* test, unsigned count) {
  elan_gsync(elan_allGroup(test->base));
  test->barrier(elan_allGroup(test->base));
  const uint64_t start = hal_time_ps();
  for (unsigned i = 0; i < count; ++i) test->barrier(elan_allGroup(test->base));
  return (double)(hal_time_ps() - start) / count / 1e6;
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const char* kind = options_choice(&options, "kind", "hardware", "hardware|software|none");
  const unsigned count = (unsigned)options_size(&options, "count", "20", "barriers timed");
  const unsigned rounds = (unsigned)options_size(&options, "rounds", "4", "barriers with a late rank");
  options_check(&options);
  struct test test = {.base = elan_baseInit(), .self = (unsigned)hal_rank(), .ranks = (unsigned)hal_ranks()};
  test.barrier = strcmp(kind, "hardware") == 0 ? elan_hgsync : strcmp(kind, "software") == 0 ? elan_gsync : nothing;
  test.came = elan_gallocMain(test.base, test.ranks * sizeof *test.came);
  const double us = time_us(&test, count > 0 ? count : 1);
  const unsigned early = early_leavers(&test, rounds);
  if (test.self != 0) return 0;
  hal_metric("time_us", us, "us");
  if (test.barrier == elan_hgsync && !elan_hardware(elan_allGroup(test.base)))
    printf("note: no hardware barrier here (nodes that are no neighbours, or failed parts): it is made in software\n");
  printf("barrier %s: %u ranks, time_us %.3f\n", kind, test.ranks, us);
  if (early > 0) printf("FAIL: %u times a rank left a barrier before the last had come\n", early);
  if (early == 0) printf("PASS\n");
  return early > 0;
}
