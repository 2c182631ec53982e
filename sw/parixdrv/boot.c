/* Driver of the GCel's transputers: what of PARIX's kernel processes ask for. */
#include "sw/hal/driver.h"
#include "sw/message_port/driver.h"

void hal_driver_boot(void) { port_driver_boot("parixdrv", "transputer"); }

/* Nothing interrupts: processes poll the words that say what became of a message. */
void hal_driver_interrupt(void) {}

int64_t hal_driver_ioctl(int process, unsigned request, void* argument) {
  return port_driver_ioctl(process, request, argument);
}
