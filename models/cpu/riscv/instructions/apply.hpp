/// Instructions that write a function of registers to a register.
#pragma once

#include <limits>
#include <type_traits>
#include <vector>

#include "models/cpu/riscv/hart.hpp"

namespace sanvp::riscv {

template <class Word>
constexpr unsigned bits_of = std::numeric_limits<Word>::digits;

template <class Word>
constexpr auto as_signed(Word value) {
  return static_cast<std::make_signed_t<Word>>(value);
}

/// @tparam F  has a static function `of` of two words
template <class Word, class F>
Exit with_registers(Hart<Word>& hart, const Operation<Word>* operation) {
  hart.x[operation->rd] = F::of(hart.x[operation->rs1], hart.x[operation->rs2]);
  return go_on(hart, operation);
}

template <class Word, class F>
Exit with_immediate(Hart<Word>& hart, const Operation<Word>* operation) {
  hart.x[operation->rd] = F::of(hart.x[operation->rs1], operation->immediate);
  return go_on(hart, operation);
}

/// The 32-bit result of low halves, extended by its sign.
template <class F>
std::uint64_t of_low_halves(std::uint64_t a, std::uint64_t b) {
  const std::uint32_t result = F::of(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
  return static_cast<std::uint64_t>(std::int64_t{as_signed(result)});
}

template <class Word, class F>
Exit with_registers_32(Hart<Word>& hart, const Operation<Word>* operation) {
  hart.x[operation->rd] = of_low_halves<F>(hart.x[operation->rs1], hart.x[operation->rs2]);
  return go_on(hart, operation);
}

template <class Word, class F>
Exit with_immediate_32(Hart<Word>& hart, const Operation<Word>* operation) {
  hart.x[operation->rd] = of_low_halves<F>(hart.x[operation->rs1], operation->immediate);
  return go_on(hart, operation);
}

/// The rows of several tables.
template <class Row, class... More>
std::vector<Row> joined(std::vector<Row> rows, const More&... more) {
  (rows.insert(rows.end(), more.begin(), more.end()), ...);
  return rows;
}

}  // namespace sanvp::riscv
