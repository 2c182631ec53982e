/* What the drivers of such cards have in common, and what processes ask of them: requests of hal_ioctl(). */
#ifndef SANVP_MESSAGE_PORT_DRIVER_H
#define SANVP_MESSAGE_PORT_DRIVER_H

#include <stdint.h>

enum port_request { PORT_ATTACH = 0x4d01 };

/* Gives the calling process its page of the card. Answers 0, or -1 with the reason in `error` (constant text). */
struct port_attach_request {
  const char* error;
  uint64_t page;                            /* out: bus address */
  uint64_t send_setup_ps, receive_setup_ps; /* out: what the processor has to do with each message */
};

/* For hal_driver_boot and hal_driver_ioctl of a driver `name` for the card `card`. */
void port_driver_boot(const char* name, const char* card);
int64_t port_driver_ioctl(int process, unsigned request, void* argument);

#endif
