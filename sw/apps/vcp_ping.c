/* Ping-pong between two processes of a Mesh of Clos through their VCPs (Mesh of Clos paper, figure 5).
 *
 * Rank 0 sends to each partner in turn, which sends the same bytes back; half of the way there and back is a message's
 * latency. Every byte is checked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/support/options.h"
#include "sw/vcp/vcp.h"

static char pattern(size_t i, unsigned seed) { return (char)(i * 7 + i / 251 + seed); }

static size_t wrong_bytes(const char* buffer, size_t bytes, unsigned seed) {
  size_t wrong = 0;
  for (size_t i = 0; i < bytes; ++i) wrong += buffer[i] != pattern(i, seed);
  return wrong;
}

/* Microseconds of a message, as rank 0 sees it. */
static double ping(unsigned partner, char* buffer, size_t bytes, unsigned count, size_t* wrong) {
  const uint64_t start = hal_time_ps();
  for (unsigned i = 0; i < count; ++i) {
    for (size_t at = 0; at < bytes; ++at) buffer[at] = pattern(at, i);
    vcp_send(partner, buffer, bytes);
    memset(buffer, 0, bytes);
    const size_t got = vcp_recv(partner, buffer, bytes, NULL);
    *wrong += got == bytes ? wrong_bytes(buffer, bytes, i) : bytes + 1;
  }
  return (double)(hal_time_ps() - start) / count / 2e6;
}

static void answer(char* buffer, size_t bytes, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const size_t got = vcp_recv(0, buffer, bytes, NULL);
    vcp_send(0, buffer, got);
  }
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const size_t least = options_size(&options, "least", "0", "bytes of the smallest message");
  const size_t most = options_size(&options, "most", "4K", "bytes of the largest; sizes double");
  const size_t only = options_size(&options, "partner", "0", "rank 0's partner; 0: the last rank");
  const size_t count = options_size(&options, "count", "10", "messages there and back of each size");
  options_check(&options);
  if (hal_ranks() < 2) hal_abort("vcp_ping wants two ranks or more");
  const unsigned partner = only > 0 ? (unsigned)only : (unsigned)hal_ranks() - 1;
  if (partner >= (unsigned)hal_ranks()) hal_abort("--partner is not a rank of this job");

  vcp_init();
  char* buffer = malloc(most + 1);
  size_t wrong = 0;
  if (hal_rank() == 0) printf("%10s %14s %14s\n", "bytes", "latency_us", "bandwidth_MBps");
  for (size_t bytes = least; bytes <= most; bytes = bytes == 0 ? 1 : 2 * bytes) {
    if (hal_rank() == (int)partner) answer(buffer, bytes, (unsigned)count);
    if (hal_rank() != 0) continue;
    const double us = ping(partner, buffer, bytes, (unsigned)count, &wrong);
    printf("%10zu %14.3f %14.2f\n", bytes, us, (double)bytes / us);
    hal_metric("latency_us", us, "us");
    hal_metric("bandwidth_MBps", (double)bytes / us, "MB/s");
  }
  if (hal_rank() == 0) printf(wrong > 0 ? "FAIL: %zu wrong bytes\n" : "PASS\n", wrong);
  return wrong > 0;
}
