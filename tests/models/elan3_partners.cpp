/// The cost of releasing a circuit when a process has many partners (QsNET paper 5.5).
#include <catch2/catch.hpp>

#include "tests/models/elan3_bench_dma.hpp"

using namespace sanvp;
using namespace sanvp::test;

TEST_CASE("a circuit is released later when its process has more partners than the card caches") {
  // Each of 4 hosts has routes to 3 others; host 1 gets more.
  Elan3Bench bench(4, {"nic.input.partners=3", "nic.input.release=1us"});
  constexpr int dmas = 5;
  const auto begin = [](int dma) { return (dma + 1) * 100us; };
  std::vector<Time> taken;
  bench.program(0, [&](Elan3Host& host) {
    for (int i = 0; i < dmas; ++i) {
      e3_dma dma = write_dma(0, 1);
      dma.src_event = src_event;
      prime(host, src_event, src_done);
      host.wait_until(begin(i));
      host.transfers.clear();
      put(host, dma);
      host.wait_until(begin(i) + 50us);
      taken.push_back(done_at(host, src_done) - begin(i));
    }
  });
  bench.program(1, [&](Elan3Host& host) {
    const auto add = [&](int before, int process, const nic::elan3::RouteFlits& flits) {
      host.wait_until(begin(before) - 20us);
      host.route(0, process, flits);
    };
    add(2, 20, nic::elan3::encode_broadcast(bench.tree, 1, 0, 3));
    add(3, 21, nic::elan3::encode_unicast(bench.tree, 1, 2));
  });
  bench.run();
  REQUIRE(taken.size() == dmas);
  const Time soon = taken[1];  // the first one fills the TLBs
  CHECK(taken[2] == soon);     // a broadcast route does not count as a partner
  CHECK(taken[3] == soon + 1us);
  CHECK(taken[4] == soon + 1us);
}
