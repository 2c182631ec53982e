/* Records for sw/transport (its channel.h has the rules) by a card that carries messages: a message each. */
#ifndef SANVP_MESSAGE_PORT_RECORDS_H
#define SANVP_MESSAGE_PORT_RECORDS_H

#include "sw/transport/channel.h"

extern const struct channel records_channel;

#endif
