#include "models/cpu/riscv/floating/soft_float.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace sanvp::riscv::soft {
namespace {

using Wide = unsigned __int128;

/// significand * 2^exponent. The lowest bit may stand for all that was shifted out (a sticky bit).
struct Exact {
  bool is_negative = false;
  int exponent = 0;
  Wide significand = 0;
};

int width(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(value));
}

Wide shifted_right(Wide value, int shift) {
  if (shift <= 0) return value;
  if (shift >= 128) return value != 0 ? 1 : 0;
  const bool is_lost = (value & ((Wide{1} << shift) - 1)) != 0;
  return value >> shift | (is_lost ? 1 : 0);
}

/// The significand's leading bit moved to bit `top` or below, if that loses nothing; exact.
Exact with_top(Exact value, int top) {
  const int shift = top + 1 - width(value.significand);
  value.significand <<= shift;
  value.exponent -= shift;
  return value;
}

struct Rounded {
  Wide significand = 0;
  bool is_inexact = false;
};

/// Without its lowest `shift` bits.
Rounded rounded(Wide significand, int shift, bool is_negative, Rounding rounding) {
  if (shift <= 0) return {significand << -shift, false};
  const Wide kept = shift < 128 ? significand >> shift : 0;
  const Wide lost = shift < 128 ? significand - (kept << shift) : significand;
  const Wide half = shift <= 128 ? Wide{1} << (shift - 1) : 0;  // beyond, all of it is less than half
  const bool above = half != 0 && lost > half, tie = half != 0 && lost == half;
  bool increments = false;
  switch (rounding) {
    case nearest_even:
      increments = above || (tie && (kept & 1) != 0);
      break;
    case nearest_away:
      increments = above || tie;
      break;
    case down:
      increments = is_negative && lost != 0;
      break;
    case up:
      increments = !is_negative && lost != 0;
      break;
    default:
      break;
  }
  return {kept + (increments ? 1 : 0), lost != 0};
}

template <class Bits>
Bits overflowed(bool is_negative, Environment& environment) {
  environment.flags |= overflow | inexact;
  const Rounding rounding = environment.rounding;
  const bool to_infinity =
      rounding == nearest_even || rounding == nearest_away || rounding == (is_negative ? down : up);
  return (is_negative ? sign_bit<Bits> : 0) | (to_infinity ? infinity<Bits> : infinity<Bits> - 1);
}

template <class Bits>
Bits pack(Exact value, Environment& environment) {
  constexpr int precision = Format<Bits>::precision;
  constexpr int smallest_exponent = 1 - Format<Bits>::largest_exponent;
  const Bits sign = value.is_negative ? sign_bit<Bits> : 0;
  if (value.significand == 0) return sign;
  const int leading = value.exponent + width(value.significand) - 1;
  const int last = std::max(leading, smallest_exponent) - (precision - 1);  // exponent of the last bit that is kept
  const auto [kept, is_inexact] =
      rounded(value.significand, last - value.exponent, value.is_negative, environment.rounding);
  if (is_inexact) environment.flags |= inexact;
  if (is_inexact && leading < smallest_exponent) {
    // Tiny if it would be tiny after rounding with an unbounded exponent.
    const int unbounded = width(value.significand) - precision;
    const Wide full = rounded(value.significand, unbounded, value.is_negative, environment.rounding).significand;
    if (leading < smallest_exponent - 1 || width(full) == precision) environment.flags |= underflow;
  }
  // A carry out of the significand raises the exponent field automatically.
  const int field = last + precision - 1 - smallest_exponent;  // of the exponent, less the hidden bit
  const Wide bits = (static_cast<Wide>(field) << (precision - 1)) + kept;
  if (bits >= infinity<Bits>) return overflowed<Bits>(value.is_negative, environment);
  return sign | static_cast<Bits>(bits);
}

/// Unpacks a finite number.
template <class Bits>
Exact unpack(Bits bits) {
  constexpr int precision = Format<Bits>::precision;
  const Bits magnitude = bits & ~sign_bit<Bits>;
  const int field = static_cast<int>(magnitude >> (precision - 1));
  const Bits fraction = magnitude & ((Bits{1} << (precision - 1)) - 1);
  const int exponent = std::max(field, 1) - Format<Bits>::largest_exponent - (precision - 1);
  return {(bits & sign_bit<Bits>) != 0, exponent, field == 0 ? fraction : fraction | Bits{1} << (precision - 1)};
}

