/// What goes wrong between two cards: traps, refusals, retries, bit errors.
#include <catch2/catch.hpp>

#include "tests/models/elan3_bench_dma.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr e3_addr hole = dest + 0x3000;  // a page that is not mapped

struct Seen {
  std::vector<int> units;
  std::vector<e3_trap> traps;
};

/// A driver that notes each trap and says `word` of it.
void obey(Elan3Bench& bench, int host, Seen& seen, std::function<std::uint32_t(Elan3Host&, int unit)> decide) {
  bench[host].on_interrupt = [&seen, decide = std::move(decide)](Elan3Host& self) {
    const std::uint32_t pending = self.read32(E3_BAR_REGISTERS, E3_REG_INTERRUPT);
    self.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, pending);
    constexpr std::array<std::uint32_t, E3_TRAP_RECORDS> bits{E3_INT_COMMAND_TRAP, E3_INT_DMA_TRAP, E3_INT_THREAD_TRAP,
                                                              E3_INT_INPUT_CH0_USER, E3_INT_INPUT_CH1_USER};
    for (int unit = 0; unit < E3_TRAP_RECORDS; ++unit) {
      if ((pending & bits[unit]) == 0) continue;
      seen.units.push_back(unit);
      seen.traps.push_back(self.trap(unit));
      self.resume(decide(self, unit));
    }
  };
}

std::uint32_t drop(Elan3Host&, int unit) { return static_cast<std::uint32_t>(unit) | E3_RESUME_DROP; }

}  // namespace

TEST_CASE("elan3 leaves the target's memory alone where a DMA leads outside its mapping and tells the sender") {
  Elan3Bench bench(2);
  Seen here, there;
  obey(bench, 0, here, drop);
  obey(bench, 1, there, drop);
  bench.program(1, [](Elan3Host& host) { host.unmap(0, hole); });
  bench.program(0, [](Elan3Host& host) {
    fill(host, source, 320);
    host.wait_until(10us);
    e3_dma dma = write_dma(320, 1);
    dma.dest = hole - 64;  // its first block is mapped
    put(host, dma);
    e3_dma good = write_dma(64, 1);
    good.dest_event = 0;
    put(host, good, 1);
  });
  bench.run();
  REQUIRE(there.traps.size() == 1);
  CHECK(there.traps[0].cause == E3_CAUSE_PAGE);
  CHECK(there.traps[0].address == hole);
  REQUIRE(here.traps.size() == 1);
  CHECK(here.units[0] == E3_TRAP_DMA);
  CHECK(here.traps[0].cause == E3_CAUSE_REFUSED);
  CHECK(here.traps[0].process == 1);
  CHECK(here.traps[0].dma.size == 320);
  CHECK(right_bytes(bench[1], hole - 64, 64) == 0);
  CHECK(right_bytes(bench[1], dest, 64) == 64);  // the context that did nothing wrong is served
  CHECK(bench.card(0).busy().empty());
}

TEST_CASE("elan3 goes on where the driver has mapped the page that was missing") {
  Elan3Bench bench(2);
  Seen there;
  obey(bench, 1, there, [](Elan3Host& self, int unit) {
    self.map(0, hole, place::data + (hole - place::elan), true);
    self.write32(E3_BAR_REGISTERS, E3_REG_FLUSH_TLB, 1);
    return static_cast<std::uint32_t>(unit);
  });
  bench.program(1, [](Elan3Host& host) {
    host.unmap(0, hole);
    prime(host, dest_event, dest_done);
  });
  bench.program(0, [](Elan3Host& host) {
    fill(host, source, 1000);
    host.wait_until(10us);
    e3_dma dma = write_dma(1000, 1);
    dma.dest = hole - 400;
    put(host, dma);
  });
  bench.run();
  CHECK(there.traps.size() == 1);
  CHECK(right_bytes(bench[1], hole - 400, 1000) == 1000);
  CHECK(bench[1].main_word<std::uint32_t>(dest_done) == done_word);
}

TEST_CASE("elan3 traps on a page that others may not write") {
  Elan3Bench bench(2);
  Seen here, there;
  obey(bench, 0, here, drop);
  obey(bench, 1, there, drop);
  bench.program(
      1, [](Elan3Host& host) { host.map(0, hole, place::data + (hole - place::elan), true, E3_PERM_REMOTE_READ); });
  bench.program(0, [](Elan3Host& host) {
    fill(host, source, 8);
    host.wait_until(10us);
    e3_dma dma = write_dma(8, 1);
    dma.dest = hole;
    put(host, dma);
  });
  bench.run();
  REQUIRE(there.traps.size() == 1);
  CHECK(there.traps[0].cause == E3_CAUSE_PERMISSION);
  CHECK(there.traps[0].access == E3_PERM_REMOTE_WRITE);
  CHECK(right_bytes(bench[1], hole, 8) == 0);
  REQUIRE(here.traps.size() == 1);
  CHECK(here.traps[0].cause == E3_CAUSE_REFUSED);
}

