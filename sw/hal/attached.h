/* For the files of hal/ alone: the table that hal_attach has received. */
#ifndef SANVP_HAL_ATTACHED_H
#define SANVP_HAL_ATTACHED_H

#include "sw/abi/hal/host.h"

/* Null until hal_attach: code that runs before it (constructors) gets the C library's own services. */
extern const struct hal_host* hal_host_calls;

#endif
