/* Which process this is, and where the others run: asked for once, at the first need. */
#include "sw/hal/riscv/identity.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sw/abi/hal/files.h"
#include "sw/hal/hal.h"
#include "sw/hal/riscv/call.h"
#include "sw/hal/riscv/heap.h"

#define EXIT_STARTED_ELSEWHERE 2 /* an error of use, as sanvp's own */

/* By this section sanvp tells a program that communicates from one that only needs Linux. */
__attribute__((section(".sanvp.hal"), used, retain)) static const char communicates[] = "sanvp";

static _Noreturn void complain(const char* what) {
  extern char* program_invocation_short_name;
  fflush(stdout);
  fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
  _exit(EXIT_STARTED_ELSEWHERE);
}

const struct hal_riscv_identity* hal_riscv_identity(void) {
  static struct hal_riscv_identity identity;
  if (identity.version != 0) return &identity;
  hal_riscv_keep_heap();
  const int64_t result = hal_riscv_call(HAL_CALL_IDENTITY, (uint64_t)(uintptr_t)&identity, sizeof identity, 0, 0, 0, 0);
  if (result == -ENOSYS)
    complain("this program communicates through a virtual machine; start it by: sanvp run MACHINE PROGRAM");
  if (result != 0 || identity.version != HAL_CALLS_VERSION)
    complain("this program and sanvp are of different versions; link it again by this sanvp's sanvp-cc");
  return &identity;
}

int hal_rank(void) { return hal_riscv_identity()->rank; }
int hal_ranks(void) { return hal_riscv_identity()->ranks; }
int hal_job_processes(void) { return hal_ranks() + hal_io_servers(); }
int hal_job(void) { return hal_riscv_identity()->job; }
int hal_node(void) { return hal_riscv_identity()->node; }
int hal_nodes(void) { return hal_riscv_identity()->nodes; }
int hal_process(void) { return hal_riscv_identity()->process; }
const char* hal_card(void) { return hal_riscv_identity()->card; }

/* Nodes of all ranks, then their processes there. */
static const int32_t* places(void) {
  static int32_t* all;
  if (all) return all;
  const size_t ranks = (size_t)hal_job_processes();
  all = malloc(2 * ranks * sizeof *all);
  if (!all) hal_abort("no memory for the list of the job's nodes");
  hal_riscv_call(HAL_CALL_RANK_NODES, (uint64_t)(uintptr_t)all, (uint64_t)(uintptr_t)(all + ranks), ranks, 0, 0, 0);
  return all;
}

int hal_rank_node(int rank) { return places()[rank]; }
int hal_rank_process(int rank) { return places()[hal_job_processes() + rank]; }
