#include "models/cpu/costs/instruction_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/cpu/costs/pipeline.hpp"

namespace sanvp::cpu {
namespace {

constexpr std::array<std::string_view, instruction_classes> names{
    "integer",   "shift",          "multiply",     "divide",     "load",       "store", "branch", "call",
    "float_add", "float_multiply", "float_divide", "float_sqrt", "conversion", "move",  "atomic", "float_fused"};

std::int32_t whole_ps(double ps) {
  constexpr double most = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::lround(std::min(ps, most)));
}

}  // namespace

std::string_view instruction_class_name(std::size_t index) { return names.at(index); }

double InstructionCosts::time_ps(const InstructionCounts& counts) const {
  double sum = 0;
  for (std::size_t i = 0; i < instruction_classes; ++i) sum += static_cast<double>(counts[i]) * cycles[i];
  return sum * cycle_ps;
}

std::int32_t InstructionCosts::price_ps(const InstructionCounts& counts) const { return whole_ps(time_ps(counts)); }

std::int32_t InstructionCosts::price_ps(const Code& code) const {
  return pipeline == nullptr ? price_ps(code.counts) : whole_ps(bounds_of(*pipeline, code).cycles() * cycle_ps);
}

}  // namespace sanvp::cpu
