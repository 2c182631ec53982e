/// What a file of models/host/cpus registers: a processor of the period, described by the cost of its instructions.
#pragma once

#include <array>
#include <string>

#include "models/cpu/costs/cpu_caches.hpp"
#include "models/cpu/costs/instruction_costs.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/registry.hpp"

namespace sanvp::cpu {

/// Cycles, in the order of enum hal_instruction_class (sw/abi/hal/library.h). Below 1: several are issued at once.
using SourcedCycles = std::array<Sourced, instruction_classes>;

/// As cycles of a fused multiply-add: the processor has none, and executes a multiplication and an addition.
constexpr Sourced two_instructions{-1, "it has none: a multiplication and an addition"};

struct CpuPart {
  static constexpr const char* kind() { return "cpu"; }
  std::string name;
  std::string summary;
  Sourced clock_MHz{};
  SourcedCycles cycles{};
  Sourced cache_KiB{};     ///< the largest one: data that a program accesses repeatedly comes from there
  Sourced memory_MBps{};   ///< memory bandwidth of one CPU, as STREAM counts it
  SourcedCaches caches{};  ///< of interpreted programs, as an option
};

/// Cycles by class from the machine's section: one key for each class, with these defaults. The caller sets
/// `cycle_ps`. Throws UserError for values out of range.
InstructionCosts read_cycles(const SourcedCycles& defaults, const Parameters& section);

}  // namespace sanvp::cpu