TEST_CASE("elan3 traps on commands and descriptors that make no sense, each with its cause") {
  struct Row {
    const char* what;
    std::function<void(e3_dma&)> spoil;
    std::uint32_t cause;
    int unit;
  };
  const std::vector<Row> rows{
      {"too large", [](e3_dma& dma) { dma.size = 0x80000000; }, E3_CAUSE_DESCRIPTOR, E3_TRAP_COMMAND},
      {"direction", [](e3_dma& dma) { dma.type |= 2U << 2; }, E3_CAUSE_DESCRIPTOR, E3_TRAP_COMMAND},
      {"queued and large", [](e3_dma& dma) { dma.type |= E3_DMA_QUEUED; }, E3_CAUSE_DESCRIPTOR, E3_TRAP_COMMAND},
      {"source not mapped", [](e3_dma& dma) { dma.source = 0x70000000; }, E3_CAUSE_PAGE, E3_TRAP_DMA},
      {"no such process", [](e3_dma& dma) { dma.dest_cookie_proc = 99; }, E3_CAUSE_ROUTE, E3_TRAP_DMA},
      {"no route", [](e3_dma& dma) { dma.dest_cookie_proc = 40; }, E3_CAUSE_ROUTE, E3_TRAP_DMA}};
  Elan3Bench bench(2);
  Seen here;
  obey(bench, 0, here, drop);
  bench.program(0, [&](Elan3Host& host) {
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      e3_dma dma = write_dma(1000, 1);
      rows[i].spoil(dma);
      put(host, dma, i);
      host.wait_until((i + 1) * 10us);
    }
    host.command(0, E3_CP_PUT_DMA, dma_at + 4);
    host.wait_until(100us);
    host.command(3, E3_CP_PUT_DMA, dma_at);  // a context without memory
  });
  bench.run();
  REQUIRE(here.traps.size() == rows.size() + 2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(rows[i].what);
    CHECK(here.traps[i].cause == rows[i].cause);
    CHECK(here.units[i] == rows[i].unit);
  }
  CHECK(here.traps[rows.size()].cause == E3_CAUSE_ALIGNMENT);
  CHECK(here.traps[rows.size() + 1].cause == E3_CAUSE_PAGE);
  CHECK(here.traps[rows.size() + 1].context == 3);
  CHECK(bench.card(0).busy().empty());
}

TEST_CASE("elan3 tries again, later each time, what the far context discards, and gets it through") {
  Elan3Bench bench(2);
  const auto filter = [](Elan3Host& host, std::uint32_t bits) {
    host.store(place::contexts + offsetof(e3_context, filter), bits);
  };
  bench.program(1, [&](Elan3Host& host) {
    prime(host, dest_event, dest_done);
    filter(host, E3_FILTER_DISCARD);
    host.wait_until(30us);
    filter(host, 0);
  });
  bench.program(0, [](Elan3Host& host) {
    fill(host, source, 2000);
    host.wait_until(10us);
    put(host, write_dma(2000, 1));
  });
  bench.run();
  CHECK(right_bytes(bench[1], dest, 2000) == 2000);
  CHECK(done_at(bench[1], dest_done) > 30us);
  CHECK(done_at(bench[1], dest_done) < 60us);
}

TEST_CASE("elan3 gives up a DMA that is discarded more often than its fail count allows") {
  Elan3Bench bench(2);
  Seen here;
  obey(bench, 0, here, drop);
  bench.program(1, [&](Elan3Host& host) {
    host.store(place::contexts + offsetof(e3_context, filter), std::uint32_t{E3_FILTER_DISCARD});
  });
  bench.program(0, [](Elan3Host& host) {
    host.wait_until(10us);
    put(host, write_dma(100, 1));
  });
  bench.run();
  REQUIRE(here.traps.size() == 1);
  CHECK(here.units[0] == E3_TRAP_DMA);
  CHECK(here.traps[0].cause == E3_CAUSE_FAIL_COUNT);
  CHECK(here.traps[0].process == 1);
  CHECK(bench.card(0).busy().empty());
}

TEST_CASE("elan3 acknowledges and throws away what comes in for a context that says so") {
  Elan3Bench bench(2);
  bench.program(1, [&](Elan3Host& host) {
    host.store(place::contexts + offsetof(e3_context, filter), std::uint32_t{E3_FILTER_ACK});
  });
  bench.program(0, [](Elan3Host& host) {
    fill(host, source, 64);
    host.wait_until(10us);
    e3_dma dma = write_dma(64, 1);
    dma.src_event = src_event;
    prime(host, src_event, src_done);
    put(host, dma);
  });
  bench.run();
  CHECK(bench[0].main_word<std::uint32_t>(src_done) == done_word);
  CHECK(right_bytes(bench[1], dest, 64) == 0);
}

TEST_CASE("elan3 brings every byte right and once through links with bit errors") {
  // 40 KB in 128 packets of 3,024 bits over two cables at 3e-5: about every sixth is hit.
  Elan3Bench bench(2, {"link.bit_error_rate=3e-5"});
  constexpr std::uint32_t bytes = 40000;
  bench.program(1,
                [](Elan3Host& host) { host.store(Elan3Host::sdram(dest_event), e3_event{.count = 100, .type = 0}); });
  bench.program(0, [](Elan3Host& host) {
    fill(host, source, bytes);
    host.wait_until(10us);
    put(host, write_dma(bytes, 1));
  });
  bench.run();
  CHECK(right_bytes(bench[1], dest, bytes) == bytes);
  CHECK(bench[1].load<std::int32_t>(Elan3Host::sdram(dest_event)) == 99);
  CHECK(bench[0].read32(E3_BAR_REGISTERS, E3_REG_COUNTERS + 12) > 5);  // packets sent again
  CHECK(bench.card(0).busy().empty());
}
