/* Contexts, capabilities, virtual processes. */
#include "sw/elan3lib/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

void elan3_request(unsigned request, void* argument, const char* what) {
  if (hal_ioctl(request, argument) == 0) return;
  const char* reason = argument; /* the first member */
  char text[256];
  snprintf(text, sizeof text, "%s: %s", what, reason[0] ? reason : "this machine has no Elan3 driver");
  hal_abort(text);
}

void elan_getenvCap(ELAN_CAPABILITY* capability) {
  static int* nodes;
  if (!nodes) {
    nodes = malloc((size_t)hal_ranks() * sizeof *nodes);
    for (int rank = 0; rank < hal_ranks(); ++rank) nodes[rank] = hal_rank_node(rank);
  }
  *capability = (ELAN_CAPABILITY){.job = (uint32_t)hal_job(),
                                  .my_process = (uint32_t)hal_rank(),
                                  .processes = (uint32_t)hal_ranks(),
                                  .nodes = nodes};
}

ELAN3_CTX* elan3_init(void) {
  hal_require_card("elan3_init", "elan3");
  ELAN3_CTX* ctx = calloc(1, sizeof *ctx);
  for (uint32_t half = 0; half < ELAN_HALVES; ++half)
    extents_init(&ctx->elan_memory[half], ELAN_MEMORY_BASE + half * ELAN_MEMORY_BYTES, ELAN_MEMORY_BYTES);
  extents_init(&ctx->main_addresses, ELAN_MAIN_BASE, ELAN_MAIN_BYTES);
  return ctx;
}

void elan3_attach(ELAN3_CTX* ctx, const ELAN_CAPABILITY* capability) {
  struct elan3_attach_request request = {.capability = {.job = capability->job,
                                                        .my_process = capability->my_process,
                                                        .processes = capability->processes,
                                                        .nodes = hal_address(capability->nodes)},
                                         .blocked = (uint32_t)ctx->blocked};
  elan3_request(ELAN3_ATTACH, &request, "elan3_attach");
  ctx->attached = 1;
  ctx->process = capability->my_process;
  ctx->processes = capability->processes;
  ctx->command_port = request.command_port;
  ctx->sdram = request.sdram;
  ctx->has_broadcast = (int)request.has_broadcast;
}

void elan3_block_inputter(ELAN3_CTX* ctx, int blocked) {
  ctx->blocked = blocked;
  struct elan3_block_request request = {.blocked = (uint32_t)blocked};
  if (ctx->attached) elan3_request(ELAN3_BLOCK_INPUTTER, &request, "elan3_block_inputter");
}

void elan3_addvp(ELAN3_CTX* ctx, unsigned first, unsigned count) {
  (void)ctx;
  struct elan3_addvp_request request = {.first = first, .count = count};
  elan3_request(ELAN3_ADDVP, &request, "elan3_addvp");
}

unsigned elan3_setbcastvp(ELAN3_CTX* ctx, unsigned number, unsigned low, unsigned high, unsigned place) {
  (void)ctx;
  struct elan3_broadcast_request request = {.number = number, .low = low, .high = high, .place = place};
  elan3_request(ELAN3_BROADCAST_VP, &request, "elan3_setbcastvp");
  return request.process;
}

int elan3_hasbcast(const ELAN3_CTX* ctx) { return ctx->has_broadcast; }

unsigned elan3_process(const ELAN3_CTX* ctx) { return ctx->process; }

unsigned elan3_nprocs(const ELAN3_CTX* ctx) { return ctx->processes; }

uint32_t elan3_loadprogram(ELAN3_CTX* ctx, const char* name) {
  (void)ctx;
  struct elan3_program_request request = {.program = 0};
  strncpy(request.name, name, sizeof request.name - 1); /* no file has a longer one */
  elan3_request(ELAN3_LOAD_PROGRAM, &request, name);
  return request.program;
}
