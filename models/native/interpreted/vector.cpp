// Instructions of SSE and SSE2 that compilers use if no other extension is enabled.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "models/native/interpreted/instruction.hpp"

namespace sanvp::native::interpreted {
namespace {

/// Applies `compute` to each lane of the own operand and the other one.
template <class T, class F>
bool lanes(Instruction& i, F compute) {
  i.read_modrm();
  const Vector other = i.other_vector();
  Vector& own = i.own_vector();
  for (std::size_t n = 0; n < sizeof(Vector) / sizeof(T); ++n)
    own.set_lane<T>(n, static_cast<T>(compute(own.lane<T>(n), other.lane<T>(n))));
  return true;
}

template <class T>
T ones_if(bool condition) {
  return condition ? static_cast<T>(~T{0}) : T{0};
}

/// Scalars, and all lanes without the prefixes for scalars.
template <class F>
bool arithmetic(Instruction& i, F compute) {
  if (i.form == Form::plain) return lanes<float>(i, compute);
  if (i.form == Form::operand) return lanes<double>(i, compute);
  i.read_modrm();
  if (i.form == Form::repeat)
    i.own_vector().set_lane<float>(0, compute(i.own_vector().lane<float>(), i.other_vector(4).lane<float>()));
  else
    i.own_vector().set_lane<double>(0, compute(i.own_vector().lane<double>(), i.other_vector(8).lane<double>()));
  return true;
}

/// Interleaves the lanes of the two operands' lower or upper halves.
template <class T>
bool interleave(Instruction& i, bool upper) {
  i.read_modrm();
  const Vector own = i.own_vector(), other = i.other_vector();
  constexpr std::size_t half = sizeof(Vector) / sizeof(T) / 2;
  for (std::size_t n = 0; n < half; ++n) {
    i.own_vector().set_lane<T>(2 * n, own.lane<T>(n + (upper ? half : 0)));
    i.own_vector().set_lane<T>(2 * n + 1, other.lane<T>(n + (upper ? half : 0)));
  }
  return true;
}

template <class Wide, class Narrow>
bool pack(Instruction& i) {
  i.read_modrm();
  const Vector own = i.own_vector(), other = i.other_vector();
  constexpr std::size_t count = sizeof(Vector) / sizeof(Wide);
  const auto narrow = [](Wide value) {
    return static_cast<Narrow>(
        std::clamp<Wide>(value, std::numeric_limits<Narrow>::min(), std::numeric_limits<Narrow>::max()));
  };
  for (std::size_t n = 0; n < count; ++n) {
    i.own_vector().set_lane<Narrow>(n, narrow(own.lane<Wide>(n)));
    i.own_vector().set_lane<Narrow>(n + count, narrow(other.lane<Wide>(n)));
  }
  return true;
}

/// A move of `bytes`: to a register, the rest becomes zero if it comes from memory or `clears`.
bool load_part(Instruction& i, std::size_t bytes, bool clears) {
  i.read_modrm();
  const Vector other = i.other_vector(bytes);
  if (!i.is_register || clears || bytes == sizeof(Vector))
    i.own_vector() = other;
  else
    std::memcpy(i.own_vector().bytes.data(), other.bytes.data(), bytes);
  return true;
}

bool store_part(Instruction& i, std::size_t bytes, bool clears = false) {
  i.read_modrm();
  const Vector own = i.own_vector();
  if (i.is_register && clears) i.at.vector[i.rm] = {};
  std::memcpy(i.is_register ? i.at.vector[i.rm].bytes.data() : i.memory, own.bytes.data(), bytes);
  return true;
}

/// One half of a register; between registers movhlps and movlhps.
bool move_half(Instruction& i, bool to_upper) {
  i.read_modrm();
  const std::uint64_t value =
      i.is_register ? i.at.vector[i.rm].lane<std::uint64_t>(to_upper ? 0 : 1) : load<std::uint64_t>(i.memory);
  i.own_vector().set_lane(to_upper ? 1 : 0, value);
  return true;
}

bool shuffle_doublewords(Instruction& i) {
  i.read_modrm(1);
  const Vector other = i.other_vector();
  const auto order = i.take<std::uint8_t>();
  if (i.form == Form::operand) {
    for (unsigned n = 0; n < 4; ++n) i.own_vector().set_lane(n, other.lane<std::uint32_t>(order >> 2 * n & 3U));
    return true;
  }
  const unsigned first = i.form == Form::repeat ? 4 : 0;  // pshufhw, pshuflw
  i.own_vector() = other;
  for (unsigned n = 0; n < 4; ++n)
    i.own_vector().set_lane(first + n, other.lane<std::uint16_t>(first + (order >> 2 * n & 3U)));
  return true;
}

bool shuffle_floats(Instruction& i) {
  i.read_modrm(1);
  const Vector own = i.own_vector(), other = i.other_vector();
  const auto order = i.take<std::uint8_t>();
  Vector& to = i.own_vector();
  if (i.form == Form::operand) {
    to.set_lane(0, own.lane<std::uint64_t>(order & 1U));
    to.set_lane(1, other.lane<std::uint64_t>(order >> 1 & 1U));
  } else {
    for (unsigned n = 0; n < 4; ++n) to.set_lane(n, (n < 2 ? own : other).lane<std::uint32_t>(order >> 2 * n & 3U));
  }
  return true;
}

/// psrl, psra, psll of every lane by one count.
template <class T>
void shift_lanes(Vector& vector, unsigned kind, std::uint64_t count) {
  constexpr std::uint64_t bits = sizeof(T) * 8;
  for (std::size_t n = 0; n < sizeof(Vector) / sizeof(T); ++n) {
    const T value = vector.lane<T>(n);
    const auto sign = static_cast<std::make_signed_t<T>>(value);
    T result = 0;
    if (kind == 4) result = static_cast<T>(sign >> std::min<std::uint64_t>(count, bits - 1));
    if (kind == 2 && count < bits) result = static_cast<T>(value >> count);
    if (kind == 6 && count < bits) result = static_cast<T>(value << count);
    vector.set_lane(n, result);
  }
}

bool shift_by_width(Vector& vector, unsigned width, unsigned kind, std::uint64_t count) {
  switch (width) {
    case 1:
      return shift_lanes<std::uint16_t>(vector, kind, count), true;
    case 2:
      return shift_lanes<std::uint32_t>(vector, kind, count), true;
    case 3:
      return shift_lanes<std::uint64_t>(vector, kind, count), true;
    default:
      return false;
  }
}

bool shift_by_immediate(Instruction& i) {
  i.read_modrm(1);
  Vector& vector = i.at.vector[i.rm];
  const auto count = i.take<std::uint8_t>();
  const unsigned kind = i.reg & 7U;
  if (i.opcode != 0x73 || (kind != 3 && kind != 7)) return shift_by_width(vector, i.opcode - 0x70U, kind, count);
  const Vector before = vector;  // psrldq, pslldq: bytes of the whole
  vector = {};
  if (count < sizeof(Vector))
    std::memcpy(vector.bytes.data() + (kind == 7 ? count : 0), before.bytes.data() + (kind == 3 ? count : 0),
                sizeof(Vector) - count);
  return true;
}

bool compare_scalars(Instruction& i) {
  i.read_modrm();
  const bool is_single = i.form == Form::plain;
  const double a = is_single ? double{i.own_vector().lane<float>()} : i.own_vector().lane<double>();
  const double b = is_single ? double{i.other_vector(4).lane<float>()} : i.other_vector(8).lane<double>();
  const bool unordered = std::isnan(a) || std::isnan(b);
  i.at.flags = {.carry = unordered || a < b,
                .zero = unordered || a == b,
                .sign = false,
                .overflow = false,
                .parity_of = static_cast<std::uint8_t>(unordered ? 0 : 1)};
  return true;
}

bool from_integer(Instruction& i) {
  i.read_modrm();
  const auto value = static_cast<std::int64_t>(sign_extended(i.other(), i.size));
  if (i.form == Form::repeat)
    i.own_vector().set_lane(0, static_cast<float>(value));
  else
    i.own_vector().set_lane(0, static_cast<double>(value));
  return i.form == Form::repeat || i.form == Form::repeat_not;
}

bool to_integer(Instruction& i) {
  i.read_modrm();
  double value = i.form == Form::repeat ? double{i.other_vector(4).lane<float>()} : i.other_vector(8).lane<double>();
  if (i.opcode == 0x2D) value = std::nearbyint(value);
  const double limit = i.size == 8 ? 0x1p63 : 0x1p31;
  const bool fits = value >= -limit && (i.size == 8 ? value < limit : std::trunc(value) < limit);
  i.set_own(fits ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) : sign_of(i.size));
  return i.form == Form::repeat || i.form == Form::repeat_not;
}

/// cvtdq2ps, cvtdq2pd
bool from_integer_lanes(Instruction& i) {
  i.read_modrm();
  const Vector other = i.other_vector(i.opcode == 0x5B ? sizeof(Vector) : 8);
  if (i.opcode == 0x5B)
    for (std::size_t n = 0; n < 4; ++n) i.own_vector().set_lane(n, static_cast<float>(other.lane<std::int32_t>(n)));
  else
    for (std::size_t n = 0; n < 2; ++n) i.own_vector().set_lane(n, static_cast<double>(other.lane<std::int32_t>(n)));
  return i.form == (i.opcode == 0x5B ? Form::plain : Form::repeat);
}

bool convert_scalar(Instruction& i) {
  i.read_modrm();
  if (i.form == Form::plain) {  // cvtps2pd
    const Vector other = i.other_vector(8);
    for (std::size_t n = 0; n < 2; ++n) i.own_vector().set_lane(n, double{other.lane<float>(n)});
    return true;
  }
  if (i.form == Form::repeat)
    i.own_vector().set_lane(0, double{i.other_vector(4).lane<float>()});
  else
    i.own_vector().set_lane(0, static_cast<float>(i.other_vector(8).lane<double>()));
  return i.form == Form::repeat || i.form == Form::repeat_not;
}

bool move_from_general(Instruction& i) {
  i.size = i.is_wide ? 8 : 4;
  i.read_modrm();
  const std::uint64_t value = i.other();
  i.own_vector() = {};
  i.own_vector().set_lane(0, value);
  return true;
}

bool move_to_general(Instruction& i) {
  if (i.form == Form::repeat) return load_part(i, 8, true);  // movq
  i.size = i.is_wide ? 8 : 4;
  i.read_modrm();
  i.set_other(i.own_vector().lane<std::uint64_t>());
  return true;
}

bool take_signs(Instruction& i) {
  i.read_modrm();
  unsigned signs = 0;
  for (unsigned n = 0; n < 16; ++n) signs |= static_cast<unsigned>(i.at.vector[i.rm].lane<std::uint8_t>(n) >> 7) << n;
  i.size = 4;
  i.set_own(signs);
  return true;
}

bool word_in_vector(Instruction& i) {
  i.size = 4;
  i.read_modrm(1);
  const bool is_insertion = i.opcode == 0xC4;
  const std::uint64_t value = is_insertion && !i.is_register ? load<std::uint16_t>(i.memory) : i.general(i.rm, 4);
  const unsigned lane = i.take<std::uint8_t>() & 7U;
  if (is_insertion)
    i.own_vector().set_lane(lane, static_cast<std::uint16_t>(value));
  else
    i.set_own(i.at.vector[i.rm].lane<std::uint16_t>(lane));
  return true;
}

bool scalar_move(Instruction& i, bool is_store) {
  const std::size_t bytes = i.form == Form::repeat ? 4 : i.form == Form::repeat_not ? 8 : sizeof(Vector);
  return is_store ? store_part(i, bytes) : load_part(i, bytes, false);
}

bool floating_point(Instruction& i) {
  switch (i.opcode) {
    case 0x2A:
      return from_integer(i);
    case 0x2C:
    case 0x2D:
      return to_integer(i);
    case 0x2E:
    case 0x2F:
      return compare_scalars(i);
    case 0x51:
      return arithmetic(i, [](auto, auto b) { return std::sqrt(b); });
    case 0x58:
      return arithmetic(i, [](auto a, auto b) { return a + b; });
    case 0x59:
      return arithmetic(i, [](auto a, auto b) { return a * b; });
    case 0x5A:
      return convert_scalar(i);
    case 0x5B:
    case 0xE6:
      return from_integer_lanes(i);
    case 0x5C:
      return arithmetic(i, [](auto a, auto b) { return a - b; });
    case 0x5D:
      return arithmetic(i, [](auto a, auto b) { return a < b ? a : b; });
    case 0x5E:
      return arithmetic(i, [](auto a, auto b) { return a / b; });
    case 0x5F:
      return arithmetic(i, [](auto a, auto b) { return a > b ? a : b; });
    default:
      return false;
  }
}

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;

bool integer_lanes(Instruction& i) {
  constexpr auto sum = [](auto a, auto b) { return a + b; };
  constexpr auto difference = [](auto a, auto b) { return a - b; };
  constexpr auto equal = [](auto a, auto b) { return ones_if<decltype(a)>(a == b); };
  constexpr auto greater = [](auto a, auto b) { return ones_if<decltype(a)>(a > b); };
  switch (i.opcode) {
    case 0x54:
    case 0xDB:
      return lanes<u64>(i, [](u64 a, u64 b) { return a & b; });
    case 0x55:
    case 0xDF:
      return lanes<u64>(i, [](u64 a, u64 b) { return ~a & b; });
    case 0x56:
    case 0xEB:
      return lanes<u64>(i, [](u64 a, u64 b) { return a | b; });
    case 0x57:
    case 0xEF:
      return lanes<u64>(i, [](u64 a, u64 b) { return a ^ b; });
    case 0x64:
      return lanes<i8>(i, greater);
    case 0x65:
      return lanes<i16>(i, greater);
    case 0x66:
      return lanes<i32>(i, greater);
    case 0x74:
      return lanes<u8>(i, equal);
    case 0x75:
      return lanes<u16>(i, equal);
    case 0x76:
      return lanes<u32>(i, equal);
    case 0xD4:
      return lanes<u64>(i, sum);
    case 0xD5:
      return lanes<u16>(i, [](u16 a, u16 b) { return u32{a} * b; });
    case 0xDA:
      return lanes<u8>(i, [](u8 a, u8 b) { return std::min(a, b); });
    case 0xDE:
      return lanes<u8>(i, [](u8 a, u8 b) { return std::max(a, b); });
    case 0xE4:
      return lanes<u16>(i, [](u16 a, u16 b) { return u32{a} * b >> 16; });
    case 0xE5:
      return lanes<i16>(i, [](i16 a, i16 b) { return i32{a} * b >> 16; });
    case 0xEA:
      return lanes<i16>(i, [](i16 a, i16 b) { return std::min(a, b); });
    case 0xEE:
      return lanes<i16>(i, [](i16 a, i16 b) { return std::max(a, b); });
    case 0xF4:
      return lanes<u64>(i, [](u64 a, u64 b) { return (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF); });
    case 0xF8:
      return lanes<u8>(i, difference);
    case 0xF9:
      return lanes<u16>(i, difference);
    case 0xFA:
      return lanes<u32>(i, difference);
    case 0xFB:
      return lanes<u64>(i, difference);
    case 0xFC:
      return lanes<u8>(i, sum);
    case 0xFD:
      return lanes<u16>(i, sum);
    case 0xFE:
      return lanes<u32>(i, sum);
    default:
      return false;
  }
}

bool rearranging(Instruction& i) {
  switch (i.opcode) {
    case 0x14:
      return i.form == Form::operand ? interleave<u64>(i, false) : interleave<u32>(i, false);
    case 0x15:
      return i.form == Form::operand ? interleave<u64>(i, true) : interleave<u32>(i, true);
    case 0x60:
      return interleave<u8>(i, false);
    case 0x61:
      return interleave<u16>(i, false);
    case 0x62:
      return interleave<u32>(i, false);
    case 0x63:
      return pack<i16, i8>(i);
    case 0x67:
      return pack<i16, u8>(i);
    case 0x68:
      return interleave<u8>(i, true);
    case 0x69:
      return interleave<u16>(i, true);
    case 0x6A:
      return interleave<u32>(i, true);
    case 0x6B:
      return pack<i32, i16>(i);
    case 0x6C:
      return interleave<u64>(i, false);
    case 0x6D:
      return interleave<u64>(i, true);
    case 0x70:
      return shuffle_doublewords(i);
    case 0xC6:
      return shuffle_floats(i);
    case 0x71:
    case 0x72:
    case 0x73:
      return shift_by_immediate(i);
    case 0xD1:
    case 0xD2:
    case 0xD3:
    case 0xE1:
    case 0xE2:
    case 0xF1:
    case 0xF2:
    case 0xF3: {
      i.read_modrm();
      const unsigned kind = i.opcode < 0xE0 ? 2 : i.opcode < 0xF0 ? 4 : 6;
      return shift_by_width(i.own_vector(), i.opcode & 0xFU, kind, i.other_vector().lane<u64>());
    }
    case 0xC4:
    case 0xC5:
      return word_in_vector(i);
    case 0xD7:
      return take_signs(i);
    default:
      return false;
  }
}

}  // namespace

bool execute_vector(Instruction& i) {
  switch (i.opcode) {
    case 0x10:
      return scalar_move(i, false);
    case 0x11:
      return scalar_move(i, true);
    case 0x12:
      return move_half(i, false);
    case 0x16:
      return move_half(i, true);
    case 0x13:
      return store_part(i, 8);
    case 0x17:
      i.read_modrm();
      return store(i.memory, i.own_vector().lane<u64>(1), 8), true;
    case 0x28:
    case 0x6F:
      return load_part(i, sizeof(Vector), true);
    case 0x29:
    case 0x2B:
    case 0x7F:
    case 0xE7:
      return store_part(i, sizeof(Vector));
    case 0x6E:
      return move_from_general(i);
    case 0x7E:
      return move_to_general(i);
    case 0xD6:
      return store_part(i, 8, true);
    default:
      return floating_point(i) || integer_lanes(i) || rearranging(i);
  }
}

}  // namespace sanvp::native::interpreted
