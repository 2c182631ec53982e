/* The time that this image's code has spent and the simulator has not yet taken: every basic block adds its price in
 * picoseconds (scripts/images/count.py), and so do calls of the C library (charge.h). */
#include "sw/abi/hal/host.h"
#include "sw/abi/hal/library.h"
#include "sw/hal/hal.h"

#define OF_IMAGE __attribute__((visibility("hidden")))

/* Negative while a quantum lasts. Constructors run before the simulator has looked at it. */
OF_IMAGE int64_t sanvp_spent = INT64_MIN;
/* Scratch space: for updates while the processor's flags are in use, and after `rep`. */
OF_IMAGE uint64_t sanvp_kept, sanvp_repeats;

/* For the simulator. */
int64_t* sanvp_counter = &sanvp_spent;

static int64_t before;

void hal_untimed_begin(void) {
  before = sanvp_spent;
  sanvp_spent = INT64_MIN;
}

void hal_untimed_end(void) { sanvp_spent = before; }

/* Free of charge: before hal_attach, and in firmware. */
static const struct hal_library_price no_prices[HAL_LIBRARY_CALLS];

OF_IMAGE const struct hal_library_price* hal_library_prices = no_prices;
