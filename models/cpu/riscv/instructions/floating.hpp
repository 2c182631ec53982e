/// F and D have the same operations on numbers of 32 and 64 bits: written once, for T = float and double. The host's
/// FPU computes; if its rounding mode is not the instruction's, the software does.
#pragma once

#include <bit>
#include <cmath>

#include "models/cpu/riscv/access.hpp"
#include "models/cpu/riscv/floating/host_fpu.hpp"
#include "models/cpu/riscv/floating/soft_float.hpp"
#include "models/cpu/riscv/instruction.hpp"
#include "models/cpu/riscv/instructions/apply.hpp"

namespace sanvp::riscv {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// The number in a register. A narrow one that is not NaN-boxed counts as NaN.
template <class T, class Word>
BitsOf<T> bits_in(const Hart<Word>& hart, unsigned number) {
  const std::uint64_t bits = hart.f[number];
  if constexpr (sizeof(T) == 4)
    return bits >> 32 == 0xFFFFFFFF ? static_cast<std::uint32_t>(bits) : soft::canonical_nan<std::uint32_t>;
  else
    return bits;
}

template <class T, class Word>
void put_bits(Hart<Word>& hart, unsigned number, BitsOf<T> bits) {
  ToFloat::put<BitsOf<T>>(hart, number, bits);
}

template <class T>
T number_of(BitsOf<T> bits) {
  return fpu::unknown(std::bit_cast<T>(bits));
}

/// The host's NaNs have payloads and signs.
template <class T>
BitsOf<T> canonical(T value) {
  return value == value ? std::bit_cast<BitsOf<T>>(value) : soft::canonical_nan<BitsOf<T>>;
}

template <class Word>
bool host_rounds(const Hart<Word>& hart, const Operation<Word>* operation) {
  return (hart.host_rounds >> operation->rounding & 1) != 0;
}

template <class Word>
std::uint8_t rounding_of(const Hart<Word>& hart, const Operation<Word>* operation) {
  return operation->rounding == dynamic_rounding ? hart.rounding : operation->rounding;
}

/// @param compute  what the software does, from an environment to bits
template <class T, class Word, class Compute>
Exit by_software(Hart<Word>& hart, const Operation<Word>* operation, Compute compute) {
  const std::uint8_t rounding = rounding_of(hart, operation);
  if (rounding > nearest_away) return hart.fail(operation, Cause::illegal_instruction, 0);
  soft::Environment environment{static_cast<Rounding>(rounding)};
  put_bits<T>(hart, operation->rd, compute(environment));
  hart.flags |= environment.flags;
  return go_on(hart, operation);
}

/// Raises the underflow flag if the host does not. Only a result of at most the smallest normal number can underflow.
/// @param compute  what the software does, from an environment to bits
template <class T, class Word, class Compute>
void find_underflow(Hart<Word>& hart, BitsOf<T> result, Compute compute) {
  using Bits = BitsOf<T>;
  constexpr Bits smallest_normal = Bits{1} << (soft::Format<Bits>::precision - 1);
  if (fpu::finds_underflow || (result & ~soft::sign_bit<Bits>) > smallest_normal) [[likely]]
    return;
  soft::Environment environment{static_cast<Rounding>(hart.rounding)};
  compute(environment);
  hart.flags |= environment.flags & underflow;
}

struct AddFloats {
  template <class T>
  static T host(T a, T b) {
    return a + b;
  }
  template <class Bits>
  static Bits software(Bits a, Bits b, soft::Environment& environment) {
    return soft::add(a, b, environment);
  }
};
struct SubtractFloats {
  template <class T>
  static T host(T a, T b) {
    return a - b;
  }
  template <class Bits>
  static Bits software(Bits a, Bits b, soft::Environment& environment) {
    return soft::add(a, soft::is_nan(b) ? b : static_cast<Bits>(b ^ soft::sign_bit<Bits>), environment);
  }
};
struct MultiplyFloats {
  template <class T>
  static T host(T a, T b) {
    return a * b;
  }
  template <class Bits>
  static Bits software(Bits a, Bits b, soft::Environment& environment) {
    return soft::multiply(a, b, environment);
  }
};
struct DivideFloats {
  template <class T>
  static T host(T a, T b) {
    return a / b;
  }
  template <class Bits>
  static Bits software(Bits a, Bits b, soft::Environment& environment) {
    return soft::divide(a, b, environment);
  }
};

template <class Word, class T, class F>
[[gnu::noinline]] Exit two_operands_in_software(Hart<Word>& hart, const Operation<Word>* operation) {
  const auto a = bits_in<T>(hart, operation->rs1), b = bits_in<T>(hart, operation->rs2);
  return by_software<T>(hart, operation,
                        [&](soft::Environment& environment) { return F::software(a, b, environment); });
}

template <class Word, class T, class F>
Exit two_operands(Hart<Word>& hart, const Operation<Word>* operation) {
  if (!host_rounds(hart, operation)) [[unlikely]]
    return two_operands_in_software<Word, T, F>(hart, operation);
  const auto a = bits_in<T>(hart, operation->rs1), b = bits_in<T>(hart, operation->rs2);
  const BitsOf<T> result = canonical(F::host(number_of<T>(a), number_of<T>(b)));
  find_underflow<T>(hart, result, [&](soft::Environment& environment) { F::software(a, b, environment); });
  put_bits<T>(hart, operation->rd, result);
  return go_on(hart, operation);
}

template <class Word, class T>
[[gnu::noinline]] Exit square_root_in_software(Hart<Word>& hart, const Operation<Word>* operation) {
  const auto a = bits_in<T>(hart, operation->rs1);
  return by_software<T>(hart, operation,
                        [&](soft::Environment& environment) { return soft::square_root(a, environment); });
}

template <class Word, class T>
Exit square_root(Hart<Word>& hart, const Operation<Word>* operation) {
  if (!host_rounds(hart, operation)) [[unlikely]]
    return square_root_in_software<Word, T>(hart, operation);
  put_bits<T>(hart, operation->rd, canonical(fpu::root_of(number_of<T>(bits_in<T>(hart, operation->rs1)))));
  return go_on(hart, operation);
}

/// @tparam negates_product, negates_sum  the signs of a * b and of c are changed
template <class T, bool negates_product, bool negates_addend>
struct Fused {
  using Bits = BitsOf<T>;
  Bits a, b, c;

