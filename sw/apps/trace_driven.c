/* Trace-driven processors: compute, send, receive (Mesh of Clos paper 3 and 4; traces/trace.h)
 *
 * The trace is a file, or one of the paper's benchmarks. Messages are synchronous. Reports for each rank: how long a
 * send took, and how long it was idle in a receive, per packet of 128 bytes (figure 9).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/apps/synchronous/synchronous.h"
#include "sw/apps/traces/trace.h"
#include "sw/hal/hal.h"
#include "sw/support/options.h"

#define PACKET_BYTES 128 /* paper 4 */
#define UNITS "us"

struct tally {
  uint64_t sending_ps, receiving_ps; /* in the calls */
  uint64_t sent_packets, received_packets;
  uint64_t wrong;
};

static uint64_t packets(uint64_t bytes) { return bytes > 0 ? (bytes + PACKET_BYTES - 1) / PACKET_BYTES : 1; }

/* Every message begins and ends with its sender and its number between the two. */
static void stamp(char* buffer, uint64_t bytes, uint32_t value) {
  if (bytes < sizeof value) return;
  memcpy(buffer, &value, sizeof value);
  memcpy(buffer + bytes - sizeof value, &value, sizeof value);
}

static int is_stamped(const char* buffer, uint64_t bytes, uint32_t value) {
  if (bytes < sizeof value) return 1;
  return memcmp(buffer + bytes - sizeof value, &value, sizeof value) == 0 &&
         (bytes < 2 * sizeof value || memcmp(buffer, &value, sizeof value) == 0);
}

static struct tally trace_run(const struct synchronous* by, const struct trace* trace, char* buffer) {
  struct tally tally = {0};
  uint32_t* numbers = calloc(2 * (size_t)hal_ranks(), sizeof *numbers); /* of messages to and from each */
  for (const struct instruction* at = trace->instructions; at < trace->instructions + trace->count; ++at) {
    if (at->kind == COMPUTE) {
      hal_compute_ps(at->amount);
      continue;
    }
    const uint64_t start = hal_time_ps();
    uint32_t* number = &numbers[2 * at->peer + (at->kind == RECEIVE)];
    if (at->kind == SEND) {
      stamp(buffer, at->amount, ++*number << 10 | (uint32_t)hal_rank());
      by->send(at->peer, buffer, at->amount);
      tally.sending_ps += hal_time_ps() - start;
      tally.sent_packets += packets(at->amount);
    } else {
      const size_t bytes = by->receive(at->peer, buffer, trace->largest);
      tally.wrong += !is_stamped(buffer, bytes, ++*number << 10 | at->peer);
      tally.receiving_ps += hal_time_ps() - start;
      tally.received_packets += packets(bytes);
    }
  }
  free(numbers);
  return tally;
}

/* The mean over ranks is the mean of their own times; the last rank's is in ranks.csv. */
static void tell(const struct tally* tally, uint64_t span_ps) {
  hal_metric("run_us", (double)span_ps / 1e6, UNITS);
  hal_metric("sent_packets", (double)tally->sent_packets, "1");
  if (tally->sent_packets > 0)
    hal_metric("send_us_per_packet", (double)tally->sending_ps / 1e6 / (double)tally->sent_packets, UNITS);
  if (tally->received_packets > 0)
    hal_metric("receive_us_per_packet", (double)tally->receiving_ps / 1e6 / (double)tally->received_packets, UNITS);
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const char* file = options_text(&options, "file", "", "a trace; without one, a benchmark");
  struct benchmark benchmark = {
      .name = options_choice(&options, "benchmark", "equal-dist", "ping-pong|all-to-all|equal-dist|unequal-dist"),
      .bytes = options_size(&options, "bytes", "1K", "of each of a benchmark's messages"),
      .messages = options_size(&options, "messages", "0",
                               "to each of the others (all-to-all, 32) or to the partner (4096 by all together)"),
      .compute_ps = 1000 * options_size(&options, "compute-ns", "0", "that a benchmark computes before each message")};
  options_check(&options);
  if (hal_ranks() < 2) hal_abort("trace_driven wants two ranks or more");
  if (benchmark.messages == 0)
    benchmark.messages = strcmp(benchmark.name, "all-to-all") == 0 ? 32 : 4096 / (unsigned)hal_ranks(); /* paper 4 */

  const struct synchronous* by = synchronous_of_machine();
  const struct trace trace = *file ? trace_read(file) : trace_benchmark(&benchmark);
  char* buffer = malloc(trace.largest + 1);
  if (!buffer) hal_abort("trace_driven: there is no room for the largest message");
  by->start();
  const uint64_t start = hal_time_ps();
  const struct tally tally = trace_run(by, &trace, buffer);
  tell(&tally, hal_time_ps() - start);
  if (tally.wrong > 0)
    printf("FAIL: rank %d received %llu wrong messages\n", hal_rank(), (unsigned long long)tally.wrong);
  if (hal_rank() == 0 && tally.wrong == 0) printf("PASS\n");
  return tally.wrong > 0;
}
