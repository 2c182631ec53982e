/// What the rules of F and D have in common. Both have the same instructions, on numbers of 4 and 8 bytes.
#pragma once

#include "models/cpu/riscv/floating/soft_float.hpp"
#include "models/cpu/riscv/translation/x86_64/access.hpp"

namespace sanvp::riscv::x86_64 {

template <std::uint32_t bytes>
using BitsOfBytes = std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>;

/// The instruction of the host for numbers of this size.
template <std::uint32_t bytes>
constexpr InstId of_size(InstId single, InstId of_double) {
  return bytes == 4 ? single : of_double;
}

/// A source must be a number of this size. All 64 bits of a register are one of 8 bytes, whatever they hold.
template <std::uint32_t bytes>
void expect_number(Code& code, unsigned number) {
  if constexpr (bytes == 4) code.expect_boxed(number);
}

/// The result of arithmetic: the interpreter repeats the operation if it is not a number, for NaNs are canonical. That
/// changes no flag, since the same are raised.
template <std::uint32_t bytes>
void store_result(Code& code, unsigned rd, const x86::Xmm& result) {
  code.a.emit(of_size<bytes>(Id::kIdUcomiss, Id::kIdUcomisd), result, result);
  code.a.jp(code.bail());
  code.store_floating(rd, result);
  code.set_boxed(rd, bytes == 4);
}

/// Ones above a single of which the other bits are zero.
inline void box(Code& code, const x86::Xmm& single, const x86::Xmm& temporary) {
  code.a.pcmpeqd(temporary, temporary);
  code.a.psllq(temporary, 32);
  code.a.por(single, temporary);
}

constexpr unsigned format_of(std::uint32_t bytes) { return bytes == 4 ? 0 : 1; }

/// An operation with a rounding mode; its encoding as FloatTable (instructions/floating.hpp) has it.
inline Rule rounded(std::uint32_t match, void (*emit)(Code&, const Op&), Field rd, Field rs1, Field rs2 = Field::none,
                    Field rs3 = Field::none) {
  Rule rule{match, emit, rd, rs1, rs2, rs3};
  rule.host_rounds = true;
  return rule;
}

}  // namespace sanvp::riscv::x86_64
