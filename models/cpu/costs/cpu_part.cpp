#include "models/cpu/costs/cpu_part.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::cpu {

InstructionCosts read_cycles(const SourcedCycles& defaults, const Parameters& section) {
  constexpr double most_cycles = 100'000;  // a block's price has 31 bits of picoseconds
  static constexpr std::array meanings{"of an integer operation: add, logic, compare, address",
                                       "of a shift",
                                       "of an integer multiplication",
                                       "of an integer division",
                                       "of a load of up to 8 bytes that the cache has",
                                       "of a store of up to 8 bytes",
                                       "of a branch",
                                       "of a call or return",
                                       "of an addition, subtraction or comparison of floating-point numbers",
                                       "of a multiplication of floating-point numbers",
                                       "of a division of floating-point numbers",
                                       "of a square root",
                                       "of a conversion between integer and floating-point number",
                                       "of a move between registers",
                                       "of an atomic operation or fence, beside its load and store",
                                       "of a fused multiply-add of floating-point numbers"};
  static_assert(meanings.size() == instruction_classes);
  InstructionCosts costs;
  static_assert(HAL_FLOAT_FUSED > HAL_FLOAT_MULTIPLY && HAL_FLOAT_FUSED > HAL_FLOAT_ADD, "read after both");
  for (std::size_t i = 0; i < instruction_classes; ++i) {
    const bool is_two = defaults[i].value == two_instructions.value;
    const double cycles = is_two ? costs.cycles[HAL_FLOAT_MULTIPLY] + costs.cycles[HAL_FLOAT_ADD] : defaults[i].value;
    costs.cycles[i] = section.real(instruction_class_name(i), cycles, std::string("cycles ") + meanings[i],
                                   defaults[i].source, 0, most_cycles);
  }
  return costs;
}

}  // namespace sanvp::cpu
