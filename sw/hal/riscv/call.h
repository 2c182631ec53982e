/* A system call to the simulator: the number in a7, arguments in a0 to a5, the result in a0. For hal.c alone. */
#ifndef SANVP_HAL_RISCV_CALL_H
#define SANVP_HAL_RISCV_CALL_H

#include "sw/abi/hal/riscv_calls.h"

static inline int64_t hal_riscv_call(enum hal_riscv_call number, uint64_t argument0, uint64_t argument1,
                                     uint64_t argument2, uint64_t argument3, uint64_t argument4, uint64_t argument5) {
  register uint64_t a7 __asm__("a7") = (uint64_t)number;
  register uint64_t a0 __asm__("a0") = argument0;
  register uint64_t a1 __asm__("a1") = argument1;
  register uint64_t a2 __asm__("a2") = argument2;
  register uint64_t a3 __asm__("a3") = argument3;
  register uint64_t a4 __asm__("a4") = argument4;
  register uint64_t a5 __asm__("a5") = argument5;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5) : "memory");
  return (int64_t)a0;
}

#endif
