/// Floating-point instructions, which the host's FPU executes as far as it can, against arithmetic in software: results
/// and flags in all rounding modes. Hosts differ in what counts as underflow.
#include <catch2/catch.hpp>

#include "models/cpu/riscv/floating/soft_float.hpp"
#include "tests/riscv/bare_program.hpp"
#include "tests/riscv/random_floats.hpp"

namespace {

using namespace sanvp::riscv;
using sanvp::Random;

constexpr std::uint32_t dynamic = 7, rd = 4, rs1 = 1, rs2 = 2, rs3 = 3;

template <class Bits>
constexpr std::uint32_t format = sizeof(Bits) == 4 ? 0 : 1;

template <class Bits>
std::uint32_t arithmetic(unsigned funct5, unsigned second = rs2) {
  return 0x53 | rd << 7 | dynamic << 12 | rs1 << 15 | second << 20 | format<Bits> << 25 | funct5 << 27;
}

template <class Bits>
constexpr std::uint32_t fused = 0x43 | rd << 7 | dynamic << 12 | rs1 << 15 | rs2 << 20 | format<Bits> << 25 | rs3 << 27;

template <class Bits>
std::uint64_t boxed(Bits bits) {
  return sizeof(Bits) == 4 ? bits | 0xFFFFFFFF00000000 : bits;
}

/// @param draw      numbers of the instruction's operands
/// @param software  what it computes, of three numbers
template <class To, class From, class Draw, class Software>
void compare(const char* what, std::uint32_t instruction, Draw draw, Software software) {
  BareProgram<std::uint64_t> program({instruction, ecall});
  Random random(3, what);
  for (int i = 0; i < 100'000; ++i) {
    const From a = draw(random), b = draw(random), c = draw(random);
    program.hart.f[rs1] = boxed(a), program.hart.f[rs2] = boxed(b), program.hart.f[rs3] = boxed(c);
    program.hart.rounding = static_cast<std::uint8_t>(random.below(5));
    program.hart.flags = 0;
    program.hart.pc = code_at;
    soft::Environment environment{static_cast<Rounding>(program.hart.rounding)};
    const std::uint64_t expected = boxed<To>(software(a, b, c, environment));
    if (program.run(10) == Stop::environment_call && program.hart.f[rd] == expected &&
        program.hart.flags == environment.flags)
      continue;
    CAPTURE(what, std::hex, a, b, c, static_cast<int>(program.hart.rounding), expected, program.hart.f[rd]);
    CHECK(static_cast<int>(program.hart.flags) == static_cast<int>(environment.flags));
    FAIL();
  }
}

template <class Bits, class Draw>
void compare_all(Draw draw) {
  using soft::Environment;
  compare<Bits, Bits>("add", arithmetic<Bits>(0), draw,
                      [](Bits a, Bits b, Bits, Environment& e) { return soft::add(a, b, e); });
  compare<Bits, Bits>("multiply", arithmetic<Bits>(2), draw,
                      [](Bits a, Bits b, Bits, Environment& e) { return soft::multiply(a, b, e); });
  compare<Bits, Bits>("divide", arithmetic<Bits>(3), draw,
                      [](Bits a, Bits b, Bits, Environment& e) { return soft::divide(a, b, e); });
  compare<Bits, Bits>("square root", arithmetic<Bits>(11, 0), draw,
                      [](Bits a, Bits, Bits, Environment& e) { return soft::square_root(a, e); });
  compare<Bits, Bits>("fused", fused<Bits>, draw,
                      [](Bits a, Bits b, Bits c, Environment& e) { return soft::multiply_add(a, b, c, e); });
}

/// Products, quotients and narrow forms of these are near the smallest normal number, above and below.
template <class Bits>
Bits draw_small(Random& random) {
  constexpr Bits fraction_bits = soft::Format<Bits>::precision - 1, bias = soft::Format<Bits>::largest_exponent;
  const Bits exponents[] = {bias, bias / 2, bias / 2 + 1, 1, 2, 0, bias - 1, bias + bias / 2};
  const Bits fractions[] = {0, 1, static_cast<Bits>((Bits{1} << fraction_bits) - 1),
                            static_cast<Bits>(random.next() & ((Bits{1} << fraction_bits) - 1))};
  return static_cast<Bits>(random.below(2)) << (sizeof(Bits) * 8 - 1) | exponents[random.below(8)] << fraction_bits |
         fractions[random.below(4)];
}

/// Doubles of the size of the smallest single.
std::uint64_t draw_narrow(Random& random) {
  const std::uint64_t fraction = random.next() & ((1ULL << 52) - 1), around = random.below(3);
  const std::uint64_t coarse = around == 0 ? ~0ULL << 28 : around == 1 ? ~0ULL << 29 : ~0ULL;
  const std::uint64_t ones = random.below(2) == 0 ? (1ULL << 52) - 1 : fraction;
  return random.below(2) << 63 | (1023 - 126 - 2 + random.below(4)) << 52 | (ones & coarse);
}

TEST_CASE("instructions on singles have the software's results and flags") {
  compare_all<std::uint32_t>(draw_float<std::uint32_t>);
}
TEST_CASE("instructions on doubles have the software's results and flags") {
  compare_all<std::uint64_t>(draw_float<std::uint64_t>);
}
TEST_CASE("results next to the smallest normal number underflow as the software says") {
  compare_all<std::uint32_t>(draw_small<std::uint32_t>);
  compare_all<std::uint64_t>(draw_small<std::uint64_t>);
}
TEST_CASE("doubles that become singles have the software's results and flags") {
  const auto narrow = [](std::uint64_t a, std::uint64_t, std::uint64_t, soft::Environment& environment) {
    return soft::convert<std::uint32_t>(a, environment);
  };
  const std::uint32_t instruction = 0x53 | rd << 7 | dynamic << 12 | rs1 << 15 | 1 << 20 | 0x20U << 25;
  compare<std::uint32_t, std::uint64_t>("any", instruction, draw_float<std::uint64_t>, narrow);
  compare<std::uint32_t, std::uint64_t>("small", instruction, draw_narrow, narrow);
}

}  // namespace