Exact sum(Exact a, Exact b, Rounding rounding) {
  if (a.significand == 0 && b.significand == 0)
    return {a.is_negative == b.is_negative ? a.is_negative : rounding == down, 0, 0};
  if (a.significand == 0) return b;
  if (b.significand == 0) return a;
  constexpr int top = 125;  // room for a carry, and low bits enough for what cancellation moves up
  a = with_top(a, top);
  b = with_top(b, top);
  if (a.exponent < b.exponent) std::swap(a, b);
  b.significand = shifted_right(b.significand, a.exponent - b.exponent);
  if (a.is_negative == b.is_negative) return {a.is_negative, a.exponent, a.significand + b.significand};
  if (a.significand == b.significand) return {rounding == down, 0, 0};
  if (a.significand > b.significand) return {a.is_negative, a.exponent, a.significand - b.significand};
  return {b.is_negative, a.exponent, b.significand - a.significand};
}

Exact product(const Exact& a, const Exact& b) {
  return {a.is_negative != b.is_negative, a.exponent + b.exponent, a.significand * b.significand};
}

template <class Bits>
bool is_infinite(Bits value) {
  return (value & ~sign_bit<Bits>) == infinity<Bits>;
}
template <class Bits>
bool is_zero(Bits value) {
  return (value & ~sign_bit<Bits>) == 0;
}

template <class Bits>
Bits nan_of(Environment& environment, bool is_invalid) {
  if (is_invalid) environment.flags |= invalid;
  return canonical_nan<Bits>;
}

}  // namespace

template <class Bits>
Bits add(Bits a, Bits b, Environment& environment) {
  if (is_nan(a) || is_nan(b)) return nan_of<Bits>(environment, is_signalling(a) || is_signalling(b));
  if (is_infinite(a) && is_infinite(b) && a != b) return nan_of<Bits>(environment, true);
  if (is_infinite(a)) return a;
  if (is_infinite(b)) return b;
  return pack<Bits>(sum(unpack(a), unpack(b), environment.rounding), environment);
}

template <class Bits>
Bits multiply(Bits a, Bits b, Environment& environment) {
  if (is_nan(a) || is_nan(b)) return nan_of<Bits>(environment, is_signalling(a) || is_signalling(b));
  if (is_infinite(a) || is_infinite(b)) {
    if (is_zero(a) || is_zero(b)) return nan_of<Bits>(environment, true);
    return infinity<Bits> | ((a ^ b) & sign_bit<Bits>);
  }
  return pack<Bits>(product(unpack(a), unpack(b)), environment);
}

template <class Bits>
Bits multiply_add(Bits a, Bits b, Bits c, Environment& environment) {
  const bool zero_times_infinity = (is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b));
  if (is_nan(a) || is_nan(b) || is_nan(c) || zero_times_infinity)
    return nan_of<Bits>(environment, zero_times_infinity || is_signalling(a) || is_signalling(b) || is_signalling(c));
  const Bits sign = (a ^ b) & sign_bit<Bits>;
  if (is_infinite(a) || is_infinite(b)) {
    if (is_infinite(c) && (c & sign_bit<Bits>) != sign) return nan_of<Bits>(environment, true);
    return infinity<Bits> | sign;
  }
  if (is_infinite(c)) return c;
  return pack<Bits>(sum(product(unpack(a), unpack(b)), unpack(c), environment.rounding), environment);
}

