/* A control program of the LANai for tests: executes a list of steps in SRAM, one after another. */
#include "tests/images/lanai_steps.h"

#include "sw/hal/lanai.h"

void lanai_main(void) {
  const struct lanai_step* step = lanai_sram(LANAI_STEPS);
  struct lanai_taken* taken = lanai_sram(LANAI_TAKEN);
  for (;; ++step) {
    switch ((enum lanai_step_kind)step->kind) {
      case STEP_CYCLES:
        lanai_cycles(step->a);
        break;
      case STEP_WAIT:
        lanai_wait(step->a);
        break;
      case STEP_CLEAR:
        lanai_clear(step->a);
        break;
      case STEP_TIMER:
        lanai_timer(step->a);
        break;
      case STEP_SDMA:
        lanai_sdma(step->a, step->b, step->c);
        break;
      case STEP_RDMA:
        lanai_rdma(step->b, step->a, step->c);
        break;
      case STEP_SEND:
        lanai_send(step->a, step->b, step->c);
        break;
      case STEP_ARM:
        lanai_receive(step->a, step->b);
        break;
      case STEP_TAKE:
        taken->buffer = lanai_received(&taken->bytes, &taken->intact);
        ++taken;
        break;
      case STEP_SEND_ON:
        lanai_send_on();
        break;
      case STEP_TELL:
        lanai_interrupt_host(0x10000u << step->a);
        break;
      case STEP_END:
        for (;;) lanai_wait(0x80000000u);
    }
  }
}
