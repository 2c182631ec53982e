/// Cards whose memory calls wait(): the transfers' times, what goes on meanwhile, and a whole card on such a memory.
#include <catch2/catch.hpp>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <stdexcept>

#include "models/nic/card/bus_master.hpp"
#include "models/nic/card/waiting_bus.hpp"
#include "tests/models/elan3_bench_dma.hpp"
#include "tests/models/elan3_bench_thread.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr Time access_time = 70ns;

/// A memory of words that hold their addresses. Each access takes `access_time`, of which it waits a part.
struct SlowMemory : sc_core::sc_module, net::ImmediateTarget {
  tlm::tlm_target_socket<64> socket{"socket"};
  Time waits = access_time;
  std::vector<Time> begun;

  explicit SlowMemory(const sc_core::sc_module_name& name) : sc_module(name) { socket.bind(*this); }
  void b_transport(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay) override {
    CHECK(delay == sc_core::SC_ZERO_TIME);
    begun.push_back(net::kernel_now());
    if (waits > Time{0}) wait(net::to_sc_time(waits));
    delay += net::to_sc_time(access_time - waits);
    const std::uint64_t value = transfer.get_address();
    if (transfer.is_read()) std::memcpy(transfer.get_data_ptr(), &value, sizeof value);
    transfer.set_response_status(value == bad_address ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
  }
  static constexpr std::uint64_t bad_address = 0xbad0;
};

/// What a card has of a bus and of units, with a memory of its own.
struct Probe : sc_core::sc_module {
  Probe(const sc_core::sc_module_name& name, net::Timeline& timeline_, std::uint32_t unit)
      : sc_module(name), timeline(timeline_), clock(timeline.queue(), unit, net::Clock::units, &waiting) {
    bus.bind(waiting.card);
    waiting.memory.bind(memory.socket);
  }
  void start(std::function<net::Task<>(Probe&)> program) {
    programs.push_back(std::move(program));
    tasks.push_back(programs.back()(*this));
  }
  void start_of_simulation() override {
    for (auto& task : tasks) task.start(clock);
  }
  nic::BusMaster::Transfer read(std::uint64_t address, Time at) {
    return master.read(address, std::as_writable_bytes(std::span{&value, 1}), at);
  }

  net::Timeline& timeline;
  tlm::tlm_initiator_socket<64> bus{"bus"};
  nic::WaitingBus waiting{"waiting", timeline};
  SlowMemory memory{"memory"};
  nic::BusMaster master{bus, timeline};
  net::Clock clock;
  std::uint64_t value = 0;
  std::list<std::function<net::Task<>(Probe&)>> programs;
  std::vector<net::Task<>> tasks;
};

/// @param waits  the rest of the access is a delay that the memory returns
void check_transfers(Time waits) {
  net::Timeline timeline("timeline");
  Probe probe("probe", timeline, 0);
  probe.memory.waits = waits;
  std::vector<Time> done;
  std::uint64_t value = 0;
  probe.start([&](Probe& at) -> net::Task<> {
    co_await at.clock.until(1000ns);
    const auto first = at.read(0x40, at.clock.now());
    done.push_back(first.done);
    value = at.value;
    co_await at.clock.until(first.done);
    done.push_back(at.clock.now());
    done.push_back(at.read(0x80, at.clock.now() + 500ns).done);  // the card asks ahead of its time
    CHECK_FALSE(at.read(SlowMemory::bad_address, at.clock.now()).good());
  });
  timeline.run();
  CHECK(done ==
        std::vector<Time>{1000ns + access_time, 1000ns + access_time, 1000ns + access_time + 500ns + access_time});
  CHECK(probe.memory.begun[0] == 1000ns);
  CHECK(probe.memory.begun[1] == 1570ns);
  CHECK(value == 0x40);
}

/// Outside of all steps, 25 ns ahead of the timeline. @return the end of the transfer
Time access_outside(net::Timeline& timeline, Probe& probe, bool reads) {
  net::Clock plain(timeline.queue(), 1);
  Time done = never;
  auto from_outside = [](Probe& at, net::Clock& clock, bool is_read, Time& end) -> net::Task<> {
    co_await clock.until(50ns);
    const std::uint64_t word = 1;
    end = is_read ? at.read(0, clock.now() + 25ns).done
                  : at.master.write(0, std::as_bytes(std::span{&word, 1}), clock.now() + 25ns).done;
  }(probe, plain, reads, done);
  from_outside.start(plain);
  timeline.run();
  return done;
}

/// The bytes go from main memory to main memory. tests/models/elan3_dma.cpp has the steps with data in SDRAM; here the
/// source is read over the bus, and the destination written over it.
void check_dma(bool memory_waits) {
  Elan3Bench bench(2, {}, 1, memory_waits);
  constexpr std::uint32_t bytes = 64;
  constexpr e3_addr from = place::main + 0x1000, to = place::main + 0x2000;
  constexpr Time go = 100us;
  bench.program(0, [&](Elan3Host& host) {
    for (std::uint32_t i = 0; i < bytes; ++i) host.memory[0x1000 + i] = std::byte{pattern(i)};
    for (const Time at : {Time{10us}, go}) {
      e3_dma dma = write_dma(bytes, 1);
      dma.source = from;
      dma.dest = to;
      host.store(Elan3Host::sdram(dma_at), dma);
      host.wait_until(at);
      host.command(0, E3_CP_PUT_DMA, dma_at);
    }
  });
  bench.program(1, [&](Elan3Host& host) {
    prime(host, dest_event, dest_done);
    host.wait_until(50us);
    prime(host, dest_event, dest_done);
    host.transfers.clear();
  });
  bench.run();
  const Time arrived = done_at(bench[1], dest_done);
  constexpr Time bus = CardHost::bus_latency + bytes * CardHost::bus_byte;
  constexpr Time command = 250ns, schedule = 200ns, sdram = 75ns, input = 260ns, set = 200ns;
  constexpr Time over = 44 * 5ns + 2 * 10ns + 35ns + 5ns;
  constexpr Time first_flit = go + command + sdram + schedule + bus;
  // The card need not wait for the end of the write, but cannot go on before a memory that waits has taken it.
  const Time write = memory_waits ? bus : Time{0};
  CHECK(arrived == first_flit + over + input + write + set + sdram);
  for (std::uint32_t i = 0; i < bytes; ++i) CHECK(bench[1].memory[0x2000 + i] == std::byte{pattern(i)});
  CHECK(bench[1].main_word<std::uint32_t>(dest_done) == done_word);
}

}  // namespace

