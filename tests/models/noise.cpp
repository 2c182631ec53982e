/// Daemons that take a CPU away from the program: expectations in closed form.
#include "models/host/noise.hpp"

#include <catch2/catch.hpp>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/random.hpp"

using namespace sanvp;
using host::DaemonSettings;
using host::Noise;

namespace {

DaemonSettings daemon(Time period, Time duration, Time phase, bool on_all_cpus = true) {
  return {.name = "daemon", .period = period, .duration = duration, .phase = phase, .on_all_cpus = on_all_cpus};
}

Noise on_one_cpu(const std::vector<DaemonSettings>& daemons) { return {daemons, 0, 0, 1, 1, 1}; }

}  // namespace

TEST_CASE("work that ends before a daemon runs is not disturbed, and other work ends later by its duration") {
  const Noise noise = on_one_cpu({daemon(100us, 10us, 50us)});
  CHECK(noise.end_of(0us, 50us) == 50us);
  CHECK(noise.end_of(0us, 51us) == 61us);
  CHECK(noise.end_of(0us, 140us) == 150us);
  CHECK(noise.end_of(0us, 141us) == 161us);  // 50, the daemon to 60, 90 to 150, the daemon to 160
}

TEST_CASE("work that becomes ready while a daemon runs waits for the daemon's end") {
  const Noise noise = on_one_cpu({daemon(100us, 10us, 50us)});
  CHECK(noise.end_of(50us, 0us) == 60us);
  CHECK(noise.end_of(59us, 1us) == 61us);
  CHECK(noise.end_of(60us, 0us) == 60us);
}

TEST_CASE("over many periods a daemon takes its share of the time") {
  const Noise noise = on_one_cpu({daemon(1ms, 10us, 0us)});
  // 990 us of each millisecond belong to the program.
  CHECK(noise.end_of(0us, 990us * 1000) == 1000ms);
}

TEST_CASE("of daemons that run at the same time the longest counts, and others run one after another") {
  const Noise together = on_one_cpu({daemon(100us, 10us, 20us), daemon(100us, 30us, 20us)});
  CHECK(together.end_of(0us, 21us) == 51us);
  const Noise chained = on_one_cpu({daemon(100us, 10us, 20us), daemon(100us, 10us, 30us)});
  CHECK(chained.end_of(0us, 21us) == 41us);
}

TEST_CASE("a daemon uses an idle CPU rather than one with ranks") {
  const std::vector daemons{daemon(100us, 10us, 0us, false)};
  for (int cpu = 0; cpu < 3; ++cpu) CHECK(Noise(daemons, 7, cpu, 4, 3, 1).empty());
  int disturbed = 0;
  for (int cpu = 0; cpu < 4; ++cpu) disturbed += Noise(daemons, 7, cpu, 4, 4, 1).empty() ? 0 : 1;
  CHECK(disturbed == 1);
}

TEST_CASE("random phases differ from node to node and are the same in every run with one seed") {
  std::vector daemons{daemon(100us, 10us, 0us)};
  daemons[0].phase.reset();
  const auto first = [&](int node, std::uint64_t seed) {
    return Noise(daemons, node, 0, 1, 1, seed).end_of(0us, 100us);
  };
  int same = 0;
  for (int node = 0; node < 100; ++node) {
    CHECK(first(node, 1) == first(node, 1));
    same += first(node, 1) == first(node, 2) ? 1 : 0;
  }
  CHECK(same < 100);
}

TEST_CASE("random work among random daemons takes as long as a simulation by steps") {
  Random random(5, "noise test");
  const auto below = [&](std::int64_t bound) {
    return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)));
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<DaemonSettings> daemons;
    for (std::int64_t i = 0; i <= below(3); ++i) {
      const Time period{20 + below(50)};
      daemons.push_back(daemon(period, Time{1 + below(period.count() / 4)}, Time{below(60)}));
    }
    const Noise noise = on_one_cpu(daemons);
    const auto busy = [&](Time at) {
      for (const DaemonSettings& one : daemons) {
        const Time phase = *one.phase % one.period;
        if (at >= phase && (at - phase) % one.period < one.duration) return true;
      }
      return false;
    };
    const Time begin{below(100)}, work{below(200)};
    Time at = begin, left = work;
    while (busy(at) || left > Time{0}) {
      if (!busy(at)) left -= Time{1};
      at += Time{1};
      if (left == Time{0} && work > Time{0}) break;
    }
    CHECK(noise.end_of(begin, work) == at);
  }
}

TEST_CASE("a daemon that never pauses, and one with an invalid section, are refused by name") {
  ParameterSet given;
  given.set("host.noise.daemons=tick");
  given.set("host.noise.tick.period=1ms");
  given.set("host.noise.tick.duration=1ms");
  CHECK_THROWS_WITH(host::read_noise({given, "host.noise"}),
                    Catch::Contains("host.noise.tick.duration") && Catch::Contains("below its period"));
}
