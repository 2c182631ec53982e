#include "models/cpu/riscv/step.hpp"

#include "models/cpu/riscv/fields.hpp"

namespace sanvp::riscv {
namespace {

constexpr std::uint32_t store_float = 0x27, multiply_add = 0x43, float_operation = 0x53;  // major opcodes

cpu::Values integer(std::uint8_t number) { return (cpu::Values{1} << number) & ~cpu::Values{1}; }  // x0 is no value
cpu::Values floating(std::uint8_t number) { return cpu::Values{1} << (number + 32); }

/// Sources of an instruction of opcode OP-FP.
cpu::Values float_sources(const Fields& fields, std::uint32_t word) {
  const std::uint32_t function = word >> 27;
  constexpr std::uint32_t convert_format = 0x08, root = 0x0B, to_integer = 0x18, from_integer = 0x1A, move_out = 0x1C,
                          move_in = 0x1E;
  if (function == from_integer || function == move_in) return integer(fields.source());
  const bool has_one = function == convert_format || function == root || function == to_integer || function == move_out;
  return floating(fields.source()) | (has_one ? 0 : floating(fields.second_source()));
}

cpu::Values sources(const Fields& fields, std::uint32_t word, Shape shape) {
  const std::uint32_t opcode = word & 0x7F;
  switch (shape) {
    case Shape::registers:
    case Shape::float_registers:
      if (opcode == float_operation) return float_sources(fields, word);
      if (opcode >= multiply_add && opcode < float_operation)
        return floating(fields.source()) | floating(fields.second_source()) | floating(fields.register_at(27));
      return integer(fields.source()) | integer(fields.second_source());
    case Shape::store:
      return integer(fields.source()) |
             (opcode == store_float ? floating(fields.second_source()) : integer(fields.second_source()));
    case Shape::branch:
      return integer(fields.source()) | integer(fields.second_source());
    case Shape::immediate:
    case Shape::float_load:
    case Shape::shift:
    case Shape::jump_register:
      return integer(fields.source());
    default:
      return 0;
  }
}

}  // namespace

cpu::Step step_of(std::uint32_t word, Shape shape, hal_instruction_class of_class) {
  const Fields fields(word);
  cpu::Step step;
  step.of_class = of_class;
  step.is_float_load = shape == Shape::float_load;
  step.reads = sources(fields, word, shape);
  if (shape == Shape::float_registers || shape == Shape::float_load)
    step.writes = floating(fields.target());
  else if (shape != Shape::store && shape != Shape::branch)
    step.writes = integer(fields.target());
  return step;
}

}  // namespace sanvp::riscv
