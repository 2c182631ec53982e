#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "platform/core/random.hpp"
#include "platform/core/statistics.hpp"

using namespace sanvp;

TEST_CASE("mean and variance of a handful of numbers are those of the definition") {
  Moments moments;
  for (const double x : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) moments.add(x);
  CHECK(moments.count() == 8);
  CHECK(moments.mean() == 5);
  CHECK(moments.variance() == Approx(32.0 / 7));  // the squared deviations sum up to 32
  CHECK(moments.standard_deviation() == Approx(std::sqrt(32.0 / 7)));
}

TEST_CASE("no sample and one sample have no variance") {
  Moments moments;
  CHECK(moments.mean() == 0);
  CHECK(moments.variance() == 0);
  moments.add(17);
  CHECK(moments.mean() == 17);
  CHECK(moments.variance() == 0);
}

TEST_CASE("a large mean does not drown a small variance") {
  // Sums of squares would lose it: (1e9)^2 leaves no bits for the deviations.
  Moments moments;
  for (int i = 0; i < 1000; ++i) moments.add(1e9 + (i % 2));
  CHECK(moments.variance() == Approx(0.25 * 1000 / 999).epsilon(1e-9));
}

TEST_CASE("merged moments are those of all samples together") {
  Moments left, right, all;
  for (int i = 0; i < 100; ++i) {
    (i < 30 ? left : right).add(i * i);
    all.add(i * i);
  }
  left.merge(right);
  left.merge(Moments{});
  CHECK(left.count() == 100);
  CHECK(left.mean() == Approx(all.mean()).epsilon(1e-14));
  CHECK(left.variance() == Approx(all.variance()).epsilon(1e-12));
  Moments empty;
  empty.merge(all);
  CHECK(empty.mean() == all.mean());
  CHECK(empty.variance() == all.variance());
}

TEST_CASE("percentiles of few samples are exact, by nearest rank") {
  Distribution distribution;
  for (int i = 100; i >= 1; --i) distribution.add(i);
  CHECK(distribution.percentile(0) == 1);
  CHECK(distribution.percentile(0.5) == 1);
  CHECK(distribution.percentile(50) == 50);
  CHECK(distribution.percentile(95) == 95);
  CHECK(distribution.percentile(95.5) == 96);
  CHECK(distribution.percentile(100) == 100);
  CHECK(distribution.mean() == 50.5);
  CHECK(distribution.least() == 1);
  CHECK(distribution.most() == 100);
  CHECK(distribution.is_exact());
}

TEST_CASE("an empty distribution says zero, and bad arguments are refused") {
  Distribution distribution;
  CHECK(distribution.count() == 0);
  CHECK(distribution.percentile(50) == 0);
  CHECK(distribution.least() == 0);
  CHECK(distribution.most() == 0);
  CHECK(distribution.histogram().empty());
  CHECK_THROWS_AS(distribution.add(-1), std::invalid_argument);
  CHECK_THROWS_AS(distribution.percentile(-1), std::invalid_argument);
  CHECK_THROWS_AS(distribution.percentile(100.1), std::invalid_argument);
  CHECK_THROWS_AS(distribution.percentile(std::nan("")), std::invalid_argument);
  CHECK(distribution.count() == 0);
}

TEST_CASE("percentiles of many samples are off by less than 0.8 percent over eleven decades") {
  Random random(7, "latencies");
  Distribution distribution;
  std::vector<std::int64_t> samples;
  for (std::size_t i = 0; i < 2 * Distribution::exact_samples; ++i) {
    samples.push_back(static_cast<std::int64_t>(std::exp2(random.uniform() * 40)));
    distribution.add(samples.back());
  }
  REQUIRE_FALSE(distribution.is_exact());
  std::sort(samples.begin(), samples.end());
  for (const double percent : {1.0, 10.0, 50.0, 90.0, 95.0, 99.0, 99.9}) {
    const auto rank = static_cast<std::size_t>(std::ceil(percent * static_cast<double>(samples.size()) / 100));
    const auto exact = static_cast<double>(samples[rank - 1]);
    CAPTURE(percent, exact);
    CHECK(std::abs(static_cast<double>(distribution.percentile(percent)) - exact) <= exact / 128);
  }
  CHECK(distribution.percentile(0) == samples.front());
  CHECK(distribution.percentile(100) == samples.back());
  CHECK(distribution.least() == samples.front());
  CHECK(distribution.most() == samples.back());
}

