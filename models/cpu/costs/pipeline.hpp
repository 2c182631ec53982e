/// What a processor's units allow: the time of a basic block from issue width, units, latencies and the block's
/// dependences. Static: computed once for each block, when its code is loaded or decoded.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/cpu/costs/instruction_costs.hpp"

namespace sanvp::cpu {

/// Sets of values, as bits: registers, flags, words of memory. Their numbers are those of the instruction set.
using Values = std::uint64_t;

/// An operation of a block. An instruction that also loads or stores is several, joined by a value of their own.
struct Step {
  hal_instruction_class of_class = HAL_INTEGER;
  std::uint8_t lanes = 1;      ///< elements of a vector that it computes, or words that it moves
  bool is_float_load = false;  ///< its destination is a floating-point register
  Values reads = 0, writes = 0;
};

/// Values that code reads before it writes them, and writes.
Values passed_through(const std::vector<Step>& steps);

/// A basic block, as its price needs it.
struct Code {
  InstructionCounts counts{};  ///< of all its operations; without `steps` they are taken as independent
  std::vector<Step> steps{};   ///< in program order
  Values carried = 0;          ///< what the innermost loop around the block passes from one iteration to the next
  bool repeats = false;        ///< it is a loop by itself: its end may lead to its start
  bool is_foreign = false;     ///< code of x86-64, which stands for the processor's own instruction set
};

/// One or several equal pipes that execute certain classes.
struct Unit {
  std::string name;
  double pipes = 1;
  std::uint32_t classes = 0;  ///< bits, by enum hal_instruction_class

  bool executes(std::size_t of_class) const { return (classes >> of_class & 1) != 0; }
};

constexpr std::uint32_t classes_of(std::initializer_list<hal_instruction_class> classes) {
  std::uint32_t bits = 0;
  for (const hal_instruction_class of_class : classes) bits |= 1U << of_class;
  return bits;
}

/// Cycles and instructions of one processor.
struct Pipeline {
  using ByClass = std::array<double, instruction_classes>;

  double issue = 1;   ///< instructions a cycle
  double window = 0;  ///< instructions among which it finds independent ones; 0: it issues in order
  double lanes = 1;   ///< elements of 8 bytes that an instruction of vectors computes
  ByClass busy{};     ///< cycles for which an instruction has a pipe; 1: it is pipelined
  ByClass latency{};  ///< cycles from the operands to the result
  double float_load_latency = 0;
  ByClass slots{};    ///< of issue that an instruction takes
  ByClass foreign{};  ///< its own instructions for one of x86-64
  double block = 1;   ///< cycles of a block at least: fetch continues at one address a cycle
  std::vector<Unit> units{};

  bool has_fused() const { return busy[HAL_FLOAT_FUSED] > 0; }
  /// The cycles of one instruction among many independent ones of its class.
  double least_cycles(hal_instruction_class of_class) const;
};

/// What bounds a block, in cycles. Its time is the largest.
struct Bounds {
  double issue = 0;
  double unit = 0;     ///< the busiest one
  double carried = 0;  ///< the longest chain from one iteration of its loop to the next
  double path = 0;     ///< the critical path, as far as blocks that follow do not overlap it
  double least = 0;    ///< Pipeline::block

  double cycles() const;
};

Bounds bounds_of(const Pipeline& pipeline, const Code& code);

}  // namespace sanvp::cpu
