/* What the code of this image has spent: every basic block adds its price in picoseconds to `sanvp_spent`, which is
 * negative while the quantum lasts (scripts/images/count.py). The simulator takes what has come together at each call
 * of hal.h. */
#include <stdint.h>

/* Constructors run before the simulator has looked at it. */
int64_t sanvp_spent = INT64_MIN;
/* For the simulator: code has the name above hidden. */
int64_t* hal_spent = &sanvp_spent;
/* Scratch space for updates where the flags of the processor are in use, and behind `rep`. */
uint64_t sanvp_kept, sanvp_repeats;
