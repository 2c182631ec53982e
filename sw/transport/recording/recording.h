/* The transport of a run that is recorded. */
#ifndef SANVP_TRANSPORT_RECORDING_H
#define SANVP_TRANSPORT_RECORDING_H

#include "sw/transport/implementation.h"

/* Calls that tell of each message (sw/hal/record.h) and make it by `of`. What a card does for several processes at
 * once, as messages alone do not tell of it, is left to messages: there is no broadcast, there are no groups, and
 * `barrier` is the caller's. */
const struct transport_calls* transport_recorded(const struct transport_calls* of, void (*barrier)(void));

#endif
