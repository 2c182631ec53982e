/* Facts that the simulator tells a program once. For the files of this folder. */
#ifndef SANVP_HAL_RISCV_IDENTITY_H
#define SANVP_HAL_RISCV_IDENTITY_H

#include "sw/abi/hal/riscv_calls.h"

/* Ends a program that does not run on the simulator, with one line that says how to run it. */
const struct hal_riscv_identity* hal_riscv_identity(void);

#endif
