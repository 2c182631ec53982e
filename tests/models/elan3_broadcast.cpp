/// Hardware broadcast between cards on one Elite: all receive it once, or the event is set at none.
#include <catch2/catch.hpp>

#include "tests/models/elan3_bench_dma.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr int all_hosts = 50;  // a virtual process that is a broadcast to hosts 0 to 3

void add_broadcast(Elan3Bench& bench, Elan3Host& host) {
  host.route(0, all_hosts, nic::elan3::encode_broadcast(bench.tree, 0, 0, 3));
}
std::int32_t event_count(Elan3Host& host) { return host.load<std::int32_t>(Elan3Host::sdram(dest_event)); }

}  // namespace

TEST_CASE("elan3 broadcasts a DMA to a range of hosts that includes the sender") {
  Elan3Bench bench(4);
  for (int host = 1; host < 4; ++host) bench.program(host, [](Elan3Host& self) { prime(self, dest_event, dest_done); });
  bench.program(0, [&](Elan3Host& self) {
    add_broadcast(bench, self);
    prime(self, dest_event, dest_done);
    prime(self, src_event, src_done);
    fill(self, source, 1000);
    self.wait_until(10us);
    e3_dma dma = write_dma(1000, all_hosts, E3_DMA_BROADCAST);
    dma.src_event = src_event;
    put(self, dma);
  });
  bench.run();
  for (int host = 0; host < 4; ++host) {
    CAPTURE(host);
    CHECK(right_bytes(bench[host], dest, 1000) == 1000);
    CHECK(event_count(bench[host]) == 0);
    CHECK(bench[host].main_word<std::uint32_t>(dest_done) == done_word);
    CHECK(bench.card(host).busy().empty());
  }
  CHECK(bench[0].main_word<std::uint32_t>(src_done) == done_word);
}

TEST_CASE("elan3 sets the events of a broadcast once, when the last of the hosts has taken it") {
  Elan3Bench bench(4);
  constexpr Time ready = 40us;
  const auto filter = [](Elan3Host& self, std::uint32_t bits) {
    self.store(place::contexts + offsetof(e3_context, filter), bits);
  };
  for (int host = 1; host < 4; ++host)
    bench.program(host, [=](Elan3Host& self) {
      prime(self, dest_event, dest_done);
      if (host != 2) return;
      filter(self, E3_FILTER_DISCARD);
      self.wait_until(ready);
      filter(self, 0);
    });
  bench.program(0, [&](Elan3Host& self) {
    add_broadcast(bench, self);
    prime(self, dest_event, dest_done);
    fill(self, source, 100);
    self.wait_until(10us);
    put(self, write_dma(100, all_hosts, E3_DMA_BROADCAST));
  });
  bench.run();
  for (int host = 0; host < 4; ++host) {
    CAPTURE(host);
    CHECK(right_bytes(bench[host], dest, 100) == 100);
    CHECK(event_count(bench[host]) == 0);  // set once, although the packet came several times
    CHECK(done_at(bench[host], dest_done) > ready);
  }
}

TEST_CASE("elan3 sets the events of broadcasts once through links with bit errors") {
  Elan3Bench bench(4, {"link.bit_error_rate=1e-4"});
  constexpr int rounds = 40;
  for (int host = 0; host < 4; ++host)
    bench.program(host, [&bench, host](Elan3Host& self) {
      self.store(Elan3Host::sdram(dest_event), e3_event{.count = 1000, .type = 0});
      if (host != 0) return;
      add_broadcast(bench, self);
      fill(self, source, 64);
      for (int round = 0; round < rounds; ++round) put(self, write_dma(64, all_hosts, E3_DMA_BROADCAST), round);
    });
  bench.run();
  for (int host = 0; host < 4; ++host) CHECK(event_count(bench[host]) == 1000 - rounds);
  CHECK(bench[0].read32(E3_BAR_REGISTERS, E3_REG_COUNTERS + 12) > 0);  // some were retransmitted
}
