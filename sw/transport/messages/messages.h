/* transport.h on any channel (channel.h): what a card that only carries records leaves to the host. */
#ifndef SANVP_TRANSPORT_MESSAGES_H
#define SANVP_TRANSPORT_MESSAGES_H

#include "sw/transport/channel.h"
#include "sw/transport/implementation.h"

/* The channel that messages_calls are made with; before the first of them. */
void messages_use(const struct channel* channel);

extern const struct transport_calls messages_calls;

#endif
