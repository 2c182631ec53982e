#include <catch2/catch.hpp>

#include "models/cpu/costs/library_prices.hpp"

using namespace sanvp;

namespace {

using Cycles = std::array<double, HAL_INSTRUCTION_CLASSES>;

Cycles only(hal_instruction_class priced, double cycles) {
  Cycles all{};
  all[priced] = cycles;
  return all;
}

Cycles one_each() {
  Cycles all{};
  all.fill(1);
  return all;
}

}  // namespace

TEST_CASE("calls of the C library are free where instructions are") {
  for (const hal_library_price& price : cpu::library_prices({}, 1000)) {
    CHECK(price.call_ps == 0);
    CHECK(price.unit_fs == 0);
  }
}

TEST_CASE("a byte of memcpy is an eighth of a load and of a store") {
  for (const hal_instruction_class priced : {HAL_LOAD, HAL_STORE})
    CHECK(cpu::library_prices(only(priced, 2), 1000)[HAL_LIBRARY_memcpy].unit_fs == 250'000);
}

TEST_CASE("a call of the C library costs in proportion to the cycles and to the clock's period") {
  const auto prices = cpu::library_prices(only(HAL_FLOAT_SQRT, 18), 1200);
  CHECK(prices[HAL_LIBRARY_sqrt].call_ps == 18 * 1200);
  CHECK(prices[HAL_LIBRARY_csqrt].call_ps == 2 * 18 * 1200);
  CHECK(prices[HAL_LIBRARY_strlen].call_ps == 0);
}

TEST_CASE("each call of the C library has a price, and functions that cost alike have the same") {
  for (const hal_library_price& price : cpu::library_prices(one_each(), 1000)) CHECK(price.call_ps > 0);
  CHECK(HAL_LIBRARY_memmove == HAL_LIBRARY_memcpy);
  CHECK(HAL_LIBRARY_sinl == HAL_LIBRARY_sin);
  CHECK(HAL_LIBRARY_sinf != HAL_LIBRARY_sin);
}

TEST_CASE("what needs no unit has no price of one") {
  const auto prices = cpu::library_prices(one_each(), 1000);
  CHECK(prices[HAL_LIBRARY_exp].unit_fs == 0);
  CHECK(prices[HAL_LIBRARY_qsort].unit_fs > 0);
}
