/// The software's arithmetic against the host's FPU, in the four rounding modes that both have; and against closed
/// forms in the fifth.
#include "models/cpu/riscv/floating/soft_float.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cfenv>
#include <cmath>

#include "models/cpu/riscv/floating/host_fpu.hpp"
#include "platform/core/random.hpp"
#include "tests/riscv/random_floats.hpp"

namespace {

using namespace sanvp::riscv;
using sanvp::Random;

template <class Bits>
using Number = std::conditional_t<sizeof(Bits) == 4, float, double>;

/// The operation between a load and a read of the FPU's state.
template <class Bits, class Operation>
std::pair<Bits, std::uint8_t> on_host(std::uint8_t rounding, Operation operation) {
  const fpu::State before = fpu::state();
  fpu::set_state(fpu::with_rounding(fpu::clean, rounding));
  const volatile Number<Bits> result = operation();
  const std::uint8_t flags = flags_of_host();
  fpu::set_state(before);
  const Number<Bits> value = result;
  return {value == value ? std::bit_cast<Bits>(value) : soft::canonical_nan<Bits>, flags};
}

template <class Bits>
void compare_with_host(std::uint64_t seed) {
  Random random(seed, "soft float");
  for (int i = 0; i < 200'000; ++i) {
    const Bits a = draw_float<Bits>(random), b = draw_float<Bits>(random), c = draw_float<Bits>(random);
    const volatile Number<Bits> x = std::bit_cast<Number<Bits>>(a), y = std::bit_cast<Number<Bits>>(b),
                                z = std::bit_cast<Number<Bits>>(c);
    const auto rounding = static_cast<Rounding>(random.below(4));
    const bool any_nan = soft::is_nan(a) || soft::is_nan(b) || soft::is_nan(c);
    const auto check = [&](const char* what, std::pair<Bits, std::uint8_t> expected, auto compute) {
      soft::Environment environment{rounding};
      const Bits found = compute(environment);
      const int compared = fpu::finds_underflow ? 0xFF : ~underflow & 0xFF;
      if (found == expected.first && (environment.flags & compared) == expected.second) return;
      CAPTURE(what, std::hex, a, b, c, static_cast<int>(rounding), expected.first, found);
      CHECK(static_cast<int>(environment.flags) == static_cast<int>(expected.second));
      FAIL();
    };
    check("+", on_host<Bits>(rounding, [&] { return x + y; }), [&](auto& e) { return soft::add(a, b, e); });
    check("*", on_host<Bits>(rounding, [&] { return x * y; }), [&](auto& e) { return soft::multiply(a, b, e); });
    check("/", on_host<Bits>(rounding, [&] { return x / y; }), [&](auto& e) { return soft::divide(a, b, e); });
    if (!any_nan)  // infinity times 0 plus NaN: the two differ in the flag, by intention
      check("fma", on_host<Bits>(rounding, [&] { return std::fma(Number<Bits>(x), Number<Bits>(y), Number<Bits>(z)); }),
            [&](auto& e) { return soft::multiply_add(a, b, c, e); });
    check("sqrt", on_host<Bits>(rounding, [&] { return std::sqrt(Number<Bits>(x)); }),
          [&](auto& e) { return soft::square_root(a, e); });
  }
}

double nearest_away_sum(double a, double b) {
  soft::Environment environment{nearest_away};
  return std::bit_cast<double>(
      soft::add(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b), environment));
}

TEST_CASE("software computes singles as the FPU does") { compare_with_host<std::uint32_t>(1); }
TEST_CASE("software computes doubles as the FPU does") { compare_with_host<std::uint64_t>(2); }

TEST_CASE("ties are rounded away from zero") {
  constexpr double ulp = 0x1p-52;
  CHECK(nearest_away_sum(1, ulp / 2) == 1 + ulp);  // to even: 1
  CHECK(nearest_away_sum(-1, -ulp / 2) == -1 - ulp);
  CHECK(nearest_away_sum(1, 0x1p-54) == 1);
  CHECK(nearest_away_sum(1 + ulp, ulp / 2) == 1 + 2 * ulp);
}

TEST_CASE("conversions to integers saturate and say so") {
  const auto convert = [](double value, Rounding rounding, std::uint8_t flags) {
    soft::Environment environment{rounding};
    const auto result = soft::to_integer<std::int32_t>(std::bit_cast<std::uint64_t>(value), environment);
    CHECK(environment.flags == flags);
    return result;
  };
  CHECK(convert(2.5, nearest_even, inexact) == 2);
  CHECK(convert(2.5, nearest_away, inexact) == 3);
  CHECK(convert(-2.5, down, inexact) == -3);
  CHECK(convert(-2.5, up, inexact) == -2);
  CHECK(convert(2147483647, toward_zero, 0) == 2147483647);
  CHECK(convert(2147483647.5, toward_zero, inexact) == 2147483647);
  CHECK(convert(2147483647.5, nearest_away, invalid) == 2147483647);
  CHECK(convert(-2147483648.0, toward_zero, 0) == -2147483647 - 1);
  CHECK(convert(-1e300, toward_zero, invalid) == -2147483647 - 1);
  CHECK(convert(NAN, toward_zero, invalid) == 2147483647);
}

TEST_CASE("conversions to unsigned integers refuse negative numbers") {
  soft::Environment environment{toward_zero};
  CHECK(soft::to_integer<std::uint64_t>(std::bit_cast<std::uint64_t>(-0.75), environment) == 0);
  CHECK(environment.flags == inexact);
  CHECK(soft::to_integer<std::uint64_t>(std::bit_cast<std::uint64_t>(-1.0), environment) == 0);
  CHECK(environment.flags == (inexact | invalid));
}

}  // namespace
