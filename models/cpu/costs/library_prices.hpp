/// The time that calls of the C library take on a CPU, from the table of their instructions
/// (sw/abi/hal/library_costs.h).
#pragma once

#include <array>
#include <vector>

#include "sw/abi/hal/host.h"
#include "sw/abi/hal/library.h"

namespace sanvp::cpu {

/// One for each enum hal_library_call. @param cycles  for each enum hal_instruction_class
std::vector<hal_library_price> library_prices(const std::array<double, HAL_INSTRUCTION_CLASSES>& cycles,
                                              double clock_period_ps);

}  // namespace sanvp::cpu
