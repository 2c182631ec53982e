/* The driver of tests/models/host.cpp: counts interrupts. */
#include "sw/abi/hal/driver.h"
#include "sw/hal/hal.h"

static int interrupts;

void hal_driver_boot(void) {
  for (int process = 0; process < hal_process_count(); ++process) hal_grant(process, hal_device(0), 64);
  hal_compute_ps(1000000);
}

void hal_driver_interrupt(void) {
  ++interrupts;
  hal_compute_ps(3000000);
  hal_write32(hal_device(0) + 8 * 3, 0); /* register 3 lowers the line */
}

int64_t hal_driver_ioctl(int process, unsigned request, void* argument) {
  (void)argument;
  return process == 0 && request == 7 ? interrupts : -1;
}