  template <class Word>
  Fused(const Hart<Word>& hart, const Operation<Word>* operation)
      : a(bits_in<T>(hart, operation->rs1) ^ (negates_product ? soft::sign_bit<Bits> : 0)),
        b(bits_in<T>(hart, operation->rs2)),
        c(bits_in<T>(hart, operation->rs3) ^ (negates_addend ? soft::sign_bit<Bits> : 0)) {}

  T host() const { return std::fma(number_of<T>(a), number_of<T>(b), number_of<T>(c)); }
  /// Invalid whatever the addend is; x86 says nothing if that is NaN.
  bool is_zero_times_infinity() const {
    const Bits x = a & ~soft::sign_bit<Bits>, y = b & ~soft::sign_bit<Bits>;
    return (x == 0 && y == soft::infinity<Bits>) || (y == 0 && x == soft::infinity<Bits>);
  }
};

template <class Word, class T, bool negates_product, bool negates_addend>
[[gnu::noinline]] Exit fused_in_software(Hart<Word>& hart, const Operation<Word>* operation) {
  const Fused<T, negates_product, negates_addend> fused(hart, operation);
  return by_software<T>(hart, operation, [&](soft::Environment& environment) {
    return soft::multiply_add(fused.a, fused.b, fused.c, environment);
  });
}

template <class Word, class T, bool negates_product, bool negates_addend>
Exit fused_multiply_add(Hart<Word>& hart, const Operation<Word>* operation) {
  if (!host_rounds(hart, operation)) [[unlikely]]
    return fused_in_software<Word, T, negates_product, negates_addend>(hart, operation);
  const Fused<T, negates_product, negates_addend> fused(hart, operation);
  const T result = fused.host();
  if (result != result && fused.is_zero_times_infinity()) hart.flags |= invalid;
  find_underflow<T>(hart, canonical(result), [&](soft::Environment& environment) {
    soft::multiply_add(fused.a, fused.b, fused.c, environment);
  });
  put_bits<T>(hart, operation->rd, canonical(result));
  return go_on(hart, operation);
}

struct CopySign {
  template <class Bits>
  static Bits of(Bits, Bits b) {
    return b;
  }
};
struct NegateSign {
  template <class Bits>
  static Bits of(Bits, Bits b) {
    return ~b;
  }
};
struct MultiplySigns {
  template <class Bits>
  static Bits of(Bits a, Bits b) {
    return a ^ b;
  }
};

template <class Word, class T, class Sign>
Exit inject_sign(Hart<Word>& hart, const Operation<Word>* operation) {
  constexpr auto sign = soft::sign_bit<BitsOf<T>>;
  const auto a = bits_in<T>(hart, operation->rs1), b = bits_in<T>(hart, operation->rs2);
  put_bits<T>(hart, operation->rd, (a & ~sign) | (Sign::of(a, b) & sign));
  return go_on(hart, operation);
}

/// The number wins over NaN, -0 is less than +0.
template <class Word, class T, bool maximum>
Exit extreme(Hart<Word>& hart, const Operation<Word>* operation) {
  using Bits = BitsOf<T>;
  const Bits a = bits_in<T>(hart, operation->rs1), b = bits_in<T>(hart, operation->rs2);
  if (soft::is_signalling(a) || soft::is_signalling(b)) hart.flags |= invalid;
  Bits result = soft::canonical_nan<Bits>;
  if (soft::is_nan(a) || soft::is_nan(b)) {
    if (!soft::is_nan(a)) result = a;
    if (!soft::is_nan(b)) result = b;
  } else {
    constexpr Bits sign = soft::sign_bit<Bits>;
    const auto rank = [](Bits bits) {
      return (bits & sign) != 0 ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | sign);
    };
    result = (rank(a) < rank(b)) == maximum ? b : a;
  }
  put_bits<T>(hart, operation->rd, result);
  return go_on(hart, operation);
}

