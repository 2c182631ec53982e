/// What a file of models/host/cpus registers: a processor of the period, described by the cost of its instructions.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "models/cpu/costs/cpu_caches.hpp"
#include "models/cpu/costs/instruction_costs.hpp"
#include "models/cpu/costs/pipeline.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/registry.hpp"

namespace sanvp::cpu {

/// Cycles, in the order of enum hal_instruction_class (sw/abi/hal/library.h). Below 1: several are issued at once.
using SourcedCycles = std::array<Sourced, instruction_classes>;

/// As cycles of a fused multiply-add: the processor has none, and executes a multiplication and an addition.
constexpr Sourced two_instructions{-1, "it has none: a multiplication and an addition"};

/// How a pipeline executes instructions of a class.
struct Timing {
  double busy = 0;     ///< cycles for which an instruction has one of its unit's pipes
  double latency = 0;  ///< cycles until its result can be used
  const char* source = "";
  double slots = 1;  ///< of issue that it takes
};

/// Source of the numbers of instructions that a CPU takes for one of counted code.
constexpr const char* by_kernels = "measured: twelve kernels compiled for it by the same GCC (docs/cpu.md)";

/// Source of the errors of numbers of instructions.
constexpr const char* by_errors = "measured: scripts/studies/predict/instruction_sets.py (docs/cpu.md)";
constexpr const char* widest_error = "assumed: for lack of a compiler, the widest of the other CPUs";

struct SourcedUnit {
  const char* name = "";
  double pipes = 1;
  std::uint32_t classes = 0;
  const char* source = "";
};

/// Units, issue and latencies of a processor: what blocks of programs cost.
struct SourcedPipeline {
  Sourced issue{};
  Sourced window{};  ///< 0: it issues in order
  std::array<Timing, instruction_classes> classes{};
  Sourced float_load_latency{};
  std::vector<SourcedUnit> units{};
  Sourced lanes{1, "it has no instructions of vectors of 8-byte elements"};
  Sourced block{1, "assumed: fetch continues at one address a cycle"};
  Sourced counted_integer{1, "assumed: as x86-64"};  ///< its own operations and shifts for one of counted code
  Sourced counted_move{1, "assumed: as x86-64"};
};

struct CpuPart {
  static constexpr const char* kind() { return "cpu"; }
  std::string name;
  std::string summary;
  Sourced clock_MHz{};
  SourcedPipeline pipeline{};
  SourcedCycles cycles{};  ///< of libraries, drivers and calls of the C library
  Sourced cache_KiB{};     ///< the largest one: data that a program accesses repeatedly comes from there
  Sourced memory_MBps{};   ///< memory bandwidth of one CPU, as STREAM counts it
  /// By which numbers of instructions differ from its own, typically, as a share: of counted code, and of RISC-V's.
  Sourced counted_error{0.26, widest_error};
  Sourced binary_error{0.31, widest_error};
  SourcedCaches caches{};  ///< of interpreted programs, as an option
};

/// Cycles by class from the machine's section: one key for each class, with these defaults. The caller sets
/// `cycle_ps`. Throws UserError for values out of range.
InstructionCosts read_cycles(const SourcedCycles& defaults, const Parameters& section);
/// The same of a pipeline.
Pipeline read_pipeline(const SourcedPipeline& part, const Parameters& section);

}  // namespace sanvp::cpu
