#include "models/cpu/riscv/linux/prologue.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr unsigned sp = 2, fp = 8;

constexpr std::uint32_t bits(std::uint32_t word, unsigned low, unsigned count) {
  return word >> low & ((1U << count) - 1);
}

constexpr std::int64_t signed_of(std::uint32_t value, unsigned width) {
  const std::int64_t sign = std::int64_t{1} << (width - 1);
  return (static_cast<std::int64_t>(value) ^ sign) - sign;
}

/// What an instruction does to the stack.
struct Effect {
  std::int64_t raises = 0;           ///< the stack pointer
  std::optional<unsigned> stores{};  ///< this register
  std::int64_t at = 0;               ///< so far above the stack pointer
  bool sets_pointer = false;         ///< the frame pointer, to `at`
};

/// Short forms: c.addi16sp, c.addi, c.sdsp, c.addi4spn.
Effect effect_of_short(std::uint32_t word) {
  constexpr std::uint32_t addi = 0b000, addi4spn = 0b000, addi16sp = 0b011, sdsp = 0b111;
  constexpr std::uint32_t first_of_short = 8;  // registers of three bits
  const std::uint32_t quadrant = bits(word, 0, 2), kind = bits(word, 13, 3), target = bits(word, 7, 5);
  if (quadrant == 1 && kind == addi16sp && target == sp) {
    const std::uint32_t value = bits(word, 12, 1) << 9 | bits(word, 3, 2) << 7 | bits(word, 5, 1) << 6 |
                                bits(word, 2, 1) << 5 | bits(word, 6, 1) << 4;
    return {.raises = signed_of(value, 10)};
  }
  if (quadrant == 1 && kind == addi && target == sp)
    return {.raises = signed_of(bits(word, 12, 1) << 5 | bits(word, 2, 5), 6)};
  if (quadrant == 2 && kind == sdsp)
    return {.stores = bits(word, 2, 5), .at = bits(word, 10, 3) << 3 | bits(word, 7, 3) << 6};
  if (quadrant == 0 && kind == addi4spn && bits(word, 2, 3) + first_of_short == fp && word != 0)
    return {.at = bits(word, 7, 4) << 6 | bits(word, 11, 2) << 4 | bits(word, 5, 1) << 3 | bits(word, 6, 1) << 2,
            .sets_pointer = true};
  return {};
}

/// addi and sd.
Effect effect_of_long(std::uint32_t word) {
  constexpr std::uint32_t addi = 0x13, store = 0x23, doubleword = 3;
  const std::uint32_t code = bits(word, 0, 7), kind = bits(word, 12, 3), target = bits(word, 7, 5),
                      base = bits(word, 15, 5);
  if (code == addi && kind == 0 && target == sp && base == sp) return {.raises = signed_of(bits(word, 20, 12), 12)};
  if (code == addi && kind == 0 && target == fp && base == sp)
    return {.at = signed_of(bits(word, 20, 12), 12), .sets_pointer = true};
  if (code == store && kind == doubleword && base == sp)
    return {.stores = bits(word, 20, 5), .at = signed_of(bits(word, 25, 7) << 5 | target, 12)};
  return {};
}

}  // namespace

FrameLayout frame_at(const Memory& memory, std::uint64_t begin, std::uint64_t pc) {
  FrameLayout layout;
  for (std::uint64_t address = begin; address < pc;) {
    const auto low = memory.read<std::uint16_t>(address);
    if (!low) break;
    const bool is_short = (*low & 3) != 3;
    const auto high = is_short ? std::optional<std::uint16_t>(0) : memory.read<std::uint16_t>(address + 2);
    if (!high) break;
    const Effect effect = is_short ? effect_of_short(*low) : effect_of_long(*low | std::uint32_t{*high} << 16);
    if (effect.raises < 0) layout.bytes -= effect.raises;
    if (effect.stores && !layout.saved_below.at(*effect.stores))
      layout.saved_below.at(*effect.stores) = layout.bytes - effect.at;
    if (effect.sets_pointer && !layout.pointer_below) layout.pointer_below = layout.bytes - effect.at;
    address += is_short ? 2 : 4;
  }
  return layout;
}

}  // namespace sanvp::riscv::os
