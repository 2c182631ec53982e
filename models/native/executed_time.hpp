/// What executed operations take by themselves.
#pragma once

#include "models/cpu/costs/instruction_costs.hpp"

namespace sanvp::native {

/// The time of so many operations of a class among independent ones: what issue and their busiest unit need.
/// @param is_foreign  counted code of x86-64
double least_time_ps(const cpu::InstructionCosts& costs, std::size_t of_class, std::uint64_t count, bool is_foreign);

}  // namespace sanvp::native
