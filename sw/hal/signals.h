/* For the files of hal/ alone. */
#ifndef SANVP_HAL_SIGNALS_H
#define SANVP_HAL_SIGNALS_H

#include <signal.h>

/* Whether a signal is blocked now. */
int hal_is_blocked(int number);

/* Makes `mask` the mask of blocked signals (null: leaves it), and keeps the present one in `before`. Returns whether
 * that let a blocked signal through. */
int hal_change_mask(const sigset_t* mask, sigset_t* before);

#endif
