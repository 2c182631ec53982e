#include <catch2/catch.hpp>

#include <cmath>

#include "platform/core/acceptance.hpp"
#include "platform/core/random.hpp"

using namespace sanvp;

namespace {

/// 100 bytes each microsecond, which is 100 MB/s, from one millisecond to another.
void flow(Acceptance& acceptance, int from_ms, int until_ms, double bytes = 100) {
  for (int us = 1000 * from_ms; us < 1000 * until_ms; ++us) acceptance.add(bytes, us * 1us, (us + 1) * 1us);
}

}  // namespace

TEST_CASE("there is no report on a program without a window") {
  Acceptance acceptance;
  CHECK_FALSE(acceptance.report());
  flow(acceptance, 0, 2);
  CHECK_FALSE(acceptance.report());
  Acceptance silent;
  silent.measure(1ms, 2ms);
  CHECK_FALSE(silent.report());
}

TEST_CASE("an even flow has settled, at its rate and without an interval") {
  Acceptance acceptance;
  flow(acceptance, 1, 9);
  acceptance.measure(3ms, 8ms);
  const auto report = acceptance.report();
  REQUIRE(report);
  CHECK(report->has_settled);
  CHECK(report->warm_up == 2ms);
  CHECK(report->window == 5ms);
  CHECK(report->MBps.mean == Approx(100));
  CHECK(report->MBps.half_width == Approx(0).margin(1e-6));
}

TEST_CASE("a rate that rises until the end has not settled") {
  Acceptance acceptance;
  for (int ms = 0; ms < 10; ++ms) flow(acceptance, ms, ms + 1, 10.0 * (ms + 1));
  acceptance.measure(2ms, 10ms);
  CHECK_FALSE(acceptance.report()->has_settled);
}

TEST_CASE("a start at another rate must end before the window begins") {
  // Twice the rate for 3 of 12 ms; then a little noise, so that no later part is steadier than all of it.
  for (const Time begin : {2ms, 4ms}) {
    Acceptance acceptance;
    Random random(1, "noise");
    for (int us = 0; us < 12000; ++us)
      acceptance.add((us < 3000 ? 200 : 100) + random.uniform(), us * 1us, (us + 1) * 1us);
    acceptance.measure(begin, 12ms);
    CHECK(acceptance.report()->has_settled == (begin > 3ms));
  }
}

TEST_CASE("the interval is that of twenty batches") {
  // Batches of 1 ms with 90 and 110 MB/s in turns: a deviation of sqrt(20 * 100 / 19) = 10.26, of the mean of twenty
  // 2.294, and 2.093 times that by Student's t for 19 degrees of freedom.
  Acceptance acceptance;
  for (int ms = 0; ms < 21; ++ms) flow(acceptance, ms, ms + 1, ms % 2 == 0 ? 90 : 110);
  acceptance.measure(1ms, 21ms);
  CHECK(acceptance.report()->MBps.mean == Approx(100));
  CHECK(acceptance.report()->MBps.half_width == Approx(2.093 * 2.294).epsilon(1e-3));
}

TEST_CASE("a window that fits one message only has no confidence interval") {
  Acceptance acceptance;
  for (int i = 0; i < 4; ++i) acceptance.add(1e6, i * 10ms, (i + 1) * 10ms);
  acceptance.measure(10ms, 25ms);
  CHECK(acceptance.report()->MBps.mean == Approx(100));
  CHECK(std::isinf(acceptance.report()->MBps.half_width));
  acceptance.measure(10ms, 20ms);
  CHECK(acceptance.report()->window == 10ms);
}

TEST_CASE("a message that ends before it begins, or never, does no harm") {
  Acceptance acceptance;
  flow(acceptance, 1, 9);
  acceptance.measure(3ms, 8ms);
  acceptance.add(5000, 6ms, 5ms);  // all in its last picosecond: 1 MB/s more in 5 ms
  acceptance.add(5000, 0ms, never);
  acceptance.add(5000, never, never);
  acceptance.add(5000, 0ms, 0ms);
  CHECK(acceptance.report()->MBps.mean == Approx(101));
}

TEST_CASE("the window of several ranks is the intersection of theirs") {
  Acceptance acceptance;
  flow(acceptance, 0, 10);
  acceptance.measure(2ms, 8ms);
  acceptance.measure(3ms, 9ms);
  CHECK(acceptance.report()->window == 5ms);
  acceptance.measure(8ms, 9ms);
  CHECK_FALSE(acceptance.report());
}

TEST_CASE("no byte is lost where bins are joined") {
  // A message each 100 us for 20 s: bins of 1 us would be too many, and 2^12 us are the first that are few enough. The
  // window ends with one of these.
  Acceptance acceptance;
  Random random(1, "bytes");
  double bytes = 0;
  for (int i = 0; i < 200'000; ++i) {
    const auto size = static_cast<double>(random.below(2001));
    if (i < 163'840) bytes += size;
    acceptance.add(size, i * 100us, i * 100us + 70us);
  }
  acceptance.measure(0us, 16384ms);
  CHECK(acceptance.report()->MBps.mean == Approx(bytes / 16.384e6).epsilon(1e-9));
}
