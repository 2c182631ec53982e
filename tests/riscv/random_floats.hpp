/// Numbers with which floating-point arithmetic is likely to go wrong.
#pragma once

#include <cstdint>

#include "models/cpu/riscv/floating/soft_float.hpp"
#include "platform/core/random.hpp"

namespace sanvp::riscv {

/// Near 1, near the limits, with few bits, special.
template <class Bits>
Bits draw_float(Random& random) {
  constexpr int fraction_bits = soft::Format<Bits>::precision - 1;
  constexpr Bits bias = soft::Format<Bits>::largest_exponent;
  const Bits sign = static_cast<Bits>(random.below(2)) << (sizeof(Bits) * 8 - 1);
  Bits fraction = static_cast<Bits>(random.next()) & ((Bits{1} << fraction_bits) - 1);
  if (random.below(2) == 0) fraction &= ~Bits{0} << random.below(fraction_bits);
  switch (random.below(5)) {
    case 0:
      return sign | (bias + static_cast<Bits>(random.below(20)) - 10) << fraction_bits | fraction;
    case 1:
      return sign | static_cast<Bits>(random.below(fraction_bits + 3)) << fraction_bits | fraction;
    case 2:
      return sign | (2 * bias - static_cast<Bits>(random.below(5))) << fraction_bits | fraction;
    case 3: {
      const Bits corners[] = {0, soft::infinity<Bits>, soft::canonical_nan<Bits>, soft::infinity<Bits> | 1, 1};
      return sign | corners[random.below(5)];
    }
    default:
      return static_cast<Bits>(random.next());
  }
}

}  // namespace sanvp::riscv
