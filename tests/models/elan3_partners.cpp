/// What it costs to release a circuit where a process has many partners (QsNET paper 5.5).
#include <catch2/catch.hpp>

#include "tests/models/elan3_bench_dma.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

/// When the source event of an empty DMA between hosts 0 and 1 of 4 has been copied: its circuit is released then.
Time released(const std::vector<std::string>& settings, const std::function<void(Elan3Host&)>& prepare = {}) {
  Elan3Bench bench(4, settings);
  bench.program(0, [](Elan3Host& host) {
    e3_dma dma = write_dma(0, 1);
    dma.src_event = src_event;
    prime(host, src_event, src_done);
    put(host, dma);
  });
  bench.program(1, [&](Elan3Host& host) {
    prime(host, dest_event, dest_done);
    if (prepare) prepare(host);
  });
  bench.run();
  return done_at(bench[0], src_done);
}

// Each of 4 hosts has routes to 3 others.
const std::string as_many = "nic.input.partners=3", one_less = "nic.input.partners=2", longer = "nic.input.release=1us";

}  // namespace

TEST_CASE("a circuit is released later where its process has more partners than the card has at hand") {
  CHECK(released({one_less, longer}) == released({as_many, longer}) + 1us);
}

TEST_CASE("with so many partners as are at hand the time of a release does not matter") {
  CHECK(released({as_many, longer}) == released({as_many, "nic.input.release=0ns"}));
}

TEST_CASE("the way of a broadcast is no partner, a route that is added later is one") {
  const auto add = [](const nic::elan3::RouteFlits& flits) {
    return [flits](Elan3Host& host) { host.route(0, 20, flits); };
  };
  const auto tree = topologies::KaryTree::of_size(4, 1, 0, "test");
  const Time before = released({as_many, longer});
  CHECK(released({as_many, longer}, add(nic::elan3::encode_broadcast(tree, 1, 0, 3))) == before);
  CHECK(released({as_many, longer}, add(nic::elan3::encode_unicast(tree, 1, 2))) == before + 1us);
}
