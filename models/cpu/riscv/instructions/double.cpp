/// D: floating-point numbers of 64 bits, and conversions between both formats.
#include "models/cpu/riscv/instructions/floating.hpp"

namespace sanvp::riscv {
namespace {

template <class Word, class To, class From>
[[gnu::noinline]] Exit convert_in_software(Hart<Word>& hart, const Operation<Word>* operation) {
  const auto bits = bits_in<From>(hart, operation->rs1);
  return by_software<To>(hart, operation,
                         [&](soft::Environment& environment) { return soft::convert<BitsOf<To>>(bits, environment); });
}

template <class Word, class To, class From>
Exit convert(Hart<Word>& hart, const Operation<Word>* operation) {
  if (!host_rounds(hart, operation)) [[unlikely]]
    return convert_in_software<Word, To, From>(hart, operation);
  const auto bits = bits_in<From>(hart, operation->rs1);
  const BitsOf<To> result = canonical(static_cast<To>(number_of<From>(bits)));
  if constexpr (sizeof(To) < sizeof(From))
    find_underflow<To>(hart, result,
                       [&](soft::Environment& environment) { soft::convert<BitsOf<To>>(bits, environment); });
  put_bits<To>(hart, operation->rd, result);
  return go_on(hart, operation);
}

template <class Word>
std::vector<Instruction<Word>> all() {
  const Shape shape = Shape::float_registers;
  return joined(
      FloatTable<Word, double>().rows(),
      std::vector<Instruction<Word>>{
          {fixed_rs2(fixed_7(0x53, 0x20), 1), convert<Word, float, double>, shape, HAL_CONVERSION, false, true},
          {fixed_rs2(fixed_7(0x53, 0x21), 0), convert<Word, double, float>, shape, HAL_CONVERSION, false, true}});
}

const Registration<Extension> registration{{.name = "D",
                                            .summary = "floating-point numbers of 64 bits",
                                            .rv32 = all<std::uint32_t>(),
                                            .rv64 = all<std::uint64_t>()}};

}  // namespace
}  // namespace sanvp::riscv