struct LessEqual {  // these two are invalid with any NaN, as the host's are
  template <class T>
  static bool of(T a, T b) {
    return a <= b;
  }
};
struct LessThan {
  template <class T>
  static bool of(T a, T b) {
    return a < b;
  }
};
struct EqualTo {  // with a signalling one only
  template <class T>
  static bool of(T a, T b) {
    return a == b;
  }
};

template <class Word, class T, class Test>
Exit compare(Hart<Word>& hart, const Operation<Word>* operation) {
  const auto a = bits_in<T>(hart, operation->rs1), b = bits_in<T>(hart, operation->rs2);
  hart.x[operation->rd] = Test::of(number_of<T>(a), number_of<T>(b));
  return go_on(hart, operation);
}

template <class Word, class T>
Exit classify(Hart<Word>& hart, const Operation<Word>* operation) {
  using Bits = BitsOf<T>;
  const Bits bits = bits_in<T>(hart, operation->rs1), magnitude = bits & ~soft::sign_bit<Bits>;
  const bool is_negative = bits != magnitude;
  unsigned index = 3;  // of magnitude zero; classes of negative numbers are mirrored
  if (soft::is_nan(bits))
    index = soft::is_signalling(bits) ? 8 : 9;
  else if (magnitude == soft::infinity<Bits>)
    index = is_negative ? 0 : 7;
  else if (magnitude >> (soft::Format<Bits>::precision - 1) != 0)
    index = is_negative ? 1 : 6;
  else if (magnitude != 0)
    index = is_negative ? 2 : 5;
  else
    index = is_negative ? 3 : 4;
  hart.x[operation->rd] = Word{1} << index;
  return go_on(hart, operation);
}

