#include "models/cpu/riscv/linux/prologue.hpp"

#include "models/cpu/riscv/fields.hpp"
#include "models/cpu/riscv/long_form.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr unsigned sp = 2, fp = 8;

/// An instruction's effect on the stack.
struct Effect {
  std::int64_t raises = 0;           ///< the stack pointer
  std::optional<unsigned> stores{};  ///< this register
  std::int64_t at = 0;               ///< so far above the stack pointer
  bool sets_pointer = false;         ///< the frame pointer, to `at`
};

/// addi and sd, and their short forms.
Effect effect_of(const Fields& fields) {
  constexpr std::uint32_t operation = 0x13, addi = 0, store = 0x23, doubleword = 3;
  if (fields.source() != sp) return {};
  if (fields.opcode() == store && fields.function() == doubleword)
    return {.stores = fields.second_source(), .at = fields.store()};
  if (fields.opcode() != operation || fields.function() != addi) return {};
  if (fields.target() == sp) return {.raises = fields.immediate()};
  if (fields.target() == fp) return {.at = fields.immediate(), .sets_pointer = true};
  return {};
}

}  // namespace

FrameLayout frame_at(const Memory& memory, std::uint64_t begin, std::uint64_t pc) {
  FrameLayout layout;
  for (std::uint64_t address = begin; address < pc;) {
    const auto instruction = long_form_at(memory, address);
    if (!instruction) break;
    const Effect effect = effect_of(Fields(instruction->word));
    if (effect.raises < 0) layout.bytes -= effect.raises;
    if (effect.stores && !layout.saved_below.at(*effect.stores))
      layout.saved_below.at(*effect.stores) = layout.bytes - effect.at;
    if (effect.sets_pointer && !layout.pointer_below) layout.pointer_below = layout.bytes - effect.at;
    address += instruction->bytes;
  }
  return layout;
}

}  // namespace sanvp::riscv::os
