/// What code of a card's processor has spent, in its cycles: images loaded with the prices of `firmware_prices` count
/// in thousandths of one.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "models/native/image.hpp"

namespace sanvp::native {

constexpr std::int64_t parts_of_a_cycle = 1000;

/// All cards of a machine share it, so that a program is looked through and priced once.
/// @param costs  cycles by class
inline std::shared_ptr<Loader> firmware_loader(InstructionCosts costs) {
  costs.cycle_ps = parts_of_a_cycle;
  return std::make_shared<Loader>(costs, costs);
}

class CycleMeter {
 public:
  CycleMeter() = default;
  explicit CycleMeter(const Image& image) : spent_(image.counter()) {}

  /// Whole cycles since it was last asked; what is left of one counts the next time.
  std::uint64_t take() {
    if (spent_ == nullptr) return 0;
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();  // firmware does not give way by itself
    const std::int64_t parts = *spent_ - none;
    *spent_ = none + parts % parts_of_a_cycle;
    return static_cast<std::uint64_t>(parts / parts_of_a_cycle);
  }

 private:
  std::int64_t* spent_ = nullptr;
};

}  // namespace sanvp::native
