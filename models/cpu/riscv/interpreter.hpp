/// Runs a hart: block after block, until its budget is used up or the environment has to act.
#pragma once

#include "models/cpu/riscv/blocks.hpp"

namespace sanvp::riscv {

enum class Stop : std::uint8_t {
  budget,            ///< used up
  environment_call,  ///< ecall; the pc is after it
  breakpoint,        ///< ebreak, or a breakpoint that was set; the pc is there
  fault              ///< Hart::fault says which; the pc is at the instruction, which has changed nothing
};

template <class Word>
class Interpreter {
 public:
  /// @param costs  what instructions cost on the machine's CPU
  explicit Interpreter(const Memory& memory, const native::InstructionCosts& costs) : blocks_(memory, costs) {}

  /// Executes at least `budget` instructions, and no more than the block takes in which it is used up.
  Stop run(Hart<Word>& hart, std::uint64_t budget);
  /// Executes one instruction, also where a breakpoint is.
  Stop step(Hart<Word>& hart);

  Blocks<Word>& blocks() { return blocks_; }
  const Blocks<Word>& blocks() const { return blocks_; }

 private:
  Stop stopped(Hart<Word>& hart, const Block<Word>& block, Exit exit) const;

  Blocks<Word> blocks_;
};

}  // namespace sanvp::riscv
