/* Where code that computes gives way: in loops and at entries of functions, once its quantum is used up, code calls
 * sanvp_give_way; a loop that only reads memory calls sanvp_spin before its next turn. Both keep all registers, flags
 * and vectors included (x86-64); their callers have stepped over the red zone. Others find the stack of floating-point
 * registers empty meanwhile, as at a call. */
#include "sw/hal/alarm.h"
#include "sw/hal/attached.h"
#include "sw/hal/hal.h"

/* What the simulator is given of the registers: struct hal_registers; behind it on the stack the flags and the
 * return address. */
#define REGISTERS_BYTES "128"
#define RED_ZONE_BYTES "128"
/* Of XSAVE with x87, SSE, AVX and AVX-512, in the layout of any processor; its header begins at 512. */
#define STATE_BYTES "4096"
#define STATE_COMPONENTS "0xe7"

#define KEEP_ALL(name, call)                              \
  __asm__(".pushsection .text." name                      \
          ", \"ax\", @progbits\n"                         \
          ".globl " name                                  \
          "\n"                                            \
          ".hidden " name                                 \
          "\n"                                            \
          ".type " name ", @function\n" name              \
          ":\n"                                           \
          "  pushfq\n"                                    \
          "  leaq -" REGISTERS_BYTES                      \
          "(%rsp), %rsp\n"                                \
          "  movq %rax, 0(%rsp)\n"                        \
          "  movq %rcx, 8(%rsp)\n"                        \
          "  movq %rdx, 16(%rsp)\n"                       \
          "  movq %rbx, 24(%rsp)\n"                       \
          "  leaq " REGISTERS_BYTES "+16+" RED_ZONE_BYTES \
          "(%rsp), %rax\n"                                \
          "  movq %rax, 32(%rsp)\n"                       \
          "  movq %rbp, 40(%rsp)\n"                       \
          "  movq %rsi, 48(%rsp)\n"                       \
          "  movq %rdi, 56(%rsp)\n"                       \
          "  movq %r8, 64(%rsp)\n"                        \
          "  movq %r9, 72(%rsp)\n"                        \
          "  movq %r10, 80(%rsp)\n"                       \
          "  movq %r11, 88(%rsp)\n"                       \
          "  movq %r12, 96(%rsp)\n"                       \
          "  movq %r13, 104(%rsp)\n"                      \
          "  movq %r14, 112(%rsp)\n"                      \
          "  movq %r15, 120(%rsp)\n"                      \
          "  movq %rsp, %rbx\n"                           \
          "  movq %rsp, %rdi\n"                           \
          "  movq " REGISTERS_BYTES                       \
          "+8(%rsp), %rsi\n"                              \
          "  subq $" STATE_BYTES                          \
          ", %rsp\n"                                      \
          "  andq $-64, %rsp\n"                           \
          "  xorl %eax, %eax\n"                           \
          "  movq %rax, 512(%rsp)\n"                      \
          "  movq %rax, 520(%rsp)\n"                      \
          "  movq %rax, 528(%rsp)\n"                      \
          "  movq %rax, 536(%rsp)\n"                      \
          "  movq %rax, 544(%rsp)\n"                      \
          "  movq %rax, 552(%rsp)\n"                      \
          "  movq %rax, 560(%rsp)\n"                      \
          "  movq %rax, 568(%rsp)\n"                      \
          "  movl $" STATE_COMPONENTS                     \
          ", %eax\n"                                      \
          "  xorl %edx, %edx\n"                           \
          "  xsave64 (%rsp)\n"                            \
          "  emms\n"                                      \
          "  cld\n"                                       \
          "  call " call                                  \
          "\n"                                            \
          "  movl $" STATE_COMPONENTS                     \
          ", %eax\n"                                      \
          "  xorl %edx, %edx\n"                           \
          "  xrstor64 (%rsp)\n"                           \
          "  movq %rbx, %rsp\n"                           \
          "  movq 0(%rsp), %rax\n"                        \
          "  movq 8(%rsp), %rcx\n"                        \
          "  movq 16(%rsp), %rdx\n"                       \
          "  movq 24(%rsp), %rbx\n"                       \
          "  movq 40(%rsp), %rbp\n"                       \
          "  movq 48(%rsp), %rsi\n"                       \
          "  movq 56(%rsp), %rdi\n"                       \
          "  movq 64(%rsp), %r8\n"                        \
          "  movq 72(%rsp), %r9\n"                        \
          "  movq 80(%rsp), %r10\n"                       \
          "  movq 88(%rsp), %r11\n"                       \
          "  movq 96(%rsp), %r12\n"                       \
          "  movq 104(%rsp), %r13\n"                      \
          "  movq 112(%rsp), %r14\n"                      \
          "  movq 120(%rsp), %r15\n"                      \
          "  leaq " REGISTERS_BYTES                       \
          "(%rsp), %rsp\n"                                \
          "  popfq\n"                                     \
          "  ret\n"                                       \
          ".size " name ", . - " name                     \
          "\n"                                            \
          ".popsection\n")

KEEP_ALL("sanvp_give_way", "sanvp_gave_way");
KEEP_ALL("sanvp_spin", "sanvp_spun");

static void (*look_for_others)(void);

void hal_while_computing(void (*look)(void)) { look_for_others = look; }

/* Where the program's own code has given way, and no library's: an alarm's handler is the program's, and a library must
 * not be called amid another call. */
static void amid_the_program(void) {
  static int inside;
  hal_ring_alarm_if_set();
  if (look_for_others == NULL || inside) return;
  inside = 1;
  look_for_others();
  inside = 0;
}

void hal_look_for_others(void) {
  if (look_for_others != NULL && hal_host_calls->calls->may_look(hal_host_calls->self)) amid_the_program();
}

/* Firmware has a host of another kind, and no quantum. */
__attribute__((visibility("hidden"), used)) void sanvp_gave_way(const struct hal_registers* registers,
                                                                const void* returns_to) {
  if (hal_host_calls == NULL) return;
  if (hal_host_calls->calls->gave_way(hal_host_calls->self, registers, returns_to)) amid_the_program();
}

__attribute__((visibility("hidden"), used)) void sanvp_spun(const struct hal_registers* registers,
                                                            const void* returns_to) {
  if (hal_host_calls == NULL) return;
  if (hal_host_calls->calls->spun(hal_host_calls->self, registers, returns_to, hal_alarm_rings_at_ps()))
    amid_the_program();
}
