/// The times at which flits pass, as runs (models/net/worm/runs.hpp), beside a plain list of them.

#include <catch2/catch.hpp>
#include <cstddef>
#include <ctime>
#include <vector>

#include "models/net/worm/runs.hpp"
#include "platform/core/random.hpp"
#include "tests/support/random_rules.hpp"

using namespace sanvp;
using namespace sanvp::test;
using net::worm::long_ago;
using net::worm::Run;
using net::worm::Runs;

namespace {

/// Each flit's time, never forgotten.
struct List {
  std::vector<std::int64_t> ps;

  std::int64_t end() const { return static_cast<std::int64_t>(ps.size()); }
  std::int64_t at(std::int64_t n) const { return ps[static_cast<std::size_t>(n)]; }
  std::int64_t first_after(std::int64_t than_ps) const {
    std::int64_t n = 0;
    while (n < end() && at(n) <= than_ps) ++n;
    return n;
  }
};

Run random_run(Random& random, std::int64_t after_ps) {
  return {after_ps + between(random, 1, 50), between(random, 1, 20), chance(random, 0.5) ? 1 : between(random, 2, 9)};
}

/// A run says of its flits what the list says; before what is remembered it says nothing.
void compare(const Runs& runs, const List& list, std::int64_t remembered) {
  REQUIRE(runs.end() == list.end());
  for (std::int64_t n = 0; n < list.end(); ++n) {
    const Run run = runs.from(n);
    const Run found = runs.search(n);
    REQUIRE((found.ps == run.ps && found.period == run.period && found.count == run.count));
    REQUIRE(run.count > 0);
    REQUIRE(n + run.count <= list.end());
    if (n < remembered && run.ps == long_ago) continue;
    for (std::int64_t k = 0; k < run.count; ++k) REQUIRE(run.at(k) == list.at(n + k));
  }
  if (list.end() == 0) return;
  REQUIRE(runs.last_ps() == list.ps.back());
  for (std::int64_t n = remembered; n < list.end(); ++n)
    for (const int near : {-1, 0, 1})
      if (n > remembered || near == 0)
        REQUIRE(runs.first_after(list.at(n) + near) == list.first_after(list.at(n) + near));
}

}  // namespace

TEST_CASE("runs know each flit's time and the first flit after a time, however many they are") {
  for (int seed = 0; seed < 40; ++seed) {
    Random random{static_cast<std::uint64_t>(seed), "runs"};
    const int steps = between(random, 1, 120);
    Runs runs;
    List list;
    std::int64_t remembered = 0;
    CAPTURE(seed);
    for (int step = 0; step < steps; ++step) {
      const double what = random.uniform();
      if (what < 0.75) {
        const Run run = random_run(random, list.ps.empty() ? 0 : list.ps.back());
        runs.append(run);
        for (std::int64_t k = 0; k < run.count; ++k) list.ps.push_back(run.at(k));
      } else if (what < 0.87 && remembered < list.end()) {
        const std::int64_t n = between(random, static_cast<int>(remembered) + 1, static_cast<int>(list.end()));
        runs.cut(n);
        list.ps.resize(static_cast<std::size_t>(n));
      } else if (list.end() > remembered) {
        const std::int64_t n = between(random, static_cast<int>(remembered), static_cast<int>(list.end()) - 1);
        runs.forget(n, list.at(n));
        remembered = n;
      }
      compare(runs, list, remembered);
    }
  }
}

TEST_CASE("a plan of a hundred thousand runs is asked, cut, continued and forgotten without going through it") {
  constexpr int many = 100'000;
  constexpr double patience_s = 5;  // it takes some 0.02 s, and took minutes
  Runs runs;
  std::int64_t ps = 0;
  const auto append = [&] { runs.append({ps += 10 + runs.end() % 7, 0, 1}); };
  for (int i = 0; i < many; ++i) append();
  const std::clock_t start = std::clock();
  std::int64_t sum = 0;
  for (int i = 0; i < many; ++i) {
    const std::int64_t n = runs.first_after(runs.search(i).ps - 1);
    REQUIRE(n == i);
    sum += runs.search(i + (many - i) / 2).ps;
    runs.cut(runs.end() - 1);
    ps = runs.last_ps();
    append();
    runs.forget(i, runs.search(i).ps);
  }
  REQUIRE(sum > 0);
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < patience_s);
}
