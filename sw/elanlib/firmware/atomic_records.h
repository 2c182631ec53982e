/* A request to the atomics thread of another process, in a slot of that thread's input queue. */
#ifndef SANVP_ATOMIC_RECORDS_H
#define SANVP_ATOMIC_RECORDS_H

#include "sw/abi/registers/elan3.h"

struct atomic_request {
  uint8_t operation; /* enum word_operation */
  uint8_t width;     /* 4 or 8 bytes */
  uint16_t process;  /* that asks */
  e3_addr word;
  e3_addr answer; /* struct atomic_answer, in the requester's memory */
  uint32_t spare;
  uint64_t operand, comparand;
};

/* Comes as one block; the last word marks it complete. */
struct atomic_answer {
  uint64_t before;
  uint32_t done; /* 1 */
};
#define ATOMIC_ANSWER_BYTES 12u /* without what pads the structure */

#endif