TEST_CASE("a card's transfer ends when a memory that waits has answered, and no later") {
  check_transfers(access_time);
}
TEST_CASE("a memory that waits may return a part of the time as a delay") { check_transfers(30ns); }
TEST_CASE("a memory that returns all of the time as a delay works as one that waits") { check_transfers(0ns); }

TEST_CASE("cards wait for their memories at the same time, and events of others come between") {
  net::Timeline timeline("timeline");
  Probe first("first", timeline, 0), second("second", timeline, 1);
  std::map<std::string, Time> done;
  std::vector<Time> seen;
  for (Probe* probe : {&first, &second})
    probe->start([&](Probe& at) -> net::Task<> {
      co_await at.clock.until(&at == &first ? 100ns : 120ns);
      done[at.basename()] = at.read(0, at.clock.now()).done;
    });
  net::Clock other(timeline.queue(), 2);
  auto watch = [](net::Clock& clock, std::vector<Time>& times) -> net::Task<> {
    for (const Time at : {110ns, 150ns, 180ns}) {
      co_await clock.until(at);
      times.push_back(net::kernel_now() <= at ? clock.now() : never);
    }
  }(other, seen);
  watch.start(other);
  timeline.run();
  CHECK(done == std::map<std::string, Time>{{"first", 170ns}, {"second", 190ns}});
  CHECK(seen == std::vector<Time>{110ns, 150ns, 180ns});
}

TEST_CASE("the units of a card with a memory that waits take turns, whole step by whole step") {
  net::Timeline timeline("timeline");
  Probe probe("probe", timeline, 0);
  std::vector<Time> done;
  int inside = 0;
  for (int unit = 0; unit < 2; ++unit)
    probe.start([&, unit](Probe& at) -> net::Task<> {
      co_await at.clock.until(100ns + unit * 10ns);
      CHECK(++inside == 1);
      at.read(0, at.clock.now());
      const Time twice = at.read(8, at.clock.now()).done;
      CHECK(--inside == 0);
      done.push_back(twice);
    });
  timeline.run();
  CHECK(done == std::vector<Time>{100ns + 2 * access_time, 100ns + 4 * access_time});
}

TEST_CASE("a write outside of all steps is posted to a memory that waits") {
  net::Timeline timeline("timeline");
  Probe probe("probe", timeline, 0);
  CHECK(access_outside(timeline, probe, false) == 75ns);  // nothing waits for it
  CHECK(probe.memory.begun == std::vector<Time>{75ns});
}

TEST_CASE("a read outside of all steps from a memory that waits is an error that names the bus") {
  net::Timeline timeline("timeline");
  Probe probe("probe", timeline, 0);
  CHECK_THROWS_WITH(access_outside(timeline, probe, true),
                    Catch::Contains("probe.waiting: the card reads address 0x0"));
}

TEST_CASE("an exception in a step that waits comes out of the run") {
  net::Timeline timeline("timeline");
  Probe probe("probe", timeline, 0);
  probe.start([](Probe& at) -> net::Task<> {
    co_await at.clock.until(100ns);
    at.read(0, at.clock.now());
    throw std::runtime_error("it went wrong");
  });
  CHECK_THROWS_WITH(timeline.run(), "it went wrong");
}

TEST_CASE("elan3 cards run a DMA between memories that return their time as a delay") { check_dma(false); }
TEST_CASE("elan3 cards run a DMA between memories that wait, every byte and each step at its time") { check_dma(true); }

TEST_CASE("elan3 firmware copies blocks to a memory that waits, one when it has taken the one before") {
  Elan3Bench bench(1, {}, 1, true);
  const std::uint32_t program = load_tests(bench);
  constexpr std::uint32_t bytes = 150;  // two blocks and a part
  bench.program(0, [=](Elan3Host& host) {
    for (std::uint32_t i = 0; i < bytes; ++i) host.store(Elan3Host::sdram(data_at + i), pattern(i));
    host.wait_until(1us);
    start(host, program, {copy, place::main, place::main + 0x1000, data_at, bytes, place::elan + 0x2000});
  });
  bench.run();
  for (std::uint32_t i = 0; i < bytes; ++i) REQUIRE(bench[0].memory[0x1000 + i] == std::byte{pattern(i)});
  const auto& transfers = bench[0].transfers;
  REQUIRE(transfers.size() == 3 + 4);
  // tests/models/elan3_thread.cpp has the same with a bus that takes a block and lets the card go on.
  constexpr Time command = 250ns, dispatch = 200ns, walk = 4 * 75ns, block = 10 * 10ns;
  CHECK(transfers[0].at == 1us + command + dispatch + block + walk);
  for (int i = 0; i < 2; ++i)
    CHECK(transfers[i + 1].at == transfers[i].at + CardHost::bus_latency + 64 * CardHost::bus_byte);
  CHECK(transfers[2].bytes == bytes - 128);
}
