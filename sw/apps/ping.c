/* Unidirectional and bidirectional ping between pairs of ranks (QsNET paper 4.1, 4.2; figures 9 and 10).
 *
 * Ranks i and i + n/2 are partners. The latency of a message is the time from its post to the partner's knowing that it
 * is there; the clocks of this machine agree, so it is measured at both ends. Every message's bytes are checked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/apps/levels/levels.h"
#include "sw/hal/hal.h"
#include "sw/support/options.h"

struct ping {
  const struct level* level;
  void* state;
  int bidirectional, first; /* first: this rank begins */
  unsigned warm, count;     /* messages not measured, and measured */
};

/* Messages there and back. Sums up when each of ours left, or the partner's arrived. */
static uint64_t one_way(const struct ping* ping, size_t bytes) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < ping->warm + ping->count; ++i) {
    const uint64_t start = hal_time_ps();
    if (ping->first) {
      ping->level->send(ping->state, bytes);
      sum += i < ping->warm ? 0 : start;
      ping->level->receive(ping->state, bytes);
    } else {
      ping->level->receive(ping->state, bytes);
      sum += i < ping->warm ? 0 : hal_time_ps();
      ping->level->send(ping->state, bytes);
    }
  }
  return sum;
}

static uint64_t both_ways(const struct ping* ping, size_t bytes) {
  uint64_t start = 0;
  for (unsigned i = 0; i < ping->warm + ping->count; ++i) {
    if (i == ping->warm) start = hal_time_ps();
    ping->level->exchange(ping->state, bytes);
  }
  return hal_time_ps() - start;
}

/* Microseconds of a message. */
static double measure(const struct ping* ping, size_t bytes) {
  ping->level->barrier(ping->state);
  const uint64_t mine = ping->bidirectional ? both_ways(ping, bytes) : one_way(ping, bytes);
  const uint64_t theirs = ping->level->swap(ping->state, mine);
  if (ping->bidirectional) return (double)(mine > theirs ? mine : theirs) / ping->count / 1e6;
  return (double)(int64_t)(ping->first ? theirs - mine : mine - theirs) / ping->count / 1e6;
}

static void tell(size_t bytes, double us) {
  printf("%10zu %14.3f %14.2f\n", bytes, us, (double)bytes / us);
  /* The metrics of a run with several sizes are those of the largest. */
  hal_metric("latency_us", us, "us");
  hal_metric("bandwidth_MBps", (double)bytes / us, "MB/s");
}

static int ping_run(struct ping* ping, size_t least, size_t most) {
  size_t wrong = 0;
  const int speaks = hal_rank() == 0;
  if (speaks) printf("%10s %14s %14s\n", "bytes", ping->bidirectional ? "time_us" : "latency_us", "bandwidth_MBps");
  for (size_t bytes = least; bytes <= most; bytes = bytes == 0 ? 1 : 2 * bytes) {
    const unsigned seed = (unsigned)bytes + 1;
    ping->level->fill(ping->state, bytes, seed);
    const double us = measure(ping, bytes);
    wrong += ping->level->wrong(ping->state, bytes, seed);
    if (speaks) tell(bytes, us);
    ping->level->barrier(ping->state);
  }
  if (wrong > 0) printf("FAIL: rank %d received %zu wrong bytes\n", hal_rank(), wrong);
  return wrong > 0;
}

/* The level closest to the card; MPI runs with any. */
static const char* lowest_level(void) { return strcmp(hal_card(), "elan3") == 0 ? "elan3" : "mpi"; }

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const char* level = options_choice(&options, "level", lowest_level(), LEVEL_NAMES);
  const char* memory = options_choice(&options, "memory", "main", "main|elan");
  const char* direction = options_choice(&options, "direction", "uni", "uni|bi");
  const size_t least = options_size(&options, "least", "0", "bytes of the smallest message");
  const size_t most = options_size(&options, "most", "64K", "bytes of the largest; sizes double");
  const size_t count = options_size(&options, "count", "10", "messages measured of each size");
  options_check(&options);
  if (hal_ranks() < 2 || hal_ranks() % 2 != 0) hal_abort("ping wants an even number of ranks: give --np 2");

  const int half = hal_ranks() / 2;
  struct ping ping = {.level = level_find(level),
                      .bidirectional = strcmp(direction, "bi") == 0,
                      .first = hal_rank() < half,
                      .warm = 2,
                      .count = count > 0 ? (unsigned)count : 1};
  ping.state = ping.level->create(most, strcmp(memory, "elan") == 0, (hal_rank() + half) % hal_ranks());
  if (hal_rank() == 0) printf("ping %s, %s memory, %s\n", level, memory, direction);
  const int wrong = ping_run(&ping, least, most);
  if (hal_rank() == 0 && !wrong) printf("PASS\n");
  return wrong;
}
