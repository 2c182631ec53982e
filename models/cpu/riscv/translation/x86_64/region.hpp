/// Which blocks are translated together: those that a hot block leads to, in the order of their code.
#pragma once

#include <optional>
#include <vector>

#include "models/cpu/riscv/blocks.hpp"

namespace sanvp::riscv::x86_64 {

using Word = std::uint64_t;
using Op = Operation<Word>;
using Blocks64 = Blocks<Word>;
using Block64 = Block<Word>;

/// The successors of a block, as far as they are known.
struct Successors {
  std::optional<Word> taken{};      ///< of a branch or jump; of an indirect jump, where it went last
  std::optional<Word> not_taken{};  ///< what follows the block
};
Successors successors_of(const Block64& block);

/// Blocks without code that this one leads to, itself first. A block is followed by its more frequent successor.
std::vector<Block64*> region_from(Block64& head, Blocks64& blocks);

}  // namespace sanvp::riscv::x86_64
