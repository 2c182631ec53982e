/// The cycles that firmware has spent on a card's processor. Images that `firmware_loader` loads count in thousandths
/// of a cycle.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "models/native/image.hpp"

namespace sanvp::native {

constexpr std::int64_t parts_of_a_cycle = 1000;

/// Shared by all cards of a machine, so that a program is read and priced once.
/// @param costs  cycles by class
inline std::shared_ptr<Loader> firmware_loader(cpu::InstructionCosts costs) {
  costs.cycle_ps = parts_of_a_cycle;
  return std::make_shared<Loader>(costs, costs);
}

class CycleMeter {
 public:
  CycleMeter() = default;
  explicit CycleMeter(const Image& image) : spent_(image.counter()) {}

  /// Whole cycles since the last call; the remaining fraction is carried over.
  std::uint64_t take() {
    if (spent_ == nullptr) return 0;
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();  // firmware is not preempted
    const std::int64_t parts = *spent_ - none;
    *spent_ = none + parts % parts_of_a_cycle;
    return static_cast<std::uint64_t>(parts / parts_of_a_cycle);
  }

 private:
  std::int64_t* spent_ = nullptr;
};

}  // namespace sanvp::native
