/* Makes system calls of hal.h and accesses to the card with arguments that no library passes, until one ends it: the
 * simulator must refuse them or do what they say, and go on. The seed is by rank and argument. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sw/abi/hal/riscv_calls.h"
#include "sw/hal/hal.h"

static uint64_t state;

static uint64_t draw(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}

static char memory[1 << 16];

/* Sizes and addresses at the edges of what there is. */
static uint64_t argument(void) {
  const uint64_t window = UINT64_C(1) << 32, device = hal_device((int)(draw() % 4));
  switch (draw() % 100) {
    case 0:
      return draw();
    case 1:
      return draw() % 64;
    case 2:
      return (uint64_t)0 - draw() % 64;
    case 3:
      return UINT64_C(1) << draw() % 64;
    case 4:
      return window - draw() % 8192;
    case 5:
      return device + draw() % (1 << 20);
    case 6:
      return (uint64_t)(uintptr_t)&state + draw() % 65536 - 32768; /* of the stack or beside it */
    case 7:
      return hal_bus_address(memory) + draw() % sizeof memory;
    default:
      return (uint64_t)(uintptr_t)memory + draw() % sizeof memory;
  }
}

static int64_t call(uint64_t number, const uint64_t* arguments) {
  register uint64_t a0 __asm__("a0") = arguments[0];
  register uint64_t a1 __asm__("a1") = arguments[1];
  register uint64_t a2 __asm__("a2") = arguments[2];
  register uint64_t a3 __asm__("a3") = arguments[3];
  register uint64_t a4 __asm__("a4") = arguments[4];
  register uint64_t a5 __asm__("a5") = arguments[5];
  register uint64_t a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a7) : "memory");
  return (int64_t)a0;
}

int main(int argc, char** argv) {
  state = (uint64_t)(argc > 1 ? atoi(argv[1]) : 1) * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)hal_rank() + 1;
  for (int i = 0; i < 64; ++i) draw();
  for (size_t i = 0; i < sizeof memory; i += 8) memory[i] = (char)draw();
  for (int i = 0; i < 2000; ++i) {
    uint64_t arguments[6];
    for (int k = 0; k < 6; ++k) arguments[k] = argument();
    const uint64_t number = HAL_CALL_IDENTITY + draw() % (HAL_CALLS_END - HAL_CALL_IDENTITY + 1);
    if (number == HAL_CALL_END_JOB || number == HAL_CALL_ABORT) continue;
    if (number == HAL_CALL_IOCTL && draw() % 4) arguments[0] = draw() % 12 | (draw() % 300) << 16;
    if (number == HAL_CALL_SLEEP_PS || number == HAL_CALL_COMPUTE_PS) arguments[0] %= HAL_PS_PER_S;
    if (number == HAL_CALL_INSTRUCTIONS || number == HAL_CALL_MEMORY_COPIED) arguments[0] %= 1000000;
    if (number == HAL_CALL_WAIT_WORDS) arguments[3] = hal_time_ps() + draw() % HAL_PS_PER_MS; /* or it waits for ever */
    call(number, arguments);
    if (draw() % 16 == 0)
      *(volatile uint32_t*)(uintptr_t)(hal_device(0) + (draw() % 65536 & ~UINT64_C(3))) = (uint32_t)draw();
  }
  return 0;
}
