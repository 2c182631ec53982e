/// Arithmetic, comparisons, loads and stores of F and D.
#include "models/cpu/riscv/translation/x86_64/floating.hpp"

namespace sanvp::riscv::x86_64 {
namespace {

constexpr Field f = Field::floating, x = Field::integer, none = Field::none;

/// The upper half of a single is that of its first operand, which is boxed.
template <std::uint32_t bytes, InstId single, InstId of_double>
void arithmetic(Code& code, const Op& op) {
  expect_number<bytes>(code, op.rs1);
  expect_number<bytes>(code, op.rs2);
  code.load_floating(x86::xmm0, op.rs1);
  code.a.emit(of_size<bytes>(single, of_double), x86::xmm0, code.floating_operand(op.rs2, bytes));
  store_result<bytes>(code, op.rd, x86::xmm0);
}

template <std::uint32_t bytes>
void square_root(Code& code, const Op& op) {
  expect_number<bytes>(code, op.rs1);
  code.load_floating(x86::xmm0, op.rs1);
  code.a.emit(of_size<bytes>(Id::kIdSqrtss, Id::kIdSqrtsd), x86::xmm0, x86::xmm0);
  store_result<bytes>(code, op.rd, x86::xmm0);
}

/// @tparam single, of_double  of the form 213: the first operand times the second, and the third
template <std::uint32_t bytes, InstId single, InstId of_double>
void fused(Code& code, const Op& op) {
  if (!code.has_fma) return code.call_interpreter();
  for (const unsigned number : {op.rs1, op.rs2, op.rs3}) expect_number<bytes>(code, number);
  x86::Xmm second = x86::xmm1;
  if (code.registers.has_floating(op.rs2))
    second = code.registers.floating(op.rs2);
  else
    code.load_floating(second, op.rs2);
  code.load_floating(x86::xmm0, op.rs1);
  code.a.emit(of_size<bytes>(single, of_double), x86::xmm0, second, code.floating_operand(op.rs3, bytes));
  store_result<bytes>(code, op.rd, x86::xmm0);
}

enum class Sign : std::uint8_t { copied, negated, multiplied };

/// fmv, fneg, fabs. With two different registers the interpreter does it.
template <std::uint32_t bytes, Sign sign>
void inject_sign(Code& code, const Op& op) {
  if (op.rs1 != op.rs2) return code.call_interpreter();
  constexpr int bit = 8 * bytes - 1;
  expect_number<bytes>(code, op.rs1);
  if constexpr (sign == Sign::copied) {
    if (op.rs1 != op.rd) {
      code.load_floating(x86::xmm0, op.rs1);
      code.store_floating(op.rd, x86::xmm0);
    }
  } else {
    code.load_bits(x86::rax, op.rs1);
    code.a.emit(sign == Sign::negated ? Id::kIdBtc : Id::kIdBtr, x86::rax, bit);
    code.a.movq(x86::xmm0, x86::rax);
    code.store_floating(op.rd, x86::xmm0);
  }
  code.set_boxed(op.rd, bytes == 4);
}

enum class Comparison : std::uint8_t { equal, less, less_or_equal };

/// fle and flt are invalid with any NaN, as comis is; feq with a signalling one, as ucomis is. With a NaN the carry is
/// set.
template <std::uint32_t bytes, Comparison comparison>
void compare(Code& code, const Op& op) {
  expect_number<bytes>(code, op.rs1);
  expect_number<bytes>(code, op.rs2);
  const bool is_equal = comparison == Comparison::equal;
  code.load_floating(x86::xmm0, is_equal ? op.rs1 : op.rs2);
  code.a.emit(is_equal ? of_size<bytes>(Id::kIdUcomiss, Id::kIdUcomisd) : of_size<bytes>(Id::kIdComiss, Id::kIdComisd),
              x86::xmm0, code.floating_operand(is_equal ? op.rs2 : op.rs1, bytes));
  if (op.rd == discarded) return;
  const x86::Gp result = code.target(op.rd);
  if (is_equal) {
    code.a.setnp(x86::cl);
    code.a.sete(x86::al);
    code.a.and_(x86::al, x86::cl);
  } else if (comparison == Comparison::less) {
    code.a.seta(x86::al);
  } else {
    code.a.setae(x86::al);
  }
  code.a.movzx(result.r32(), x86::al);
  code.store(op.rd, result);
}

template <std::uint32_t bytes>
void load(Code& code, const Op& op) {
  const x86::Mem memory = checked(code, op, bytes, readable);
  if constexpr (bytes == 4) {
    code.a.movd(x86::xmm0, memory);
    box(code, x86::xmm0, x86::xmm1);
  } else {
    code.a.movsd(x86::xmm0, memory);
  }
  code.store_floating(op.rd, x86::xmm0);
  code.set_boxed(op.rd, bytes == 4);
}

template <std::uint32_t bytes>
void store(Code& code, const Op& op) {
  const x86::Mem memory = checked(code, op, bytes, writable);
  x86::Xmm value = x86::xmm0;
  if (code.registers.has_floating(op.rs2))
    value = code.registers.floating(op.rs2);
  else
    code.load_floating(value, op.rs2);
  code.a.emit(of_size<bytes>(Id::kIdMovss, Id::kIdMovsd), memory, value);
}

template <std::uint32_t bytes>
std::vector<Rule> rules() {
  constexpr unsigned op = 0x53, format = format_of(bytes);
  const auto of_two = [](unsigned funct5, void (*emit)(Code&, const Op&)) {
    return rounded(fixed_7(op, funct5 << 2 | format).match, emit, f, f, f);
  };
  const auto of_three = [](unsigned opcode, void (*emit)(Code&, const Op&)) {
    return rounded(opcode | format << 25, emit, f, f, f, f);
  };
  const auto fixed = [](unsigned funct5, unsigned funct3) { return fixed_37(op, funct3, funct5 << 2 | format).match; };
  return {of_two(0, arithmetic<bytes, Id::kIdAddss, Id::kIdAddsd>),
          of_two(1, arithmetic<bytes, Id::kIdSubss, Id::kIdSubsd>),
          of_two(2, arithmetic<bytes, Id::kIdMulss, Id::kIdMulsd>),
          of_two(3, arithmetic<bytes, Id::kIdDivss, Id::kIdDivsd>),
          rounded(fixed_7(op, 11U << 2 | format).match, square_root<bytes>, f, f),
          of_three(0x43, fused<bytes, Id::kIdVfmadd213ss, Id::kIdVfmadd213sd>),
          of_three(0x47, fused<bytes, Id::kIdVfmsub213ss, Id::kIdVfmsub213sd>),
          of_three(0x4B, fused<bytes, Id::kIdVfnmadd213ss, Id::kIdVfnmadd213sd>),
          of_three(0x4F, fused<bytes, Id::kIdVfnmsub213ss, Id::kIdVfnmsub213sd>),
          {fixed(4, 0), inject_sign<bytes, Sign::copied>, f, f, f},
          {fixed(4, 1), inject_sign<bytes, Sign::negated>, f, f, f},
          {fixed(4, 2), inject_sign<bytes, Sign::multiplied>, f, f, f},
          {fixed(20, 0), compare<bytes, Comparison::less_or_equal>, x, f, f},
          {fixed(20, 1), compare<bytes, Comparison::less>, x, f, f},
          {fixed(20, 2), compare<bytes, Comparison::equal>, x, f, f},
          {.match = fixed_3(0x07, 2 + format).match, .emit = load<bytes>, .rd = f, .rs1 = x, .accesses = true},
          {.match = fixed_3(0x27, 2 + format).match, .emit = store<bytes>, .rs1 = x, .rs2 = f, .accesses = true}};
}

const Registration<RuleSet> singles{{"singles", "floating-point numbers of 32 bits", rules<4>()}};
const Registration<RuleSet> doubles{{"doubles", "floating-point numbers of 64 bits", rules<8>()}};

}  // namespace
}  // namespace sanvp::riscv::x86_64
