/* What processes ask of the driver of a card that carries messages: requests of hal_ioctl() and their arguments.
 * sw/message_port makes them; programs call sw/vcp, sw/parix or MPI. */
#ifndef SANVP_MESSAGE_PORTDRV_H
#define SANVP_MESSAGE_PORTDRV_H

#include <stdint.h>

enum message_portdrv_request { MESSAGE_PORTDRV_ATTACH = 0x4d01 };

/* Gives the calling process its page of the card. Answers 0, or -1 with the reason in `error` (constant text). */
struct message_portdrv_attach {
  const char* error;
  uint64_t page;                            /* out: bus address */
  uint64_t send_setup_ps, receive_setup_ps; /* out: what the processor has to do with each message */
};

#endif
