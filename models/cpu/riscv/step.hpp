/// What an instruction reads and writes, for the price of its block: integer registers are values 0 to 31, those of
/// floating-point numbers 32 to 63.
#pragma once

#include <cstdint>

#include "models/cpu/costs/pipeline.hpp"
#include "models/cpu/riscv/instruction.hpp"

namespace sanvp::riscv {

/// @param word  an instruction of 32 bits; short forms are expanded
cpu::Step step_of(std::uint32_t word, Shape shape, hal_instruction_class of_class);

}  // namespace sanvp::riscv
