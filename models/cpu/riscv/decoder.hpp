/// From an instruction word to an operation, by the tables of all extensions.
#pragma once

#include <array>
#include <vector>

#include "models/cpu/costs/pipeline.hpp"
#include "models/cpu/riscv/instruction.hpp"

namespace sanvp::riscv {

template <class Word>
class Decoder {
 public:
  /// The decoder of all registered extensions. Made once and never changed.
  static const Decoder& of_all_extensions();

  struct Decoded {
    Operation<Word> operation{};
    hal_instruction_class of_class = HAL_INTEGER;
    cpu::Step step{};
    bool ends_block = false;
    bool is_conditional = false;                              ///< a branch
    bool is_branch = false;                                   ///< the same, or a jump to a fixed address without a link
    typename Operation<Word>::Run run_with_caches = nullptr;  ///< in place of the operation's
    typename Operation<Word>::Run run_observed = nullptr;
  };
  /// An illegal instruction becomes an operation that fails.
  /// @param word  of 32 bits; of one with 16 bits, these
  /// @param pc    its address, to which targets are relative
  Decoded decode(std::uint32_t word, Word pc) const;

 private:
  Decoder();
  const Instruction<Word>* find(std::uint32_t word) const;

  std::array<std::vector<Instruction<Word>>, 32> by_opcode_{};  ///< bits 2 to 6
};

/// Bytes of an instruction, from its first two.
constexpr unsigned instruction_bytes(std::uint16_t first) { return (first & 3) == 3 ? 4 : 2; }

}  // namespace sanvp::riscv