template <class Word, class Integer>
void put_integer(Hart<Word>& hart, unsigned rd, Integer value) {
  hart.x[rd] = static_cast<Word>(static_cast<typename Hart<Word>::Signed>(as_signed(value)));
}

template <class Word, class T, class Integer>
[[gnu::noinline]] Exit to_integer_in_software(Hart<Word>& hart, const Operation<Word>* operation) {
  const std::uint8_t rounding = rounding_of(hart, operation);
  if (rounding > nearest_away) return hart.fail(operation, Cause::illegal_instruction, 0);
  soft::Environment environment{static_cast<Rounding>(rounding)};
  put_integer(hart, operation->rd, soft::to_integer<Integer>(bits_in<T>(hart, operation->rs1), environment));
  hart.flags |= environment.flags;
  return go_on(hart, operation);
}

/// By the host if it truncates and the result fits, as in nearly all programs.
template <class Word, class T, class Integer>
Exit to_integer(Hart<Word>& hart, const Operation<Word>* operation) {
  using Bits = BitsOf<T>;
  constexpr Bits limit =
      std::bit_cast<Bits>(static_cast<T>(std::uint64_t{1} << (bits_of<Integer> - 1 + std::is_signed_v<Integer>)));
  const Bits bits = bits_in<T>(hart, operation->rs1);
  const Bits magnitude = std::is_signed_v<Integer> ? bits & ~soft::sign_bit<Bits> : bits;
  if (operation->rounding != toward_zero || magnitude >= limit) [[unlikely]]
    return to_integer_in_software<Word, T, Integer>(hart, operation);
  put_integer(hart, operation->rd, static_cast<Integer>(static_cast<std::int64_t>(number_of<T>(bits))));
  return go_on(hart, operation);
}

template <class Word, class T, class Integer>
[[gnu::noinline]] Exit from_integer_in_software(Hart<Word>& hart, const Operation<Word>* operation) {
  const auto value = static_cast<Integer>(hart.x[operation->rs1]);
  const bool is_negative = std::is_signed_v<Integer> && as_signed(value) < 0;
  const std::uint64_t magnitude = is_negative ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : value;
  return by_software<T>(hart, operation, [&](soft::Environment& environment) {
    return soft::from_integer<BitsOf<T>>(is_negative, magnitude, environment);
  });
}

template <class Word, class T, class Integer>
Exit from_integer(Hart<Word>& hart, const Operation<Word>* operation) {
  if (!host_rounds(hart, operation)) [[unlikely]]
    return from_integer_in_software<Word, T, Integer>(hart, operation);
  const auto value = static_cast<T>(static_cast<Integer>(hart.x[operation->rs1]));
  put_bits<T>(hart, operation->rd, std::bit_cast<BitsOf<T>>(value));
  return go_on(hart, operation);
}

/// fmv.x.w, fmv.x.d: the bits as they are.
template <class Word, class T>
Exit move_to_integer(Hart<Word>& hart, const Operation<Word>* operation) {
  put_integer(hart, operation->rd, static_cast<BitsOf<T>>(hart.f[operation->rs1]));
  return go_on(hart, operation);
}
template <class Word, class T>
Exit move_from_integer(Hart<Word>& hart, const Operation<Word>* operation) {
  put_bits<T>(hart, operation->rd, static_cast<BitsOf<T>>(hart.x[operation->rs1]));
  return go_on(hart, operation);
}

/// The rows of F or D that both have.
template <class Word, class T>
class FloatTable {
 public:
  std::vector<Instruction<Word>> rows() const {
    return joined(accesses(), arithmetic(), fused(), comparing(), conversions());
  }

 private:
  using Row = Instruction<Word>;
  static constexpr unsigned format = sizeof(T) == 4 ? 0 : 1;
  static constexpr unsigned op = 0x53;
  static constexpr Shape to_float = Shape::float_registers, to_integers = Shape::registers;

