#include "models/native/stack_switch.hpp"

#include <cstdint>
#include <new>

namespace sanvp::native {
namespace {

/// What sanvp_switch_stack leaves on a stack: the order of its instructions.
struct Left {
  std::uint32_t mxcsr = 0;  ///< SSE: rounding, traps, exceptions that have been
  std::uint16_t x87 = 0;    ///< the same of long double
  std::uint64_t r15 = 0, r14 = 0, r13 = 0, r12 = 0, rbx = 0, rbp = 0;
  void (*returns_to)() = nullptr;
};

}  // namespace

extern "C" [[gnu::visibility("hidden")]] void sanvp_enter_stack();

// The unwinder may pass: both halves of the switch have pushed the same, so that one description is right for both.
// Nearly always both compute with the same rounding, and to set it takes longer than to look.
// Below the entry of a stack there is nothing. The end is a jump and no return, which the processor would expect to
// lead back to where this was called from.
asm(R"(
  .pushsection .text
  .p2align 4
  .globl sanvp_switch_stack
  .hidden sanvp_switch_stack
  .type sanvp_switch_stack, @function
sanvp_switch_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbp, 0
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbx, 0
  pushq %r12
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r12, 0
  pushq %r13
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r13, 0
  pushq %r14
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r14, 0
  pushq %r15
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r15, 0
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movl (%rsp), %eax
  movzwl 4(%rsp), %ecx
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  cmpl (%rsp), %eax
  je 1f
  ldmxcsr (%rsp)
1:
  cmpw 4(%rsp), %cx
  je 2f
  fldcw 4(%rsp)
2:
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %r15
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r15
  popq %r14
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r14
  popq %r13
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r13
  popq %r12
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r12
  popq %rbx
  .cfi_adjust_cfa_offset -8
  .cfi_restore %rbx
  popq %rbp
  .cfi_adjust_cfa_offset -8
  .cfi_restore %rbp
  popq %rcx
  .cfi_adjust_cfa_offset -8
  .cfi_register %rip, %rcx
  jmpq *%rcx
  .cfi_endproc
  .size sanvp_switch_stack, . - sanvp_switch_stack

  .p2align 4
  .globl sanvp_enter_stack
  .hidden sanvp_enter_stack
  .type sanvp_enter_stack, @function
sanvp_enter_stack:
  .cfi_startproc
  .cfi_undefined %rip
  movq %r12, %rdi
  callq *%rbx
  ud2
  .cfi_endproc
  .size sanvp_enter_stack, . - sanvp_enter_stack
  .popsection
)");

StackPlace prepare_stack(Range stack, void (*entry)(void*), void* argument) {
  constexpr std::size_t alignment = 16;  // of the stack where a call is made
  auto end = reinterpret_cast<std::uintptr_t>(stack.end());
  end -= end % alignment;
  auto* const left = new (reinterpret_cast<void*>(end - sizeof(Left))) Left;
  left->mxcsr = __builtin_ia32_stmxcsr();
  asm("fnstcw %0" : "=m"(left->x87));
  left->rbx = reinterpret_cast<std::uintptr_t>(entry);
  left->r12 = reinterpret_cast<std::uintptr_t>(argument);
  left->returns_to = sanvp_enter_stack;
  return left;
}

}  // namespace sanvp::native
