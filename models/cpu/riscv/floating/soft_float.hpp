/// IEEE 754 arithmetic in integers, in all five rounding modes of RISC-V: for what the host's FPU cannot do (rounding
/// to nearest, ties away; a mode other than the current one), and for conversions to integers.
#pragma once

#include <cstdint>

#include "models/cpu/riscv/hart.hpp"

namespace sanvp::riscv::soft {

/// The bits of a number of 32 or 64 bits.
template <class Bits>
struct Format;
template <>
struct Format<std::uint32_t> {
  static constexpr int precision = 24;
  static constexpr int largest_exponent = 127;
};
template <>
struct Format<std::uint64_t> {
  static constexpr int precision = 53;
  static constexpr int largest_exponent = 1023;
};

template <class Bits>
constexpr Bits sign_bit = Bits{1} << (sizeof(Bits) * 8 - 1);
template <class Bits>
constexpr Bits infinity = static_cast<Bits>(2 * Format<Bits>::largest_exponent + 1) << (Format<Bits>::precision - 1);
template <class Bits>
constexpr Bits quiet_bit = Bits{1} << (Format<Bits>::precision - 2);
template <class Bits>
constexpr Bits canonical_nan = infinity<Bits> | quiet_bit<Bits>;

template <class Bits>
constexpr bool is_nan(Bits value) {
  return (value & ~sign_bit<Bits>) > infinity<Bits>;
}
template <class Bits>
constexpr bool is_signalling(Bits value) {
  return is_nan(value) && (value & quiet_bit<Bits>) == 0;
}

/// Rounding mode, and the flags that operations raise.
struct Environment {
  Rounding rounding = nearest_even;
  std::uint8_t flags = 0;
};

template <class Bits>
Bits add(Bits a, Bits b, Environment& environment);
template <class Bits>
Bits multiply(Bits a, Bits b, Environment& environment);
/// a * b + c with one rounding.
template <class Bits>
Bits multiply_add(Bits a, Bits b, Bits c, Environment& environment);
template <class Bits>
Bits divide(Bits a, Bits b, Environment& environment);
template <class Bits>
Bits square_root(Bits a, Environment& environment);
/// To the other format.
template <class To, class From>
To convert(From a, Environment& environment);
template <class To>
To from_integer(bool is_negative, std::uint64_t magnitude, Environment& environment);
/// To an integer type; a value out of range becomes the nearest limit, NaN the largest, and is invalid.
template <class Integer, class From>
Integer to_integer(From a, Environment& environment);

}  // namespace sanvp::riscv::soft
