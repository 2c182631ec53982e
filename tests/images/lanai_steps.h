/* Steps of the control program lanai_steps.c, and the data that it has received. */
#ifndef SANVP_TESTS_LANAI_STEPS_H
#define SANVP_TESTS_LANAI_STEPS_H

#include <stdint.h> /* NOLINT(modernize-deprecated-headers): C */

#define LANAI_STEPS 0x100000u
#define LANAI_TAKEN 0x110000u

enum lanai_step_kind {
  STEP_END,
  STEP_CYCLES,
  STEP_WAIT,
  STEP_CLEAR,
  STEP_TIMER,
  STEP_SDMA, /* a: host, b: SRAM, c: bytes; STEP_RDMA the same */
  STEP_RDMA,
  STEP_SEND, /* a: route, b: packet, c: bytes */
  STEP_ARM,  /* a: buffer, b: bytes */
  STEP_TAKE,
  STEP_SEND_ON,
  STEP_TELL /* interrupts the host by cause a */
};
struct lanai_step {
  uint32_t kind, a, b, c;
};
struct lanai_taken {
  uint32_t buffer, bytes;
  int intact;
};

#endif