  /// @param funct5  of the operation
  static Encoding rounded(unsigned funct5) { return fixed_7(op, funct5 << 2 | format); }
  static Encoding fixed(unsigned funct5, unsigned funct3) { return fixed_37(op, funct3, funct5 << 2 | format); }

  std::vector<Row> accesses() const {
    return {load_row<Word, BitsOf<T>, ToFloat>(fixed_3(0x07, 2 + format), Shape::float_load),
            store_row<Word, BitsOf<T>, ToFloat>(fixed_3(0x27, 2 + format))};
  }
  std::vector<Row> arithmetic() const {
    return {{rounded(0), two_operands<Word, T, AddFloats>, to_float, HAL_FLOAT_ADD, false, true},
            {rounded(1), two_operands<Word, T, SubtractFloats>, to_float, HAL_FLOAT_ADD, false, true},
            {rounded(2), two_operands<Word, T, MultiplyFloats>, to_float, HAL_FLOAT_MULTIPLY, false, true},
            {rounded(3), two_operands<Word, T, DivideFloats>, to_float, HAL_FLOAT_DIVIDE, false, true},
            {fixed_rs2(rounded(11), 0), square_root<Word, T>, to_float, HAL_FLOAT_SQRT, false, true}};
  }
  std::vector<Row> fused() const {
    const auto row = [](unsigned opcode, typename Operation<Word>::Run run) {
      return Row{{opcode | format << 25, 0x0600007F}, run, to_float, HAL_FLOAT_FUSED, false, true};
    };
    return {row(0x43, fused_multiply_add<Word, T, false, false>), row(0x47, fused_multiply_add<Word, T, false, true>),
            row(0x4B, fused_multiply_add<Word, T, true, false>), row(0x4F, fused_multiply_add<Word, T, true, true>)};
  }
  std::vector<Row> comparing() const {
    return {{fixed(4, 0), inject_sign<Word, T, CopySign>, to_float, HAL_MOVE},
            {fixed(4, 1), inject_sign<Word, T, NegateSign>, to_float, HAL_MOVE},
            {fixed(4, 2), inject_sign<Word, T, MultiplySigns>, to_float, HAL_MOVE},
            {fixed(5, 0), extreme<Word, T, false>, to_float, HAL_FLOAT_ADD},
            {fixed(5, 1), extreme<Word, T, true>, to_float, HAL_FLOAT_ADD},
            {fixed(20, 0), compare<Word, T, LessEqual>, to_integers, HAL_FLOAT_ADD},
            {fixed(20, 1), compare<Word, T, LessThan>, to_integers, HAL_FLOAT_ADD},
            {fixed(20, 2), compare<Word, T, EqualTo>, to_integers, HAL_FLOAT_ADD},
            {fixed_rs2(fixed(28, 1), 0), classify<Word, T>, to_integers, HAL_FLOAT_ADD}};
  }
  template <class Integer>
  void add_conversions(std::vector<Row>& rows, unsigned rs2) const {
    rows.push_back(
        {fixed_rs2(rounded(24), rs2), to_integer<Word, T, Integer>, to_integers, HAL_CONVERSION, false, true});
    rows.push_back(
        {fixed_rs2(rounded(26), rs2), from_integer<Word, T, Integer>, to_float, HAL_CONVERSION, false, true});
  }
  std::vector<Row> conversions() const {
    std::vector<Row> rows;
    add_conversions<std::int32_t>(rows, 0);
    add_conversions<std::uint32_t>(rows, 1);
    if constexpr (sizeof(Word) == 8) {
      add_conversions<std::int64_t>(rows, 2);
      add_conversions<std::uint64_t>(rows, 3);
    }
    if constexpr (sizeof(Word) >= sizeof(T)) {
      rows.push_back({fixed_rs2(fixed(28, 0), 0), move_to_integer<Word, T>, to_integers, HAL_MOVE});
      rows.push_back({fixed_rs2(fixed(30, 0), 0), move_from_integer<Word, T>, to_float, HAL_MOVE});
    }
    return rows;
  }
};

}  // namespace sanvp::riscv
