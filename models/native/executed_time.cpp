#include "models/native/executed_time.hpp"

#include "models/cpu/costs/pipeline.hpp"

namespace sanvp::native {

double least_time_ps(const cpu::InstructionCosts& costs, std::size_t of_class, std::uint64_t count, bool is_foreign) {
  const cpu::Pipeline* const pipeline = costs.pipeline.get();
  const double cycles = pipeline == nullptr ? costs.cycles.at(of_class)
                                            : pipeline->least_cycles(static_cast<hal_instruction_class>(of_class)) *
                                                  (is_foreign ? pipeline->foreign.at(of_class) : 1);
  return static_cast<double>(count) * cycles * costs.cycle_ps;
}

}  // namespace sanvp::native
