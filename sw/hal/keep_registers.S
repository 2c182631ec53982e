/* Entries for code that computes, which expects all registers unchanged, flags and vectors included (x86-64).
 * Its calls have stepped over the red zone. The x87 register stack is empty meanwhile, as at any call. */

/* struct hal_registers; behind it on the stack are the flags and the return address. */
#define REGISTERS 128
#define FLAGS_AND_RETURN_ADDRESS 16
#define RED_ZONE 128
/* XSAVE area with x87, SSE, AVX and AVX-512, in the layout of any processor. */
#define STATE 4096
#define STATE_COMPONENTS 0xe7
#define STATE_HEADER 512 /* 64 bytes that must be zero but for what XSAVE writes */

.macro keep_registers name, call
    .section .text.\name, "ax", @progbits
    .globl \name
    .hidden \name
    .type \name, @function
\name:
    pushfq
    leaq -REGISTERS(%rsp), %rsp
    movq %rax, 0(%rsp)
    movq %rcx, 8(%rsp)
    movq %rdx, 16(%rsp)
    movq %rbx, 24(%rsp)
    leaq REGISTERS + FLAGS_AND_RETURN_ADDRESS + RED_ZONE(%rsp), %rax
    movq %rax, 32(%rsp) /* the caller's rsp */
    movq %rbp, 40(%rsp)
    movq %rsi, 48(%rsp)
    movq %rdi, 56(%rsp)
    movq %r8, 64(%rsp)
    movq %r9, 72(%rsp)
    movq %r10, 80(%rsp)
    movq %r11, 88(%rsp)
    movq %r12, 96(%rsp)
    movq %r13, 104(%rsp)
    movq %r14, 112(%rsp)
    movq %r15, 120(%rsp)
    movq %rsp, %rbx
    movq %rsp, %rdi
    movq REGISTERS + 8(%rsp), %rsi
    subq $STATE, %rsp
    andq $-64, %rsp
    xorl %eax, %eax
    .irp at, 0, 8, 16, 24, 32, 40, 48, 56
    movq %rax, STATE_HEADER + \at(%rsp)
    .endr
    movl $STATE_COMPONENTS, %eax
    xorl %edx, %edx
    xsave64 (%rsp)
    emms
    cld
    call \call
    movl $STATE_COMPONENTS, %eax
    xorl %edx, %edx
    xrstor64 (%rsp)
    movq %rbx, %rsp
    movq 0(%rsp), %rax
    movq 8(%rsp), %rcx
    movq 16(%rsp), %rdx
    movq 24(%rsp), %rbx
    movq 40(%rsp), %rbp
    movq 48(%rsp), %rsi
    movq 56(%rsp), %rdi
    movq 64(%rsp), %r8
    movq 72(%rsp), %r9
    movq 80(%rsp), %r10
    movq 88(%rsp), %r11
    movq 96(%rsp), %r12
    movq 104(%rsp), %r13
    movq 112(%rsp), %r14
    movq 120(%rsp), %r15
    leaq REGISTERS(%rsp), %rsp
    popfq
    ret
    .size \name, . - \name
.endm

    keep_registers sanvp_give_way, sanvp_gave_way
    keep_registers sanvp_spin, sanvp_spun

    .section .note.GNU-stack, "", @progbits
