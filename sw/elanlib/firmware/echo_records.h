/* The message of a process to the input queue of an echo thread. */
#ifndef SANVP_ECHO_RECORDS_H
#define SANVP_ECHO_RECORDS_H

#include "sw/abi/registers/elan3.h"

struct echo_message {
  uint32_t process; /* that it goes back to */
  e3_addr to;       /* address there */
  e3_addr event;    /* to be set there; 0: none */
  uint32_t bytes;   /* of what follows, at most ECHO_MOST_BYTES */
};
#define ECHO_MOST_BYTES (4u * E3_BLOCK_BYTES) /* the set-event is a packet's fifth transaction */

#endif
