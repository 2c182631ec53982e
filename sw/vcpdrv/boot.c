/* Driver of the Mesh of Clos' communication processor. */
#include "sw/hal/driver.h"
#include "sw/message_port/driver.h"

void hal_driver_boot(void) { port_driver_boot("vcpdrv", "vcp"); }

/* The card raises none: processes poll the words that it writes. */
void hal_driver_interrupt(void) {}

int64_t hal_driver_ioctl(int process, unsigned request, void* argument) {
  return port_driver_ioctl(process, request, argument);
}
