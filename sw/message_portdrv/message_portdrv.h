/* Requests of processes to the driver of a card that carries messages, by hal_ioctl(), and their arguments.
 * sw/message_port makes them; programs call sw/vcp, sw/parix or MPI. */
#ifndef SANVP_MESSAGE_PORTDRV_H
#define SANVP_MESSAGE_PORTDRV_H

#include <stdint.h>

#include "sw/hal/hal.h"

/* Gives the calling process its page of the card. Returns 0, or -1 with the reason in `error`. */
struct message_portdrv_attach {
  char error[HAL_ERROR_BYTES];
  uint64_t page;                            /* out: bus address */
  uint64_t send_setup_ps, receive_setup_ps; /* out: what the processor has to do with each message */
};

enum message_portdrv_request { MESSAGE_PORTDRV_ATTACH = HAL_REQUEST(0x4d01, struct message_portdrv_attach) };

#endif
