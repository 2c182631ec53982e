/// The code of a region: its blocks, the ways between them, and the ways in and out.
#pragma once

#include <functional>

#include "models/cpu/riscv/translation/x86_64/code.hpp"
#include "models/cpu/riscv/translation/x86_64/stubs.hpp"

namespace sanvp::riscv::x86_64 {

/// The lookup table of indirect jumps: indexed by low bits of the pc.
struct Target {
  Word pc = 1;  ///< no instruction is there
  const void* code = nullptr;
};
inline constexpr std::size_t recent_targets = 1024;
constexpr std::size_t slot_of(Word pc) { return (pc >> 1) % recent_targets; }

/// The references of a region's code to the outside.
struct Surroundings {
  const Stubs& stubs;
  const Target* targets;                            ///< `recent_targets` of them
  std::function<const void* const*(Word pc)> link;  ///< a place that holds the address of code for that pc
};

/// @returns the label of each block's entry from outside
std::vector<Label> emit(Code& code, const std::vector<Block64*>& region, const Surroundings& surroundings);

}  // namespace sanvp::riscv::x86_64
