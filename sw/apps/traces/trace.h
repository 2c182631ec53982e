/* Instructions of a trace-driven processor (Mesh of Clos paper 3): compute, send, receive. From a file, or one of the
 * paper's four benchmarks (table 1).
 *
 * A file has a line for each instruction: the processor's number, the operation, and its arguments.
 *
 *   # what follows is no instruction
 *   0 compute 12.5us          ps, ns, us, ms or s
 *   0 send 1 2048             to processor 1, so many bytes
 *   1 receive 0               from processor 0
 */
#ifndef SANVP_APPS_TRACE_H
#define SANVP_APPS_TRACE_H

#include <stddef.h>
#include <stdint.h>

enum instruction_kind { COMPUTE, SEND, RECEIVE };

struct instruction {
  enum instruction_kind kind;
  unsigned peer;
  uint64_t amount; /* of a compute: ps; of a send: bytes */
};

struct trace {
  struct instruction* instructions;
  size_t count, room;
  uint64_t largest; /* bytes of a message, in all processors' traces */
};

void trace_add(struct trace* trace, enum instruction_kind kind, unsigned peer, uint64_t amount);

/* This processor's instructions in a file. An error in any processor's lines ends the program with its place. */
struct trace trace_read(const char* file);

struct benchmark {
  const char* name; /* ping-pong, all-to-all, equal-dist, unequal-dist */
  uint64_t bytes;
  uint64_t messages;   /* of all-to-all: to each of the others; else to the partner */
  uint64_t compute_ps; /* before each message */
};
struct trace trace_benchmark(const struct benchmark* benchmark);

#endif
