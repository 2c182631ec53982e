/* What the image's code has spent and the simulator has not yet taken: counted code adds to it, and so do calls of the
 * C library (charge.h). */
#include "sw/hal/host.h"
#include "sw/hal/library.h"

#define OF_IMAGE __attribute__((visibility("hidden")))

OF_IMAGE int64_t sanvp_spent;                /* picoseconds; negative while a quantum lasts */
OF_IMAGE uint64_t sanvp_kept, sanvp_repeats; /* scratch space of counted code */

/* Free of charge: before hal_attach, and in firmware. */
static const struct hal_library_price no_prices[HAL_LIBRARY_CALLS];

OF_IMAGE const struct hal_library_price* hal_library_prices = no_prices;
