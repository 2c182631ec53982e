/// A node with a card that does little, and software that looks at it from within. Every time is worked out from the
/// numbers below. Every case is a process of its own.
#include "models/host/node.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <map>

#include "models/net/module.hpp"
#include "platform/core/parameters.hpp"
#include "platform/testing/protocol_checker.hpp"

// After <tlm>.
#include <tlm_utils/simple_target_socket.h>

using namespace sanvp;
using host::Node;
using host::Settings;
using net::kernel_now;
using net::to_time;
using sc_core::sc_time;

namespace {

Settings round_numbers() {
  ParameterSet defaults;
  Settings settings = host::read_settings({defaults, "host"});
  settings.memory_bytes = 16 << 20;
  settings.clock_read = 0ns;
  std::fill(settings.cpu.library.begin(), settings.cpu.library.end(), hal_library_price{});
  settings.store = 50ns;
  settings.poll_latency = 135ns;
  settings.system_call = 1us;
  settings.interrupt_latency = 10us;
  settings.pci = {.cycle = 30ns,
                  .width_bytes = 8,
                  .burst_bytes = 64,
                  .overhead_cycles = 2,
                  .turnaround_cycles = 1,
                  .bridge = 100ns,
                  .posted_writes = 2};
  return settings;
}
/// Of one word on the bus: 2 cycles of overhead and one of data; then the bridge.
constexpr Time word = 3 * 30ns;
constexpr Time bridge = 100ns;

/// Register 0: writes 64 bytes of 1 to the address stored there. 1: remembers. 2: raises the interrupt, 3 lowers it.
struct Card : sc_core::sc_module {
  static constexpr Time own_latency = 40ns;  // of a load
  tlm_utils::simple_target_socket<Card, 64> registers{"registers"};
  tlm_utils::simple_initiator_socket<Card, 64> bus{"bus"};
  std::vector<Time> stores;
  Time dma_done{0};
  tlm::tlm_response_status dma_response = tlm::TLM_INCOMPLETE_RESPONSE;
  std::uint32_t value = 77;
  Node* node = nullptr;

  explicit Card(sc_core::sc_module_name name) : sc_module(name) {
    registers.register_b_transport(this, &Card::b_transport);
  }

  tlm::tlm_response_status dma(std::uint64_t address, sc_time delay, unsigned bytes = 64,
                               tlm::tlm_command command = tlm::TLM_WRITE_COMMAND) {
    std::array<std::uint8_t, 1024> ones{};
    ones.fill(1);
    tlm::tlm_generic_payload transfer;
    transfer.set_command(command);
    transfer.set_address(address);
    transfer.set_data_ptr(ones.data());
    transfer.set_data_length(bytes);
    transfer.set_streaming_width(bytes);
    bus->b_transport(transfer, delay);
    dma_done = kernel_now() + to_time(delay);
    return transfer.get_response_status();
  }

 private:
  void b_transport(tlm::tlm_generic_payload& transfer, sc_time& delay) {
    transfer.set_response_status(tlm::TLM_OK_RESPONSE);
    const auto number = transfer.get_address() / 8;
    if (transfer.is_read()) {
      std::memcpy(transfer.get_data_ptr(), &value, sizeof value);
      delay += net::to_sc_time(own_latency);
      return;
    }
    stores.push_back(kernel_now() + to_time(delay));
    std::uint64_t stored = 0;
    std::memcpy(&stored, transfer.get_data_ptr(), transfer.get_data_length());
    if (number == 0) dma_response = dma(stored, delay);
    if (number == 2) node->interrupt(true, delay);
    if (number == 3) node->interrupt(false, delay);
  }
};

struct Record final : host::Services {
  std::map<std::string, double> metrics;
  std::vector<std::string> failures;
  int ends = 0;

