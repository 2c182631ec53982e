#include "models/native/interpreted/registers.hpp"

namespace sanvp::native::interpreted {
namespace {

// Bits of RFLAGS.
constexpr unsigned carry_bit = 0, reserved_one = 1, parity_bit = 2, zero_bit = 6, sign_bit = 7, overflow_bit = 11;

}  // namespace

bool Flags::meet(unsigned condition) const {
  const auto plain = [this](unsigned kind) {
    switch (kind) {
      case 0:
        return overflow;
      case 1:
        return carry;
      case 2:
        return zero;
      case 3:
        return carry || zero;
      case 4:
        return sign;
      case 5:
        return parity();
      case 6:
        return sign != overflow;
      default:
        return zero || sign != overflow;
    }
  };
  return plain(condition / 2 % 8) != (condition % 2 == 1);
}

std::uint64_t Flags::to_word() const {
  return std::uint64_t{carry} << carry_bit | 1U << reserved_one | std::uint64_t{parity()} << parity_bit |
         std::uint64_t{zero} << zero_bit | std::uint64_t{sign} << sign_bit | std::uint64_t{overflow} << overflow_bit;
}

void Flags::from_word(std::uint64_t word) {
  const auto bit = [word](unsigned number) { return (word >> number & 1) != 0; };
  carry = bit(carry_bit);
  parity_of = bit(parity_bit) ? 0 : 1;
  zero = bit(zero_bit);
  sign = bit(sign_bit);
  overflow = bit(overflow_bit);
}

}  // namespace sanvp::native::interpreted
