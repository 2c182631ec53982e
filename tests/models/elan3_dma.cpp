/// DMAs between two cards on one Elite: the round trip of the QsNET paper's figure 6, rates, slices, reads, queues.
#include <catch2/catch.hpp>

#include <array>

#include "tests/models/elan3_bench_dma.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

// Defaults of nic.*: section [nic] of `sanvp describe qsnet-64`.
constexpr Time command = 250ns, schedule = 200ns, sdram = 75ns, input = 260ns, set = 200ns;

/// From the start of the first flit to the arrival of the last one over one Elite: 5 ns per flit, 2 cables of 10 ns
/// whose receivers need a whole flit, and 35 ns through the Elite.
constexpr Time over(int flits) { return flits * 5ns + 2 * 10ns + 35ns + 5ns; }
/// And the acknowledgement back: a token of 5 ns on each cable, and the Elite.
constexpr Time back = 2 * (5ns + 10ns) + 35ns;

constexpr int event_flits = 5;   // type 2, context 2, address 4, CRC 2 bytes
constexpr int block_flits = 37;  // and 64 bytes
constexpr int route_flits = 2;   // a flit to a leaf-mate, and the route's CRC

}  // namespace

TEST_CASE("elan3 runs a DMA in the steps of figure 6, each at its time") {
  Elan3Bench bench(2);
  constexpr Time go = 100us;
  // A first round trip fills the TLBs, as before the second round trip of a ping-pong.
  constexpr Time fetched = go + command + sdram;           // 2, 3: the command processor has the descriptor
  constexpr Time first_flit = fetched + schedule + sdram;  // 4, 5: queued; the engine has its route
  constexpr Time arrived = first_flit + over(route_flits + block_flits + event_flits);
  constexpr Time taken_in = arrived + input;                // 6: the inputter has written and answers
  constexpr Time acknowledged = taken_in + back;            // 7
  constexpr Time source_copy = acknowledged + set + sdram;  // 8 to 10: source event, its word to main memory
  constexpr Time dest_copy = taken_in + set + sdram;        // 11 to 13
  std::vector<std::uint32_t> seen;
  bench.program(0, [&](Elan3Host& host) {
    e3_dma dma = write_dma(64, 1);
    dma.src_event = src_event;
    for (const Time at : {Time{10us}, go}) {
      prime(host, src_event, src_done);
      fill(host, source, at == go ? 64 : 0);
      host.store(Elan3Host::sdram(dma_at), dma);
      host.wait_until(at);
      host.transfers.clear();
      host.command(0, E3_CP_PUT_DMA, dma_at);
      host.wait_until(at + 50us);  // it has finished
    }
  });
  bench.program(1, [&](Elan3Host& host) {
    prime(host, dest_event, dest_done);
    host.wait_until(50us);
    prime(host, dest_event, dest_done);
    host.transfers.clear();
    for (const Time at : {taken_in - 1ns, taken_in + 1ns}) {
      host.wait_until(at);
      seen.push_back(right_bytes(host, dest, 64));
    }
  });
  bench.run();
  CHECK(done_at(bench[0], src_done) == source_copy);
  CHECK(done_at(bench[1], dest_done) == dest_copy);
  CHECK(seen == std::vector<std::uint32_t>{0, 64});
  CHECK(bench[0].main_word<std::uint32_t>(src_done) == done_word);
  CHECK(bench[1].main_word<std::uint32_t>(dest_done) == done_word);
}

TEST_CASE("elan3 moves every byte of a DMA of any length and none beyond it") {
  Elan3Bench bench(2);
  const std::vector<std::uint32_t> sizes{1, 63, 64, 65, 319, 320, 321, 1000};
  bench.program(0, [&](Elan3Host& host) {
    fill(host, source, 1000);
    for (std::uint32_t i = 0; i < sizes.size(); ++i) {
      e3_dma dma = write_dma(sizes[i], 1);
      dma.dest += i * 0x1000;
      dma.dest_event = 0;
      put(host, dma, i);
    }
  });
  bench.run();
  for (std::uint32_t i = 0; i < sizes.size(); ++i) {
    CAPTURE(sizes[i]);
    CHECK(right_bytes(bench[1], dest + i * 0x1000, sizes[i]) == sizes[i]);
    CHECK(bench[1].load<std::uint32_t>(Elan3Host::sdram(dest + i * 0x1000 + sizes[i])) == 0);
  }
  CHECK(bench.card(0).busy().empty());
  CHECK(bench.card(1).busy().empty());
}

