/* The paper's benchmarks as traces (table 1 and section 4). */
#include <stdlib.h>
#include <string.h>

#include "sw/apps/traces/trace.h"
#include "sw/hal/hal.h"

void trace_add(struct trace* trace, enum instruction_kind kind, unsigned peer, uint64_t amount) {
  if (trace->count == trace->room) {
    trace->room = trace->room ? 2 * trace->room : 64;
    trace->instructions = realloc(trace->instructions, trace->room * sizeof *trace->instructions);
    if (!trace->instructions) hal_abort("trace_driven: the trace does not fit into the node's memory");
  }
  trace->instructions[trace->count++] = (struct instruction){kind, peer, amount};
  if (kind == SEND && amount > trace->largest) trace->largest = amount;
}

static void message(struct trace* trace, const struct benchmark* benchmark, enum instruction_kind kind, unsigned peer) {
  if (benchmark->compute_ps > 0) trace_add(trace, COMPUTE, 0, benchmark->compute_ps);
  trace_add(trace, kind, peer, benchmark->bytes);
}

/* Alternately there and back; the lower number of a pair begins. */
static void exchange(struct trace* trace, const struct benchmark* benchmark, unsigned partner) {
  const unsigned me = (unsigned)hal_rank();
  if (partner == me || partner >= (unsigned)hal_ranks()) return;
  const int first = me < partner;
  for (uint64_t i = 0; i < benchmark->messages; ++i) {
    message(trace, benchmark, first ? SEND : RECEIVE, partner);
    message(trace, benchmark, first ? RECEIVE : SEND, partner);
  }
}

/* Each processor in turn sends to all (TIMING.md: this order gives the paper's blocking times). */
static void all_to_all(struct trace* trace, const struct benchmark* benchmark) {
  const unsigned me = (unsigned)hal_rank(), count = (unsigned)hal_ranks();
  for (unsigned turn = 0; turn < count; ++turn)
    for (unsigned other = 0; other < count; ++other) {
      if (turn == me ? other == me : other > 0) continue;
      for (uint64_t i = 0; i < benchmark->messages; ++i)
        message(trace, benchmark, turn == me ? SEND : RECEIVE, turn == me ? other : turn);
    }
}

struct trace trace_benchmark(const struct benchmark* benchmark) {
  struct trace trace = {0};
  const unsigned me = (unsigned)hal_rank(), count = (unsigned)hal_ranks();
  if (strcmp(benchmark->name, "all-to-all") == 0)
    all_to_all(&trace, benchmark);
  else if (strcmp(benchmark->name, "ping-pong") == 0)
    exchange(&trace, benchmark, me == 0 ? count - 1 : me == count - 1 ? 0 : me);
  else if (strcmp(benchmark->name, "equal-dist") == 0)
    exchange(&trace, benchmark, (count / 2 + me) % count);
  else
    exchange(&trace, benchmark, count - 1 - me);
  return trace;
}
