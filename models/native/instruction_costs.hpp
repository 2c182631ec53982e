/// What instructions take on a processor: cycles for each class of them. The assembler of images counts the
/// instructions of every basic block by these classes (scripts/images/); the loader turns counts into prices.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sw/hal/library.h"

namespace sanvp::native {

constexpr std::size_t instruction_classes = HAL_INSTRUCTION_CLASSES;

/// "integer", "float_divide": as in sections [host.cpu] and in results.
std::string_view instruction_class_name(std::size_t index);

/// Of a block, or of a whole run, by class.
using InstructionCounts = std::array<std::uint64_t, instruction_classes>;

struct InstructionCosts {
  double cycle_ps = 0;
  std::array<double, instruction_classes> cycles{};

  /// All of them by a factor.
  void scale(double factor) {
    for (double& of_class : cycles) of_class *= factor;
  }
  /// Additive: the sum over classes, as processors without caches and pipelines would take; `cycles` below 1 stand for
  /// processors that issue several at once.
  double time_ps(const InstructionCounts& counts) const;
  /// The same, rounded to what a block's update adds: at most 2 ms.
  std::int32_t price_ps(const InstructionCounts& counts) const;
};

}  // namespace sanvp::native