namespace {

/// Bandwidth of 256 KB from the command to the event of the last byte, in MB/s, at card `at`.
double rate(Elan3Bench& bench, int at, bool both) {
  constexpr std::uint32_t bytes = 256 << 10;
  constexpr Time go = 100us;
  for (int host = 0; host < 2; ++host)
    bench.program(host, [=](Elan3Host& self) {
      prime(self, dest_event, dest_done);
      self.wait_until(go);
      if (host == 0 || both) put(self, write_dma(bytes, 1 - host));
    });
  bench.run();
  return bytes / in_ns(done_at(bench[at], dest_done) - go) * 1e3;
}

}  // namespace

TEST_CASE("elan3 moves 335 MB/s one way from card to card") {
  Elan3Bench bench(2);
  CHECK(rate(bench, 1, false) == Approx(335).epsilon(0.005));  // QsNET paper 5.1
}

TEST_CASE("elan3 moves 280 MB/s each way if both send") {
  Elan3Bench bench(2);
  CHECK(rate(bench, 0, true) == Approx(280).epsilon(0.01));  // QsNET paper 5.2
}

TEST_CASE("elan3 answers a block sooner after its last byte than a transaction without data") {
  // The address of a block of 64 bytes arrives 160 ns before its end; the DMA's second packet is its set-event.
  Elan3Bench bench(2);
  bench.program(0, [](Elan3Host& host) {
    prime(host, src_event, src_done);
    host.wait_until(10us);
    for (const bool again : {false, true}) {  // the second time all pages are in the TLBs
      if (again) prime(host, src_event, src_done), host.transfers.clear();
      e3_dma dma = write_dma(64, 1);
      dma.src_event = src_event;
      dma.dest_event = 0;
      host.wait_until(again ? 100us : 50us);
      put(host, dma);
      host.wait_until(again ? 150us : 90us);
    }
  });
  bench.run();
  constexpr Time first_flit = 100us + command + sdram + schedule + sdram;
  constexpr Time answered = first_flit + over(route_flits + block_flits) + input - 32 * 5ns;
  CHECK(done_at(bench[0], src_done) == answered + back + set + sdram);
}

TEST_CASE("elan3 answers packets for main memory while the bus still moves their data") {
  // 10 packets; the bus of these tests takes 1.7 us for each, and reads and writes are on different hosts.
  Elan3Bench bench(2);
  static constexpr Time go = 100us;
  constexpr Time transfer = Elan3Host::bus_latency + 320 * Elan3Host::bus_byte;
  bench.program(1, [](Elan3Host& host) { prime(host, dest_event, dest_done); });
  bench.program(0, [](Elan3Host& host) {
    host.wait_until(go);
    e3_dma dma = write_dma(3200, 1);
    dma.source = place::main + 0x1000;
    dma.dest = place::main + 0x2000;
    put(host, dma);
  });
  bench.run();
  CHECK(done_at(bench[1], dest_done) > go + 11 * transfer);
  CHECK(done_at(bench[1], dest_done) < go + 13 * transfer);  // one after another, they would take 20
}

