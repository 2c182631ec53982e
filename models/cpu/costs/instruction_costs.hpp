/// The cost of instructions on a processor: cycles for each class. The assembler of images counts the
/// instructions of every basic block by these classes (scripts/images/); the loader turns counts into prices.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "sw/abi/hal/library.h"

namespace sanvp::cpu {

constexpr std::size_t instruction_classes = HAL_INSTRUCTION_CLASSES;

/// "integer", "float_divide": as in sections [host.cpu] and in results.
std::string_view instruction_class_name(std::size_t index);

/// Instructions by class, of a block or of a whole run.
using InstructionCounts = std::array<std::uint64_t, instruction_classes>;

struct Code;
struct Pipeline;

struct InstructionCosts {
  double cycle_ps = 0;
  std::array<double, instruction_classes> cycles{};
  std::shared_ptr<const Pipeline> pipeline{};  ///< prices blocks by units and dependences; null: by `cycles`

  /// Multiplies all cycles by a factor.
  void scale(double factor) {
    for (double& of_class : cycles) of_class *= factor;
  }
  /// The sum over classes. `cycles` below 1 stand for superscalar issue.
  double time_ps(const InstructionCounts& counts) const;
  /// The same, rounded to whole picoseconds, as a block's update adds it: at most 2 ms.
  std::int32_t price_ps(const InstructionCounts& counts) const;
  /// The same for a block: by the pipeline, if it has one.
  std::int32_t price_ps(const Code& code) const;
};

}  // namespace sanvp::cpu
