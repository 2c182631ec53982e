/* Yields computing code, once keep_registers.S has saved its registers: in loops and at entries of
 * functions when its quantum is used up (sanvp_gave_way), and in a loop that only reads memory before each next turn
 * (sanvp_spun). */
#include "sw/hal/alarm.h"
#include "sw/hal/attached.h"
#include "sw/hal/hal.h"

static void (*look_for_others)(void);

void hal_while_computing(void (*look)(void)) { look_for_others = look; }

/* The program's own code has given way, not a library's: an alarm's handler is the program's, and a library must not be
 * called amid another call. */
static void amid_the_program(void) {
  static int inside;
  hal_ring_alarm_if_set();
  if (look_for_others == NULL || inside) return;
  inside = 1;
  look_for_others();
  inside = 0;
}

void hal_look_for_others(void) {
  if (look_for_others != NULL && hal_host_calls->calls->may_look(hal_host_calls->self)) amid_the_program();
}

/* Firmware has a host of another kind, and no quantum. */
__attribute__((visibility("hidden"), used)) void sanvp_gave_way(const struct hal_registers* registers,
                                                                const void* returns_to) {
  if (hal_host_calls == NULL) return;
  if (hal_host_calls->calls->gave_way(hal_host_calls->self, registers, returns_to)) amid_the_program();
}

__attribute__((visibility("hidden"), used)) void sanvp_spun(const struct hal_registers* registers,
                                                            const void* returns_to) {
  if (hal_host_calls == NULL) return;
  if (hal_host_calls->calls->spun(hal_host_calls->self, registers, returns_to, hal_alarm_rings_at_ps()))
    amid_the_program();
}