TEST_CASE("elan3 takes no longer for fewer bytes") {
  // Also where the last packet of more bytes is short: it does not wait for the answers of those before it.
  Elan3Bench bench(2);
  static constexpr std::array<std::uint32_t, 16> sizes{64,  0,   1,   64,  65,  319, 320,  321,  // the first fills TLBs
                                                       384, 639, 640, 641, 960, 961, 1279, 1281};
  static constexpr Time apart = 50us;
  std::vector<Time> taken;
  bench.program(1, [&](Elan3Host& host) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      prime(host, dest_event, dest_done);
      host.transfers.clear();
      host.wait_until((i + 2) * apart - 1us);
      taken.emplace_back(done_at(host, dest_done) - (i + 1) * apart);
    }
  });
  bench.program(0, [](Elan3Host& host) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      host.wait_until((i + 1) * apart);
      put(host, write_dma(sizes[i], 1));
    }
  });
  bench.run();
  REQUIRE(taken.size() == sizes.size());
  for (std::size_t i = 2; i < taken.size(); ++i) {
    CAPTURE(sizes[i], in_ns(taken[i - 1]), in_ns(taken[i]));
    CHECK(taken[i] >= taken[i - 1]);
  }
}

TEST_CASE("elan3 sends the event of a long DMA when its last data are answered") {
  Elan3Bench bench(2);
  constexpr Time go = 100us;
  std::uint32_t seen = 0;
  // As in figure 6; the second packet, of one byte, follows the first one on the link and is taken in after it.
  constexpr int flits_of_all = route_flits + 5 * block_flits + route_flits + block_flits;
  constexpr Time first_flit = go + command + sdram + schedule + sdram;
  constexpr Time latest = first_flit + over(flits_of_all) + 2 * input;
  bench.program(1, [&](Elan3Host& host) {
    prime(host, dest_event, dest_done);
    host.wait_until(50us);
    prime(host, dest_event, dest_done);
    host.transfers.clear();
    host.wait_until(latest);
    seen = right_bytes(host, dest, 321);
  });
  bench.program(0, [&](Elan3Host& host) {
    fill(host, source, 321);
    host.wait_until(10us);
    put(host, write_dma(321, 1));
    host.wait_until(go);
    put(host, write_dma(321, 1));
  });
  bench.run();
  CHECK(seen == 321);
  const Time event = done_at(bench[1], dest_done);
  CHECK(event > latest - 2 * input + over(route_flits + event_flits) + set);
  CHECK(event < latest + back + sdram + over(route_flits + event_flits) + input + set + sdram + 100ns);
}

TEST_CASE("elan3 reads and writes main memory over the bus in bursts of a packet") {
  Elan3Bench bench(2);
  bench.program(0, [](Elan3Host& host) {
    for (std::uint32_t i = 0; i < 640; ++i) host.memory[0x1000 + i] = std::byte{pattern(i)};
    e3_dma dma = write_dma(640, 1);
    dma.source = place::main + 0x1000;
    dma.dest = place::main + 0x2000;
    dma.dest_event = 0;
    put(host, dma);
  });
  bench.run();
  REQUIRE(bench[0].transfers.size() == 2);
  CHECK(bench[0].transfers[0].address == 0x1000);
  CHECK(bench[0].transfers[1].bytes == 320);
  REQUIRE(bench[1].transfers.size() == 2);
  CHECK(bench[1].transfers[1].address == 0x2000 + 320);
  for (std::uint32_t i = 0; i < 640; ++i) REQUIRE(bench[1].memory[0x2000 + i] == std::byte{pattern(i)});
}

TEST_CASE("elan3 lets a small DMA pass a large one after a slice") {
  // The large one alone takes 256 KB / 335 MB/s = 782 us; a slice of 4 KB takes 13 packets of 955 ns.
  Elan3Bench bench(2);
  bench.program(1, [](Elan3Host& host) {
    prime(host, dest_event, dest_done);
    prime(host, src_event, src_done);  // of the small DMA
  });
  bench.program(0, [](Elan3Host& host) {
    host.wait_until(10us);
    put(host, write_dma(256 << 10, 1), 0);
    host.wait_until(30us);
    e3_dma small = write_dma(0, 1);
    small.dest_event = src_event;
    put(host, small, 1);
  });
  bench.run();
  CHECK(done_at(bench[1], src_done) < 30us + 13 * 955ns + 5us);
  CHECK(done_at(bench[1], src_done) > 30us + 1us);
  CHECK(done_at(bench[1], dest_done) > 10us + 780us);
}

