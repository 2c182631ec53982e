/// Runs a hart: block after block, until its budget is used up or the environment has to act.
#pragma once

#include "models/cpu/riscv/blocks.hpp"
#include "models/cpu/riscv/translation/translation.hpp"

namespace sanvp::riscv {

enum class Stop : std::uint8_t {
  budget,            ///< used up
  environment_call,  ///< ecall; the pc is after it
  breakpoint,        ///< ebreak; the pc is there
  held,              ///< a breakpoint that was set; the pc is there, and Hart::left says where the block continues
  watchpoint,        ///< an access to it; the pc is after it (watchpoints.hpp)
  fault              ///< Hart::fault says which; the pc is at the instruction, which has changed nothing
};

template <class Word>
class Interpreter {
 public:
  /// @param costs  instruction costs of the machine's CPU
  explicit Interpreter(const Memory& memory, const cpu::InstructionCosts& costs, const Stalls& stalls = {})
      : memory_(memory), blocks_(memory, costs, stalls) {}

  /// Finishes the block in which the hart was held. Then executes at least `budget` instructions, and no more than the
  /// block takes in which it is used up.
  Stop run(Hart<Word>& hart, std::uint64_t budget);
  /// Executes one instruction, even at a breakpoint. Within a block, it is held there.
  Stop step(Hart<Word>& hart);

  /// The same, but a fault holds the hart at its instruction, where it may continue, or leave the block.
  Stop run_and_hold(Hart<Word>& hart, std::uint64_t budget);
  /// Leaves the block in whose middle a hart is held, for good: what was not executed is taken back.
  void leave(Hart<Word>& hart);

  /// The part of its block that a hart has paid for and not executed.
  struct Ahead {
    std::uint64_t instructions = 0;
    std::int64_t time_ps = 0;
  };
  Ahead ahead(const Hart<Word>& hart);

  /// From now on blocks that run often are translated, if Translation is available.
  void translate(const TranslationSettings& settings);

  Blocks<Word>& blocks() { return blocks_; }
  const Blocks<Word>& blocks() const { return blocks_; }

 private:
  enum class Way : std::uint8_t { plain, with_fetches, translated, translated_with_fetches };
  template <Way way>
  Stop run_blocks(Hart<Word>& hart, std::uint64_t budget);
  void translate_block(Block<Word>& block);
  Exit execute_one(Hart<Word>& hart, const Left<Word>& at) const;
  std::optional<Stop> finish(Hart<Word>& hart);
  std::optional<Stop> ended(Hart<Word>& hart, Block<Word>& block, Exit exit);
  Stop step_and_hold(Hart<Word>& hart);
  Stop stopped(Hart<Word>& hart, Block<Word>& block, Exit exit) const;

  const Memory& memory_;
  Blocks<Word> blocks_;
  std::unique_ptr<Translation> translation_;
};

}  // namespace sanvp::riscv
