/* A message of any length, as pieces of the card's maximum size, one after another; a shorter piece is the last. A
 * transfer is a structure of the caller, which must stay until it is done.
 */
#ifndef SANVP_MESSAGE_PORT_TRANSFER_H
#define SANVP_MESSAGE_PORT_TRANSFER_H

#include "sw/message_port/port.h"

struct port_transfer {
  struct port_operation operation; /* the piece under way */
  int receives;
  unsigned peer; /* of a receive from any: the sender, once the first piece has arrived */
  uint32_t tag;
  uint32_t mask;
  char* buffer;
  size_t bytes;  /* to send; of a receive: size of the buffer */
  size_t moved;  /* by the pieces that are done */
  char overflow; /* destination of a receive without a buffer */
};

void port_start_send(struct port_transfer* transfer, unsigned to, uint32_t tag, const void* buffer, size_t bytes);
void port_start_receive(struct port_transfer* transfer, unsigned from, uint32_t tag, uint32_t mask, void* buffer,
                        size_t room);
/* Returns whether it is done; starts its next piece if that is due. */
int port_test(struct port_transfer* transfer);
/* Returns the message's length, which may exceed the buffer's size. */
size_t port_finish(struct port_transfer* transfer);

#endif
