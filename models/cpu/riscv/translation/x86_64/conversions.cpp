/// Conversions between integers, singles and doubles, and moves between both files of registers.
#include "models/cpu/riscv/translation/x86_64/floating.hpp"

#include <bit>

namespace sanvp::riscv::x86_64 {
namespace {

constexpr Field f = Field::floating, x = Field::integer;

/// The number from an integer register: all of it, or the low half, extended as its type says.
template <class Integer>
x86::Gp integer_of(Code& code, unsigned number) {
  if constexpr (sizeof(Integer) == 8) return code.value(number, x86::rax);
  code.load(x86::rax, number, 4);
  if constexpr (std::is_signed_v<Integer>)
    code.a.movsxd(x86::rax, x86::eax);
  else
    code.a.mov(x86::eax, x86::eax);
  return x86::rax;
}

/// A single is NaN-boxed: its upper bits are ones.
template <std::uint32_t bytes, class Integer>
void from_integer(Code& code, const Op& op) {
  const x86::Gp value = integer_of<Integer>(code, op.rs1);
  if constexpr (bytes == 4)
    code.a.pcmpeqd(x86::xmm0, x86::xmm0);
  else
    code.a.pxor(x86::xmm0, x86::xmm0);
  code.a.emit(of_size<bytes>(Id::kIdCvtsi2ss, Id::kIdCvtsi2sd), x86::xmm0, value);
  code.store_floating(op.rd, x86::xmm0);
  code.set_boxed(op.rd, bytes == 4);
}

/// By truncation. Values out of range are left to the interpreter: by the limits of to_integer
/// (instructions/floating.hpp).
template <std::uint32_t bytes, class Integer>
void to_integer(Code& code, const Op& op) {
  using Number = std::conditional_t<bytes == 4, float, double>;
  using Bits = BitsOfBytes<bytes>;
  constexpr bool is_signed = std::is_signed_v<Integer>;
  constexpr int bits = 8 * static_cast<int>(sizeof(Integer)) - 1;
  constexpr auto limit = std::bit_cast<Bits>(static_cast<Number>(std::uint64_t{1} << bits));
  x86::Assembler& a = code.a;
  expect_number<bytes>(code, op.rs1);
  code.load_floating(x86::xmm0, op.rs1);
  if constexpr (bytes == 4)
    a.movd(x86::eax, x86::xmm0);
  else
    a.movq(x86::rax, x86::xmm0);
  if (is_signed) a.btr(x86::rax, static_cast<int>(8 * bytes - 1));
  code.constant(x86::rcx, limit);
  a.cmp(x86::rax, x86::rcx);
  a.jae(code.bail());
  a.emit(of_size<bytes>(Id::kIdCvttss2si, Id::kIdCvttsd2si), x86::rax, x86::xmm0);
  if (sizeof(Integer) == 4) a.movsxd(x86::rax, x86::eax);
  code.store(op.rd, x86::rax);
}

void to_double(Code& code, const Op& op) {
  expect_number<4>(code, op.rs1);
  code.load_floating(x86::xmm1, op.rs1);
  code.a.pxor(x86::xmm0, x86::xmm0);
  code.a.cvtss2sd(x86::xmm0, x86::xmm1);
  store_result<8>(code, op.rd, x86::xmm0);
}

void to_single(Code& code, const Op& op) {
  code.load_floating(x86::xmm1, op.rs1);
  code.a.pcmpeqd(x86::xmm0, x86::xmm0);
  code.a.cvtsd2ss(x86::xmm0, x86::xmm1);
  store_result<4>(code, op.rd, x86::xmm0);
}

template <std::uint32_t bytes>
void move_to_integer(Code& code, const Op& op) {
  if (op.rd == discarded) return;
  const x86::Gp result = code.target(op.rd);
  if constexpr (bytes == 8) {
    code.load_bits(result, op.rs1);
  } else {
    code.load_bits(x86::rax, op.rs1, 4);
    code.a.movsxd(result, x86::eax);
  }
  code.store(op.rd, result);
}

template <std::uint32_t bytes>
void move_from_integer(Code& code, const Op& op) {
  if constexpr (bytes == 8) {
    code.a.movq(x86::xmm0, code.value(op.rs1, x86::rax));
  } else {
    code.load(x86::rax, op.rs1, 4);
    code.a.movd(x86::xmm0, x86::eax);
    box(code, x86::xmm0, x86::xmm1);
  }
  code.store_floating(op.rd, x86::xmm0);
  code.set_boxed(op.rd, bytes == 4);
}

template <std::uint32_t bytes>
std::uint32_t encoding(unsigned funct5, unsigned rs2) {
  return fixed_rs2(fixed_7(0x53, funct5 << 2 | format_of(bytes)), rs2).match;
}

/// Only the interpreter converts from unsigned numbers of 64 bits.
template <std::uint32_t bytes>
std::vector<Rule> rules() {
  const auto to = [](unsigned rs2, void (*emit)(Code&, const Op&)) {
    Rule rule{encoding<bytes>(24, rs2), emit, x, f};
    rule.truncates = true;
    return rule;
  };
  const auto from = [](unsigned rs2, void (*emit)(Code&, const Op&)) {
    return rounded(encoding<bytes>(26, rs2), emit, f, x);
  };
  constexpr unsigned format = format_of(bytes);
  return {to(0, to_integer<bytes, std::int32_t>),
          to(1, to_integer<bytes, std::uint32_t>),
          to(2, to_integer<bytes, std::int64_t>),
          to(3, to_integer<bytes, std::uint64_t>),
          from(0, from_integer<bytes, std::int32_t>),
          from(1, from_integer<bytes, std::uint32_t>),
          from(2, from_integer<bytes, std::int64_t>),
          {fixed_37(0x53, 0, 28U << 2 | format).match, move_to_integer<bytes>, x, f},
          {fixed_37(0x53, 0, 30U << 2 | format).match, move_from_integer<bytes>, f, x}};
}

std::vector<Rule> between_formats() {
  return {rounded(fixed_rs2(fixed_7(0x53, 0x20), 1).match, to_single, f, f),
          rounded(fixed_rs2(fixed_7(0x53, 0x21), 0).match, to_double, f, f)};
}

const Registration<RuleSet> singles{{"conversions of singles", "to and from integers", rules<4>()}};
const Registration<RuleSet> doubles{{"conversions of doubles", "to and from integers", rules<8>()}};
const Registration<RuleSet> formats{{"formats", "conversions between singles and doubles", between_formats()}};

}  // namespace
}  // namespace sanvp::riscv::x86_64
