/* Rank 0 runs firmware (tests/images/threads.c) that crashes in the way the argument says; the others wait for it for
 * ever. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/elanlib/elan.h"
#include "sw/hal/hal.h"

#define CRASH 11u /* of threads.c */

int main(int argc, char** argv) {
  ELAN_BASE* base = elan_baseInit();
  ELAN3_CTX* ctx = elan_ctx(base);
  if (hal_rank() == 0 && argc > 1) {
    static uint32_t words[64];
    const E3_Addr main = elan_address(base, words, sizeof words);
    const struct e3_thread thread = {.program = elan3_loadprogram(ctx, "../tests/threads"),
                                     .argument = {CRASH, main, (uint32_t)atoi(argv[1])}};
    const E3_Addr at = elan3_allocElan(ctx, 32, sizeof thread);
    elan3_copy32_to_sdram(ctx, &thread, at);
    elan3_runthread(ctx, at);
  }
  hal_sleep_ps(1000000000); /* 1 ms: the crash comes long before */
  elan_gsync(elan_allGroup(base));
  if (hal_rank() == 0) printf("PASS\n");
  return 0;
}
