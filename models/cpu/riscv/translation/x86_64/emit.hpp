/// The code of a region: its blocks, the ways between them, and the ways in and out.
#pragma once

#include "models/cpu/riscv/translation/x86_64/code.hpp"
#include "models/cpu/riscv/translation/x86_64/stubs.hpp"

namespace sanvp::riscv::x86_64 {

/// The lookup table of indirect jumps: indexed by low bits of the pc.
struct Target {
  Word pc = 1;  ///< no instruction is there
  const Entry* entry = nullptr;
};
inline constexpr std::size_t recent_targets = 1024;
constexpr std::size_t slot_of(Word pc) { return (pc >> 1) % recent_targets; }

struct Emitted {
  std::vector<Label> entries{};  ///< of each block from outside
  std::vector<Word> exits{};     ///< pcs of the ways out
};
Emitted emit(Code& code, const std::vector<Block64*>& region, const Stubs& stubs);

}  // namespace sanvp::riscv::x86_64
