/* Ping-pong between rank 0 and a partner: half of the way there and back is a message's latency. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/apps/synchronous/synchronous.h"
#include "sw/hal/hal.h"
#include "sw/support/options.h"

struct pingpong {
  const struct synchronous* by;
  unsigned partner;
  unsigned count;
  char* buffer;
  size_t wrong;
};

static char pattern(size_t i, unsigned seed) { return (char)(i * 7 + i / 251 + seed); }

static size_t wrong_bytes(const char* buffer, size_t bytes, unsigned seed) {
  size_t wrong = 0;
  for (size_t i = 0; i < bytes; ++i) wrong += buffer[i] != pattern(i, seed);
  return wrong;
}

static void there_and_back(struct pingpong* ping, size_t bytes, unsigned seed) {
  hal_untimed_begin();
  for (size_t at = 0; at < bytes; ++at) ping->buffer[at] = pattern(at, seed);
  hal_untimed_end();
  ping->by->send(ping->partner, ping->buffer, bytes);
  hal_untimed_begin();
  memset(ping->buffer, 0, bytes);
  hal_untimed_end();
  const size_t got = ping->by->receive(ping->partner, ping->buffer, bytes);
  hal_untimed_begin();
  ping->wrong += got == bytes ? wrong_bytes(ping->buffer, bytes, seed) : bytes + 1;
  hal_untimed_end();
}

/* Microseconds of a message, as rank 0 sees it. The first there and back does not count: it may make a link. */
static double latency(struct pingpong* ping, size_t bytes) {
  there_and_back(ping, bytes, 0);
  const uint64_t start = hal_time_ps();
  for (unsigned i = 0; i < ping->count; ++i) there_and_back(ping, bytes, i + 1);
  return (double)(hal_time_ps() - start) / ping->count / 2e6;
}

static void answer(const struct pingpong* ping, size_t bytes) {
  for (unsigned i = 0; i < ping->count + 1; ++i)
    ping->by->send(0, ping->buffer, ping->by->receive(0, ping->buffer, bytes));
}

int pingpong(int argc, char** argv, const struct synchronous* (*choose)(const char* by), const char* choices) {
  struct options options;
  options_init(&options, argc, argv);
  const size_t least = options_size(&options, "least", "0", "bytes of the smallest message");
  const size_t most = options_size(&options, "most", "4K", "bytes of the largest; sizes double");
  const size_t partner = options_size(&options, "partner", "0", "rank 0's partner; 0: the last rank");
  const size_t count = options_size(&options, "count", "10", "messages there and back of each size");
  const char* by = choices ? (options_choice)(&options, "by", "link", choices) : "";
  options_check(&options);
  if (hal_ranks() < 2) hal_abort("a ping wants two ranks or more");
  struct pingpong ping = {.by = choose(by),
                          .partner = partner > 0 ? (unsigned)partner : (unsigned)hal_ranks() - 1,
                          .count = count > 0 ? (unsigned)count : 1,
                          .buffer = malloc(most + 1)};
  if (ping.partner >= (unsigned)hal_ranks()) hal_abort("--partner is not a rank of this job");
  if (!ping.buffer) hal_abort("there is no room for a message of --most bytes");

  ping.by->start();
  const int speaks = hal_rank() == 0;
  if (speaks) printf("%10s %14s %14s\n", "bytes", "latency_us", "bandwidth_MBps");
  for (size_t bytes = least; bytes <= most; bytes = bytes == 0 ? 1 : 2 * bytes) {
    if (hal_rank() == (int)ping.partner) answer(&ping, bytes);
    if (!speaks) continue;
    const double us = latency(&ping, bytes);
    printf("%10zu %14.3f %14.2f\n", bytes, us, (double)bytes / us);
    /* The metrics of a run with several sizes are those of the largest. */
    hal_metric("latency_us", us, "us");
    hal_metric("bandwidth_MBps", (double)bytes / us, "MB/s");
  }
  if (speaks) printf(ping.wrong > 0 ? "FAIL: %zu wrong bytes\n" : "PASS\n", ping.wrong);
  return ping.wrong > 0;
}