  Time time(const std::string& name) const { return Time{static_cast<std::int64_t>(metrics.at(name))}; }
  const char* setting(const char*, const char* fallback, const char*, const char*) override { return fallback; }
  void metric(const host::Identity&, const char* name, double value, const char*) override { metrics[name] = value; }
  void output(const host::Identity&, bool, std::string_view) override {}
  void ended(const host::Identity&, int, Time) override { ++ends; }
  void ended_job(const host::Identity&, int, Time) override { ++ends; }
  void failed(const host::Identity&, const std::string& why, Time) override { failures.push_back(why); }
};

struct Bench {
  Settings settings = round_numbers();
  Record record;
  net::Timeline timeline{"timeline"};
  native::Loader loader;  // what code computes takes no time
  Node node;
  Card card{"card"};
  testing::ProtocolChecker device{"device"}, master{"master"};

  explicit Bench(std::size_t processes = 1)
      : node("node", 0, 1, std::vector(processes, &Registry<host::ProcessKind>::get("native", "test")), settings,
             loader, record, timeline, nullptr, 1) {
    node.pci.device.bind(device.target);
    device.initiator.bind(card.registers);
    card.bus.bind(master.target);
    master.initiator.bind(node.pci.master);
    node.insert({.name = "probed", .windows = {4096}, .load_firmware = {}});
    card.node = &node;
  }

  Record& run(const std::string& what) {
    for (int i = 0; i < static_cast<int>(numbers.size()); ++i)
      node.add_process(std::string(SANVP_SW) + "/tests/host_probe.so", {"host_probe", what},
                       {.rank = i, .ranks = static_cast<int>(numbers.size()), .rank_processes = numbers.data()})
          .start();
    sc_core::sc_start();
    return record;
  }
  std::vector<int> numbers{0};
};

}  // namespace

TEST_CASE("a store is at the card after bus and bridge, and the CPU goes on before") {
  Bench bench;
  const Record& record = bench.run("store");
  CHECK(bench.card.stores == std::vector<Time>{word + bridge});
  CHECK(record.time("stored") == 50ns);
  CHECK(record.ends == 1);
}

TEST_CASE("a CPU waits when the bridge holds as many stores as it can") {
  Bench bench;
  const Record& record = bench.run("stores");
  // The first takes the bus at 0, the second at 90, where it was free; the third may not come before the first is at
  // the card.
  const Time third = word + bridge;
  CHECK(bench.card.stores == std::vector<Time>{word + bridge, 2 * word + bridge, third + word + bridge});
  CHECK(record.time("stored") == third + 50ns);
}

TEST_CASE("a load takes bus, bridge, the card's own time, and the bridge again") {
  Bench bench;
  const Record& record = bench.run("load");
  CHECK(record.time("loaded") == word + bridge + Card::own_latency + bridge);
  CHECK(record.metrics.at("value") == 77);
}

TEST_CASE("a process that waits for a word is woken a poll latency after a card's write") {
  Bench bench;
  const Record& record = bench.run("wait");
  // At 190 the card begins; data flows the other way: 1 + 2 + 8 cycles.
  const Time written = word + bridge + 11 * 30ns;
  CHECK(bench.card.dma_done == written);
  CHECK(record.time("woken") == written + 135ns);
  CHECK(record.metrics.at("word") == 0x01010101);
}

TEST_CASE("a process that looks between a card's write and its being noticed does not see it earlier") {
  Bench bench;
  const Record& record = bench.run("look early");
  CHECK(record.time("woken") == word + bridge + 11 * 30ns + 135ns);
}

TEST_CASE("a wait for a word ends at the time given") {
  Bench bench;
  const Record& record = bench.run("wait for ever");
  CHECK(record.time("woken") == 700ns);
  CHECK(record.metrics.at("differs") == 0);
}

TEST_CASE("heap, globals and stack are a process's memory, the rest of the program is not") {
  Bench bench;
  const Record& record = bench.run("memory");
  for (const char* name : {"right", "regions", "heap", "again", "too_much"}) CHECK(record.metrics.at(name) == 1);
  CHECK(record.failures.empty());
}

