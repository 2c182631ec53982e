#include "models/cpu/costs/library_prices.hpp"

#include <cmath>
#include <cstdint>
#include <numeric>

namespace sanvp::cpu {
namespace {

using Counts = std::array<double, HAL_INSTRUCTION_CLASSES>;

struct Cost {
  hal_library_call of;
  bool is_unit;
  Counts counts;
};

constexpr Cost costs[] = {
#define CALL(name, ...) {HAL_LIBRARY_##name, false, {__VA_ARGS__}},
#define UNIT(name, unit, ...) {HAL_LIBRARY_##name, true, {__VA_ARGS__}},
#define SAME(name, other)
#include "sw/abi/hal/library_costs.h"
#undef CALL
#undef UNIT
#undef SAME
};

}  // namespace

std::vector<hal_library_price> library_prices(const Counts& cycles, double clock_period_ps) {
  constexpr double fs_per_ps = 1000;
  std::vector<hal_library_price> prices(HAL_LIBRARY_CALLS);
  for (const Cost& cost : costs) {
    const double all = std::inner_product(cycles.begin(), cycles.end(), cost.counts.begin(), 0.0);
    const double ps = all * clock_period_ps;
    if (cost.is_unit)
      prices[cost.of].unit_fs = std::llround(ps * fs_per_ps);
    else
      prices[cost.of].call_ps = std::llround(ps);
  }
  return prices;
}

}  // namespace sanvp::cpu