template <class Bits>
Bits divide(Bits a, Bits b, Environment& environment) {
  if (is_nan(a) || is_nan(b)) return nan_of<Bits>(environment, is_signalling(a) || is_signalling(b));
  const Bits sign = (a ^ b) & sign_bit<Bits>;
  if ((is_infinite(a) && is_infinite(b)) || (is_zero(a) && is_zero(b))) return nan_of<Bits>(environment, true);
  if (is_infinite(a)) return infinity<Bits> | sign;
  if (is_infinite(b) || is_zero(a)) return sign;
  if (is_zero(b)) {
    environment.flags |= divided_by_zero;
    return infinity<Bits> | sign;
  }
  const Exact over = with_top(unpack(a), 127), under = with_top(unpack(b), 60);
  Wide quotient = over.significand / under.significand;  // 67 bits or more
  if (over.significand % under.significand != 0) quotient |= 1;
  return pack<Bits>({sign != 0, over.exponent - under.exponent, quotient}, environment);
}

template <class Bits>
Bits square_root(Bits a, Environment& environment) {
  if (is_nan(a)) return nan_of<Bits>(environment, is_signalling(a));
  if (is_zero(a)) return a;
  if ((a & sign_bit<Bits>) != 0) return nan_of<Bits>(environment, true);
  if (is_infinite(a)) return a;
  Exact value = with_top(unpack(a), 125);
  if (value.exponent % 2 != 0) value = with_top(value, 126);
  Wide root = 0, rest = value.significand;
  for (int bit = 126; bit >= 0; bit -= 2) {  // by digits
    const Wide trial = root + (Wide{1} << bit);
    const bool fits = rest >= trial;
    if (fits) rest -= trial;
    root = fits ? (root >> 1) + (Wide{1} << bit) : root >> 1;
  }
  if (rest != 0) root = root << 1 | 1;  // one bit more, sticky
  return pack<Bits>({false, value.exponent / 2 - (rest != 0 ? 1 : 0), root}, environment);
}

template <class To, class From>
To convert(From a, Environment& environment) {
  if (is_nan(a)) return nan_of<To>(environment, is_signalling(a));
  if (is_infinite(a)) return infinity<To> | ((a & sign_bit<From>) != 0 ? sign_bit<To> : 0);
  return pack<To>(unpack(a), environment);
}

template <class To>
To from_integer(bool is_negative, std::uint64_t magnitude, Environment& environment) {
  return pack<To>({is_negative, 0, magnitude}, environment);
}

template <class Integer, class From>
Integer to_integer(From a, Environment& environment) {
  using Limits = std::numeric_limits<Integer>;
  const bool is_negative = (a & sign_bit<From>) != 0;
  const Integer limit = is_negative && !is_nan(a) ? Limits::min() : Limits::max();
  if (is_nan(a) || is_infinite(a)) {
    environment.flags |= invalid;
    return limit;
  }
  const Exact value = unpack(a);
  const Wide most = is_negative ? Wide{0} - static_cast<Wide>(Limits::min()) : static_cast<Wide>(Limits::max());
  if (value.exponent > 64 && value.significand != 0) {
    environment.flags |= invalid;
    return limit;
  }
  const auto [magnitude, is_inexact] = rounded(value.significand, -value.exponent, is_negative, environment.rounding);
  if (magnitude > most) {
    environment.flags |= invalid;
    return limit;
  }
  if (is_inexact) environment.flags |= inexact;
  return static_cast<Integer>(is_negative ? Wide{0} - magnitude : magnitude);
}

#define SANVP_FORMAT(Bits)                                              \
  template Bits add(Bits, Bits, Environment&);                          \
  template Bits multiply(Bits, Bits, Environment&);                     \
  template Bits multiply_add(Bits, Bits, Bits, Environment&);           \
  template Bits divide(Bits, Bits, Environment&);                       \
  template Bits square_root(Bits, Environment&);                        \
  template Bits from_integer(bool, std::uint64_t, Environment&);        \
  template std::int32_t to_integer<std::int32_t>(Bits, Environment&);   \
  template std::int64_t to_integer<std::int64_t>(Bits, Environment&);   \
  template std::uint32_t to_integer<std::uint32_t>(Bits, Environment&); \
  template std::uint64_t to_integer<std::uint64_t>(Bits, Environment&);
SANVP_FORMAT(std::uint32_t)
SANVP_FORMAT(std::uint64_t)
#undef SANVP_FORMAT
template std::uint64_t convert(std::uint32_t, Environment&);
template std::uint32_t convert(std::uint64_t, Environment&);

}  // namespace sanvp::riscv::soft