TEST_CASE("directions that compete for the bus lose a turnaround for every burst, one after the other a single one") {
  Bench bench;
  const auto at = reinterpret_cast<std::uintptr_t>(bench.node.memory().take(4096).begin);
  const auto ends = [&](tlm::tlm_command command, Time asked) {
    CHECK(bench.card.dma(at, net::to_sc_time(asked), 128, command) == tlm::TLM_OK_RESPONSE);
    return bench.card.dma_done;
  };
  // 128 bytes are 16 words in 2 bursts: 20 cycles of 30 ns.
  constexpr Time alone = 600ns;
  CHECK(ends(tlm::TLM_READ_COMMAND, 0ns) == alone);
  CHECK(ends(tlm::TLM_READ_COMMAND, 0ns) == 2 * alone);
  CHECK(ends(tlm::TLM_WRITE_COMMAND, 0ns) == 3 * alone + 2 * 30ns);
  CHECK(ends(tlm::TLM_READ_COMMAND, 10us) == 10us + alone + 30ns);
}

TEST_CASE("a card that writes where no process is gets an error, and nothing is written") {
  Bench bench;
  std::array<std::uint8_t, 64> ours{};
  CHECK(bench.card.dma(reinterpret_cast<std::uintptr_t>(ours.data()), sc_core::SC_ZERO_TIME) ==
        tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(ours == std::array<std::uint8_t, 64>{});
}

TEST_CASE("processes of a node share memory by name and notice each other's stores") {
  Bench bench(2);
  bench.numbers = {0, 1};
  const Record& record = bench.run("shared");
  CHECK(record.time("stored") == 300ns);
  CHECK(record.time("woken") == 300ns + 135ns);
  CHECK(record.metrics.at("value") == 5);
  CHECK(record.metrics.at("refused") == 1);
}

TEST_CASE("an access where no device answers ends the process with the address") {
  Bench bench;
  const Record& record = bench.run("nowhere");
  CHECK(record.failures == std::vector<std::string>{"load from bus address 0x5000000000000: no device answers there"});
  CHECK(record.ends == 0);
}

TEST_CASE("a library for another card ends the process with the card that there is") {
  Bench bench;
  const Record& record = bench.run("card");
  REQUIRE(record.failures.size() == 1);
  CHECK(record.failures[0].starts_with("probe_init: this machine's card is 'probed', not 'another'; "));
}

TEST_CASE("an interrupt runs the driver after its latency, on the time of the first CPU") {
  Bench bench;
  Time booted = never;
  bench.node.install_driver(std::string(SANVP_SW) + "/tests/host_driver.so",
                            [&] { booted = bench.timeline.run_queue().now(); });
  const Record& record = bench.run("interrupt");
  CHECK(booted == 1us);
  // The process loses what the handler takes: 3 us and a store.
  const Time handler = 3us + 50ns;
  CHECK(record.time("computed") == 50ns + 20us + handler);
  CHECK(record.time("called") == record.time("computed") + 1us);
  CHECK(record.metrics.at("interrupts") == 1);
  // Raised during the boot, served 10 us after it, lowered with the handler's last store.
  CHECK(bench.card.stores == std::vector<Time>{word + bridge, 1us + 10us + 3us + word + bridge});
}

TEST_CASE("a process that accesses more of the card than its driver has granted is ended with the address") {
  Bench bench;
  bench.node.install_driver(std::string(SANVP_SW) + "/tests/host_driver.so", [] {});
  const Record& record = bench.run("not granted");
  REQUIRE(record.failures.size() == 1);
  CHECK_THAT(record.failures[0], Catch::StartsWith("store to bus address 0x100000000003e: ") &&
                                     Catch::Contains("has not granted it to this process"));
  CHECK(bench.card.stores == std::vector<Time>{word + bridge});
}
