/* A process's side of a card that carries messages (models/nic/message_port): the basis of sw/vcp and sw/parix.
 *
 * An operation is a structure of the caller, which must stay until it is done. A send is done when the receiver has the
 * whole message. Errors of the card end the job with a message that names the library.
 */
#ifndef SANVP_MESSAGE_PORT_H
#define SANVP_MESSAGE_PORT_H

#include <stddef.h>
#include <stdint.h>

#include "sw/abi/registers/message_port.h"

#define PORT_ANY UINT32_MAX /* a receive from any rank */

struct port_operation {
  _Alignas(32) volatile struct message_status status; /* within a cache line, so that it is written at once */
};

/* Once per process. `library` is its name in messages; `card` is the required NIC. Opening it again does nothing. */
void port_open(const char* library, const char* card);

/* At most MESSAGE_MOST_BYTES. */
void port_send(struct port_operation* operation, unsigned to, uint32_t tag, const void* buffer, size_t bytes);
void port_receive(struct port_operation* operation, unsigned from, uint32_t tag, uint32_t mask, void* buffer,
                  size_t room);
/* Done when there is a message that such a receive would take. */
void port_probe(struct port_operation* operation, unsigned from, uint32_t tag, uint32_t mask);
/* For a receive or probe. Returns when it is done either way: 1 if it was cancelled before a message had arrived. */
int port_cancel(struct port_operation* operation);

/* From now on `operation` counts this process's sends that do not reach their node, in `status.state`, from 0. */
void port_count_unreachable(struct port_operation* operation);

int port_done(const struct port_operation* operation);
void port_wait(const struct port_operation* operation);
/* The word that differs from MESSAGE_PENDING when the operation is done: for hal_wait_words. */
const volatile uint32_t* port_word(const struct port_operation* operation);
/* For a completed receive: the message's sender, and its length, which may exceed the buffer's. */
unsigned port_source(const struct port_operation* operation);
static inline size_t port_bytes(const struct port_operation* operation) { return operation->status.bytes; }

#endif
