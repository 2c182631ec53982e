/// What a file of models/host/cpus registers: a processor of the time, as what its instructions take.
#pragma once

#include <array>
#include <string>

#include "models/native/instruction_costs.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/registry.hpp"

namespace sanvp::native {

/// A number with where it comes from.
struct Sourced {
  double value = 0;
  const char* source = "";
};

/// Cycles, in the order of enum hal_instruction_class (sw/hal/library.h). Below 1: several are issued at once.
using SourcedCycles = std::array<Sourced, instruction_classes>;

struct CpuPart {
  static constexpr const char* kind() { return "cpu"; }
  std::string name;
  std::string summary;
  Sourced clock_MHz{};
  SourcedCycles cycles{};
  Sourced cache_KiB{};    ///< of the largest one: what a program goes through again and again comes from there
  Sourced memory_MBps{};  ///< that one CPU gets of memory, as STREAM counts it
};

/// What a processor takes, from the section of its machine: a key for each class, with these defaults. `cycle_ps` is
/// left to the caller. Throws UserError for values out of range.
InstructionCosts read_cycles(const SourcedCycles& defaults, const Parameters& section);

}  // namespace sanvp::native
