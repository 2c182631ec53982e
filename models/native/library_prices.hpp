/// What calls of the C library cost on a CPU: their table of instructions (sw/hal/library_costs.h) in time.
#pragma once

#include <array>
#include <vector>

#include "sw/hal/host.h"
#include "sw/hal/library.h"

namespace sanvp::native {

/// Of each enum hal_library_call, by the cycles of each enum hal_instruction_class.
std::vector<hal_library_price> library_prices(const std::array<double, HAL_INSTRUCTION_CLASSES>& cycles,
                                              double clock_period_ps);

}  // namespace sanvp::native