TEST_CASE("percentiles stay exact up to the limit, and small values beyond it") {
  Distribution distribution;
  for (std::size_t i = 0; i < Distribution::exact_samples; ++i) distribution.add(1'000'003);
  CHECK(distribution.is_exact());
  CHECK(distribution.percentile(50) == 1'000'003);
  Distribution small;
  for (std::size_t i = 0; i < 256 * 300; ++i) small.add(static_cast<std::int64_t>(i % 256));
  CHECK_FALSE(small.is_exact());
  CHECK(small.percentile(50) == 127);  // 0..255 evenly, each with a bin of its own
  CHECK(small.percentile(75) == 191);
}

TEST_CASE("the bins of a histogram are adjacent, hold every sample once and are narrow") {
  Distribution distribution;
  const auto largest = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t x : {std::int64_t{0}, std::int64_t{255}, std::int64_t{256}, std::int64_t{257},
                               std::int64_t{258}, std::int64_t{1'000'000}, largest})
    distribution.add(x);
  const auto bins = distribution.histogram();
  REQUIRE(bins.size() == 6);
  const auto check = [&](std::size_t i, std::int64_t from, std::int64_t to, std::uint64_t count) {
    CAPTURE(i);
    CHECK(bins[i].from == from);
    CHECK(bins[i].to == to);
    CHECK(bins[i].count == count);
  };
  check(0, 0, 0, 1);
  check(1, 255, 255, 1);
  check(2, 256, 257, 2);
  check(3, 258, 259, 1);
  // 10^6 has 20 bits, so its bin is 2^12 wide: 244 * 4096 = 999424
  check(4, 999'424, 999'424 + 4095, 1);
  CHECK(bins[5].from <= largest);
  CHECK(bins[5].to == largest);
}

TEST_CASE("merged distributions are those of all samples together, exact or not") {
  const auto filled = [](std::size_t count, std::int64_t offset) {
    Distribution distribution;
    for (std::size_t i = 0; i < count; ++i) distribution.add(static_cast<std::int64_t>(i) * 37 + offset);
    return distribution;
  };
  const std::size_t few = 100, many = Distribution::exact_samples + 100;
  for (const auto& [a, b] : {std::pair{few, few}, {few, many}, {many, few}, {many, many}}) {
    CAPTURE(a, b);
    Distribution merged = filled(a, 0), all = filled(a, 0);
    merged.merge(filled(b, 5));
    for (std::size_t i = 0; i < b; ++i) all.add(static_cast<std::int64_t>(i) * 37 + 5);
    CHECK(merged.count() == a + b);
    CHECK(merged.is_exact() == all.is_exact());
    CHECK(merged.least() == 0);
    CHECK(merged.most() == all.most());
    CHECK(merged.mean() == Approx(all.mean()));
    for (const int percent : {1, 50, 99}) CHECK(merged.percentile(percent) == all.percentile(percent));
  }
}

TEST_CASE("a level counts for as long as it lasts") {
  TimeWeightedMean queue;
  queue.set(10ns, 2);  // 0 for 10, 2 for 20, 5 for 10
  queue.set(30ns, 5);
  CHECK(queue.mean(40ns) == (0 * 10 + 2 * 20 + 5 * 10) / 40.0);
  CHECK(queue.most() == 5);
  CHECK(queue.level() == 5);
}

TEST_CASE("a restart forgets the past but not the level") {
  TimeWeightedMean queue;
  queue.set(0ns, 100);
  queue.set(10ns, 4);
  queue.restart(20ns);
  CHECK(queue.mean(20ns) == 4);
  CHECK(queue.most() == 4);
  queue.set(25ns, 0);
  CHECK(queue.mean(30ns) == 2);
}

TEST_CASE("a level that lasts no time weighs nothing but is the most, and time does not run back") {
  TimeWeightedMean queue(5ns);
  queue.set(5ns, 9);
  queue.set(5ns, 1);
  CHECK(queue.mean(15ns) == 1);
  CHECK(queue.most() == 9);
  CHECK_THROWS_AS(queue.set(4ns, 3), std::invalid_argument);
}
