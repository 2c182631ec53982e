/// A decoded instruction: the function that executes it, and its operands.
#pragma once

#include <cstdint>

namespace sanvp::riscv {

template <class Word>
struct Hart;

/// How control leaves a block. The first three number its successors.
enum class Exit : std::uint8_t {
  next,      ///< to the instruction after the block
  taken,     ///< by a branch or jump to a fixed address
  indirect,  ///< to an address from a register
  changed_code,
  environment_call,
  breakpoint,
  held,  ///< at a breakpoint that was set, or after the only operation that was wanted
  fault
};
constexpr unsigned successors = 3;

/// @tparam Word  an integer register: std::uint32_t or std::uint64_t
template <class Word>
struct Operation {
  /// Executes this operation and those after it, to the end of its block.
  using Run = Exit (*)(Hart<Word>&, const Operation*);

  Run run = nullptr;
  Word immediate = 0;  ///< a target or a sum with the program counter is worked out when it is decoded
  std::uint8_t rd = 0, rs1 = 0, rs2 = 0, rs3 = 0;
  std::uint8_t rounding = 0;      ///< the instruction's field `rm`
  std::uint8_t instructions = 1;  ///< that it stands for
  std::uint16_t offset = 0;       ///< bytes from the start of its block

  bool operator==(const Operation&) const = default;
};

/// Executes the rest of the block. The compiler makes a jump of it; without optimisation the stack grows by a frame for
/// each instruction of a block, and no further.
template <class Word>
[[gnu::always_inline]] inline Exit go_on(Hart<Word>& hart, const Operation<Word>* operation) {
  return operation[1].run(hart, operation + 1);
}

}  // namespace sanvp::riscv
