#include <catch2/catch.hpp>

#include <cmath>

#include "platform/core/random.hpp"
#include "platform/core/steady_state.hpp"

using namespace sanvp;

TEST_CASE("a constant series needs no warm-up") {
  const std::vector<double> flat(100, 3.0);
  CHECK(warm_up_length(flat) == 0);
}

TEST_CASE("a start at another level is cut off, and nothing else") {
  // 20 values of 10, then 180 of 0 and 2 in turns: every cut below 20 leaves a larger spread, every one above fewer.
  std::vector<double> series(20, 10.0);
  for (int i = 0; i < 180; ++i) series.push_back(i % 2 == 0 ? 0 : 2);
  CHECK(warm_up_length(series) == 20);
}

TEST_CASE("a series with a trend to its end, as of a saturated network, has no steady state") {
  std::vector<double> ramp;
  for (int i = 0; i < 200; ++i) ramp.push_back(i);
  CHECK_FALSE(warm_up_length(ramp).has_value());
  std::vector<double> late(150, 0.0);
  for (int i = 0; i < 50; ++i) late.push_back(100 + i % 2);
  for (int i = 0; i < 75; ++i) late[static_cast<std::size_t>(2 * i)] = 50;
  CHECK_FALSE(warm_up_length(late).has_value());
}

TEST_CASE("a series that is too short has no warm-up length") {
  CHECK_FALSE(warm_up_length(std::vector<double>(9, 1.0)).has_value());
  CHECK(warm_up_length(std::vector<double>(10, 1.0)) == 0);
  CHECK_FALSE(warm_up_length(Series{}).has_value());
}

TEST_CASE("a decaying start with noise is cut where it has died out") {
  // The bias 50 exp(-i/100) falls below the noise of 1 at i = 100 ln 50 = 391; MSER-5 must cut near it.
  Random random(3, "noise");
  Series series;
  for (int i = 0; i < 20'000; ++i) series.add(100 + 50 * std::exp(-i / 100.0) + random.exponential() - 1);
  const auto cut = warm_up_length(series);
  REQUIRE(cut.has_value());
  CHECK(*cut >= 250);
  CHECK(*cut <= 1200);
  CHECK(*cut % Series::first_group_size == 0);
}

TEST_CASE("a series holds means of five, and joins pairs rather than grow without bound") {
  Series series;
  for (int i = 0; i < 12; ++i) series.add(i);
  CHECK(series.group_size() == 5);
  CHECK(series.groups() == std::vector<double>{2, 7});  // 10 and 11 wait for their group to fill

  Series full;
  const int samples = static_cast<int>(Series::most_groups * Series::first_group_size);
  for (int i = 0; i < samples; ++i) full.add(i);
  CHECK(full.group_size() == 10);
  REQUIRE(full.groups().size() == Series::most_groups / 2);
  CHECK(full.groups().front() == 4.5);
  CHECK(full.groups().back() == samples - 5.5);
  for (int i = 0; i < 10; ++i) full.add(8);
  CHECK(full.groups().back() == 8);
}

TEST_CASE("two batches give the interval of Student's t with one degree of freedom") {
  // Means 1 and 3: standard deviation sqrt(2), standard error 1, and t is 12.706.
  const auto estimate = batch_means(std::vector<double>{1, 3});
  CHECK(estimate.mean == 2);
  CHECK(estimate.half_width == Approx(12.706));
}

TEST_CASE("twenty batches of many values give the interval of their means") {
  // Batches alternate between 9 and 11: variance 20/19, standard error sqrt(1/19), and t for 19 is 2.093.
  std::vector<double> values;
  for (int batch = 0; batch < 20; ++batch)
    for (int i = 0; i < 50; ++i) values.push_back((batch % 2 == 0 ? 9 : 11) + (i % 2 == 0 ? -5 : 5));
  const auto estimate = batch_means(values);
  CHECK(estimate.mean == Approx(10));
  CHECK(estimate.half_width == Approx(2.093 * std::sqrt(1.0 / 19)));
}

TEST_CASE("values that fill no batch are dropped from the front") {
  std::vector<double> values(40, 1.0);
  values.insert(values.begin(), 19, 1e9);
  const auto estimate = batch_means(values);
  CHECK(estimate.mean == 1);
  CHECK(estimate.half_width == 0);
}

TEST_CASE("one value or none gives no confidence") {
  CHECK(std::isinf(batch_means({}).half_width));
  CHECK(batch_means(std::vector<double>{4}).mean == 4);
  CHECK(std::isinf(batch_means(std::vector<double>{4}).half_width));
}

TEST_CASE("the 95 percent interval covers the true mean about 95 times in 100, correlated samples or not") {
  Random random(11, "coverage");
  int covered = 0;
  constexpr int runs = 400;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> values;
    double level = 0;  // autoregressive with mean 0 and a memory of about two samples
    for (int i = 0; i < 2000; ++i) values.push_back(level = 0.6 * level + (random.exponential() - 1));
    const auto estimate = batch_means(values);
    covered += std::abs(estimate.mean) <= estimate.half_width;
  }
  // 380 expected, with a standard deviation of sqrt(400 * 0.95 * 0.05) = 4.4: four of them to each side
  CHECK(covered >= 362);
  CHECK(covered <= 398);
}
