/* What a process asks the atomics thread of another for, in a slot of that thread's input queue. */
#ifndef SANVP_ATOMIC_RECORDS_H
#define SANVP_ATOMIC_RECORDS_H

#include "models/nic/elan3/registers.h"

struct atomic_request {
  uint8_t operation; /* enum word_operation */
  uint8_t width;     /* 4 or 8 bytes */
  uint16_t process;  /* that asks */
  e3_addr word;
  e3_addr answer; /* struct atomic_answer, in the memory of who asks */
  uint32_t spare;
  uint64_t operand, comparand;
};

/* Comes as one block; the last word tells that the rest is there. */
struct atomic_answer {
  uint64_t before;
  uint32_t done; /* 1 */
};
#define ATOMIC_ANSWER_BYTES 12u /* without what pads the structure */

#endif
