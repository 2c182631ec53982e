/* A message of any length: pieces that the card takes, one after another; the first that is shorter than it could be
 * is the last. A transfer is a piece of the process's memory, which must stay until it is done.
 */
#ifndef SANVP_MESSAGE_PORT_TRANSFER_H
#define SANVP_MESSAGE_PORT_TRANSFER_H

#include "sw/message_port/port.h"

struct port_transfer {
  struct port_operation operation; /* the piece under way */
  int receives;
  unsigned peer; /* of a receive from any: the sender, as soon as something has come */
  uint32_t tag;
  uint32_t mask;
  char* buffer;
  size_t bytes;  /* to send; of a receive: room */
  size_t moved;  /* by the pieces that are done */
  char overflow; /* where a receive without room points to */
};

void port_start_send(struct port_transfer* transfer, unsigned to, uint32_t tag, const void* buffer, size_t bytes);
void port_start_receive(struct port_transfer* transfer, unsigned from, uint32_t tag, uint32_t mask, void* buffer,
                        size_t room);
/* Whether it is done; starts its next piece where that is due. */
int port_test(struct port_transfer* transfer);
/* Returns the message's length, which may be more than there was room for. */
size_t port_finish(struct port_transfer* transfer);

#endif
