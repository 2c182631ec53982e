/* Records between a process and the barrier thread of its group's first node, in Elan memory, at the same Elan
 * address on every node. */
#ifndef SANVP_BARRIER_RECORDS_H
#define SANVP_BARRIER_RECORDS_H

#include "sw/abi/registers/elan3.h"

struct barrier_record {
  uint64_t arrived;              /* the last barrier that this node has reached, and what for: the network conditional
                                    tests 32 bits of it */
  struct e3_block_event release; /* set by broadcast; copies the word below to the process's memory */
  uint32_t word;
  uint32_t all_members;  /* broadcast virtual process of the group: the first node's alone */
  struct e3_event start; /* starts the thread, on the first node only */
  uint64_t spares[3];
};

#endif
