#include "models/cpu/riscv/decoder.hpp"

#include <type_traits>

#include "models/cpu/riscv/compressed.hpp"
#include "models/cpu/riscv/fields.hpp"
#include "models/cpu/riscv/step.hpp"

namespace sanvp::riscv {
namespace {

template <class Word>
Word immediate_of(Shape shape, const Fields& fields, Word pc) {
  const auto extended = [](std::int32_t value) { return static_cast<Word>(std::make_signed_t<Word>{value}); };
  switch (shape) {
    case Shape::store:
      return extended(fields.store());
    case Shape::upper:
      return extended(fields.upper());
    case Shape::upper_pc:
      return pc + extended(fields.upper());
    case Shape::branch:
      return pc + extended(fields.branch());
    case Shape::jump:
      return pc + extended(fields.jump());
    case Shape::shift:
      return fields.immediate() & 0x3F;
    default:
      return extended(fields.immediate());
  }
}

bool writes_integer(Shape shape) {
  return shape != Shape::float_registers && shape != Shape::float_load && shape != Shape::store &&
         shape != Shape::branch;
}

template <class Word>
Exit illegal(Hart<Word>& hart, const Operation<Word>* operation) {
  return hart.fail(operation, Cause::illegal_instruction, operation->immediate);
}

/// The class of a word, refined by its operands: `mv`, calls and returns.
template <class Word>
hal_instruction_class class_of(const Instruction<Word>& instruction, const Operation<Word>& operation) {
  const auto links = [](std::uint8_t number) { return number == 1 || number == 5; };  // x1 and x5, by the manual
  const bool is_call = links(operation.rd) || (instruction.shape == Shape::jump_register && links(operation.rs1));
  if ((instruction.shape == Shape::jump || instruction.shape == Shape::jump_register) && is_call) return HAL_CALL;
  constexpr std::uint32_t addi = 0x13, add = 0x33;
  if (instruction.encoding.match == addi && operation.immediate == 0) return HAL_MOVE;
  if (instruction.encoding.match == add && operation.rs1 == 0) return HAL_MOVE;
  return instruction.of_class;
}

}  // namespace

template <class Word>
Decoder<Word>::Decoder() {
  for (const auto& [name, extension] : Registry<Extension>::all()) {
    const std::vector<Instruction<Word>>* rows = nullptr;
    if constexpr (sizeof(Word) == 4)
      rows = &extension.rv32;
    else
      rows = &extension.rv64;
    for (const Instruction<Word>& row : *rows) by_opcode_[row.encoding.match >> 2 & 0x1F].push_back(row);
  }
}

template <class Word>
const Decoder<Word>& Decoder<Word>::of_all_extensions() {
  static const Decoder decoder;
  return decoder;
}

template <class Word>
const Instruction<Word>* Decoder<Word>::find(std::uint32_t word) const {
  if ((word & 3) != 3) return nullptr;
  for (const Instruction<Word>& row : by_opcode_[word >> 2 & 0x1F])
    if ((word & row.encoding.mask) == row.encoding.match) return &row;
  return nullptr;
}

template <class Word>
typename Decoder<Word>::Decoded Decoder<Word>::decode(std::uint32_t word, Word pc) const {
  const std::uint32_t bits = word;
  if (instruction_bytes(static_cast<std::uint16_t>(word)) == 2)
    word = expand(static_cast<std::uint16_t>(word), 8 * sizeof(Word));
  const Instruction<Word>* const instruction = find(word);
  const Fields fields(word);
  const bool reserved =
      instruction != nullptr && instruction->rounds && (fields.rounding() == 5 || fields.rounding() == 6);
  if (instruction == nullptr || reserved) {
    Decoded failing{.ends_block = true};
    failing.operation.run = failing.run_with_caches = failing.run_observed = illegal<Word>;
    failing.operation.immediate = bits;
    return failing;
  }
  Decoded decoded{.of_class = instruction->of_class,
                  .ends_block = instruction->ends_block,
                  .is_conditional = instruction->shape == Shape::branch};
  decoded.run_with_caches = instruction->run_with_caches != nullptr ? instruction->run_with_caches : instruction->run;
  decoded.run_observed = instruction->run_observed != nullptr ? instruction->run_observed : instruction->run;
  Operation<Word>& operation = decoded.operation;
  operation.run = instruction->run;
  operation.rd = fields.target();
  operation.rs1 = fields.source();
  operation.rs2 = fields.second_source();
  operation.rs3 = fields.register_at(27);
  operation.rounding = fields.rounding();
  operation.immediate = immediate_of(instruction->shape, fields, pc);
  decoded.of_class = class_of(*instruction, operation);
  decoded.is_branch = decoded.is_conditional || (instruction->shape == Shape::jump && operation.rd == 0);
  decoded.step = step_of(word, instruction->shape, decoded.of_class);
  if (writes_integer(instruction->shape) && operation.rd == 0) operation.rd = discarded;
  return decoded;
}

template class Decoder<std::uint32_t>;
template class Decoder<std::uint64_t>;

}  // namespace sanvp::riscv