TEST_CASE("elan3 runs small DMAs in the order of their commands") {
  Elan3Bench bench(2);
  bench.program(0, [](Elan3Host& host) {
    for (std::uint32_t i = 0; i < 8; ++i) {
      host.store(Elan3Host::sdram(source + 64 * i), i + 1);
      e3_dma dma = write_dma(4, 1);
      dma.source += 64 * i;
      dma.dest_event = 0;
      put(host, dma, i);
    }
  });
  bench.run();
  CHECK(bench[1].load<std::uint32_t>(Elan3Host::sdram(dest)) == 8);
}

TEST_CASE("elan3 fetches from another card with a read that the far card runs as a write") {
  Elan3Bench bench(2);
  bench.program(0, [](Elan3Host& host) {
    prime(host, dest_event, dest_done);
    host.wait_until(10us);
    e3_dma dma = write_dma(700, 0);  // the data's destination is here
    dma.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_READ, 0, E3_DMA_RETRIES);
    dma.src_cookie_proc = E3_COOKIE_PROC(0, 1);
    dma.src_event = src_event;
    host.store(Elan3Host::sdram(dma_at), dma);
    host.command(0, E3_CP_GET_DMA, dma_at);
  });
  bench.program(1, [](Elan3Host& host) {
    fill(host, source, 700);
    prime(host, src_event, src_done);
  });
  bench.run();
  CHECK(right_bytes(bench[0], dest, 700) == 700);
  CHECK(bench[0].main_word<std::uint32_t>(dest_done) == done_word);
  CHECK(bench[1].main_word<std::uint32_t>(src_done) == done_word);  // the source's event, at the far host
}

TEST_CASE("elan3 puts queued DMAs into the slots of an input queue, and refuses them while it is full") {
  Elan3Bench bench(2);
  constexpr e3_addr queue = place::elan + 0x400, slots = place::elan + 0x2000;
  constexpr std::uint32_t slot_bytes = 128;
  std::uint32_t state_when_full = 0;
  bench.program(1, [&](Elan3Host& host) {
    e3_input_queue record{};
    record.back = record.base = record.front = slots;
    record.slot_bytes = slot_bytes;
    record.top = slots + 2 * slot_bytes;  // three slots
    record.event = {.count = 100, .type = 0};
    host.store(Elan3Host::sdram(queue), record);
    host.wait_until(40us);
    state_when_full = host.load<e3_input_queue>(Elan3Host::sdram(queue)).state;
    // The reader removes one.
    host.store(Elan3Host::sdram(queue + offsetof(e3_input_queue, front)), slots + slot_bytes);
    host.store(Elan3Host::sdram(queue), std::uint32_t{0});
  });
  bench.program(0, [&](Elan3Host& host) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      host.store(Elan3Host::sdram(source + 128 * i), 100 + i);
      host.store(Elan3Host::sdram(source + 128 * i + 96), 200 + i);
      e3_dma dma = write_dma(100, 1, E3_DMA_QUEUED);
      dma.source += 128 * i;
      dma.dest = queue;
      dma.dest_event = 0;
      put(host, dma, i);
    }
  });
  bench.run();
  const auto word = [&](std::uint32_t offset) {
    return bench[1].load<std::uint32_t>(Elan3Host::sdram(slots + offset));
  };
  CHECK(state_when_full == E3_QUEUE_FULL);
  CHECK(word(0) == 103);  // the fourth came after the first had been removed
  CHECK(word(96) == 203);
  CHECK(word(slot_bytes) == 101);
  CHECK(word(2 * slot_bytes) == 102);
  const auto record = bench[1].load<e3_input_queue>(Elan3Host::sdram(queue));
  CHECK(record.back == slots + slot_bytes);
  CHECK(record.state == E3_QUEUE_FULL);
  CHECK(record.event.count == 100 - 4);
}
