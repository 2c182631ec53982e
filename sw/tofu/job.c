/* The ranks of a job, and their barrier (tofu_job.h). */
#include "sw/hal/hal.h"
#include "sw/tofu/context.h"
#include "sw/tofu/tofu_job.h"

utofu_vcq_id_t tofu_rank_vcq(int rank, utofu_tni_id_t tni_id, utofu_cmp_id_t cmp_id) {
  return vcq_id_make((uint32_t)hal_rank_node(rank), 0, tni_id,
                     (uint32_t)hal_rank_process(rank) * TOFU_COMPONENTS + cmp_id);
}

utofu_path_id_t tofu_own_path(void) { return (utofu_path_id_t)(1 + tofu_context()->position.node % TOFU_PATHS); }

/* Gate 0 of the barrier is where it starts and ends. Gate k > 0 waits for gate k - 1 here and for that of the rank
 * 2^(k-1) before this one; so a signal that has passed it means that twice as many ranks have come. */
static struct {
  uint32_t steps; /* 0: it is not wired, or there is one rank */
  uint32_t begun;
  volatile uint32_t done;
} barrier;

static uint32_t number_of(int rank, uint32_t gate) {
  return (uint32_t)hal_rank_process(rank) * TOFU_PROCESS_GATES + PROGRAM_GATES + gate;
}

static void wire(uint32_t gate, uint32_t steps) {
  const int self = hal_rank(), ranks = hal_ranks();
  struct tofudrv_set_gate request = {.gate = PROGRAM_GATES + gate, .done = gate == 0 ? hal_address(&barrier.done) : 0};
  struct tofu_gate* wired = &request.wired;
  wired->flags = TOFU_GATE_IN_USE | TOFU_GATE_LOCAL_SOURCE | TOFU_GATE_LOCAL_DESTINATION;
  wired->local_gate = number_of(self, gate == steps ? 0 : gate + 1);
  if (gate > 0) wired->flags |= TOFU_GATE_REMOTE_SOURCE;
  if (gate < steps) {
    const int further = (int)((self + (1ll << gate)) % ranks);
    wired->flags |= TOFU_GATE_REMOTE_DESTINATION;
    wired->remote_node = (uint32_t)hal_rank_node(further);
    wired->remote_gate = number_of(further, gate + 1);
  }
  tofu_request(TOFUDRV_SET_GATE, &request, "tofu_barrier");
}

static void wire_all(void) {
  while (1ll << barrier.steps < hal_ranks()) ++barrier.steps;
  for (uint32_t gate = 0; barrier.steps > 0 && gate <= barrier.steps; ++gate) wire(gate, barrier.steps);
}

void tofu_barrier_begin(void) {
  if (barrier.begun == 0) wire_all();
  ++barrier.begun;
  if (barrier.steps == 0)
    barrier.done = barrier.begun;
  else
    hal_write32(tofu_context()->gates + (uint64_t)PROGRAM_GATES * sizeof(uint32_t), 1);
}

int tofu_barrier_done(void) { return barrier.done == barrier.begun; }

const volatile uint32_t* tofu_barrier_word(uint32_t* seen) {
  *seen = barrier.begun - 1;
  return &barrier.done;
}

void tofu_barrier(void) {
  tofu_barrier_begin();
  while (!tofu_barrier_done()) hal_wait_word(&barrier.done, barrier.begun - 1, UINT64_MAX);
}
