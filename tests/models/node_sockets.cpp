/// A node's CPU, I/O bus and memory between protocol checkers: what they send to each other, and what a card sends
/// them, keeps TLM-2.0's base protocol, whether it is answered or refused, and moves the right bytes.
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "models/host/cpu.hpp"
#include "models/net/module.hpp"
#include "models/net/timeline.hpp"
#include "platform/core/parameters.hpp"
#include "platform/testing/protocol_checker.hpp"

// After <tlm>.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

using namespace sanvp;
using testing::ProtocolChecker;

namespace {

constexpr std::size_t register_bytes = 4096, memory_bytes = 1 << 20, region_bytes = 1 << 16;
constexpr std::size_t longest_store = 8, longest_burst = 512;
constexpr int accesses = 5000;

std::uint64_t below(std::mt19937_64& random, std::uint64_t count) { return random() % count; }

template <class Bytes>
void fill(std::mt19937_64& random, Bytes& bytes) {
  for (auto& byte : bytes) byte = static_cast<unsigned char>(random());
}

/// Registers that hold what is written to them, in an address space with a hole behind them; and a bus master.
struct Card : sc_core::sc_module {
  tlm_utils::simple_target_socket<Card, 64> registers{"registers"};
  tlm_utils::simple_initiator_socket<Card, 64> bus{"bus"};
  std::array<unsigned char, register_bytes> held{};
  std::mt19937_64 random{7};
  native::Range region;               ///< of the memory
  std::vector<unsigned char> shadow;  ///< what the region should hold
  int answered = 0, refused = 0;

  SANVP_HAS_PROCESS(Card);
  explicit Card(const sc_core::sc_module_name& name) : sc_module(name) {
    registers.register_b_transport(this, &Card::b_transport);
    SC_THREAD(run);
  }

  void run() {
    for (int i = 0; i < accesses; ++i) {
      sc_core::wait(net::to_sc_time(Time{static_cast<std::int64_t>(below(random, 400'000))}));
      access();
    }
  }

 private:
  void access() {
    std::array<unsigned char, longest_burst> data;
    fill(random, data);
    const auto bytes = static_cast<unsigned>(below(random, longest_burst) + 1);
    const std::uint64_t offset = below(random, region_bytes + longest_burst);
    const bool is_inside = offset + bytes <= region_bytes;
    tlm::tlm_generic_payload transfer;
    transfer.set_command(below(random, 2) == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    transfer.set_address(reinterpret_cast<std::uintptr_t>(region.begin) + offset);
    transfer.set_data_ptr(data.data());
    transfer.set_data_length(bytes);
    transfer.set_streaming_width(bytes);
    sc_core::sc_time delay = net::to_sc_time(Time{static_cast<std::int64_t>(below(random, 100'000))});
    bus->b_transport(transfer, delay);
    CHECK(transfer.is_response_ok() == is_inside);
    is_inside ? ++answered : ++refused;
    if (!is_inside) return;
    if (transfer.is_write()) std::copy_n(data.data(), bytes, shadow.data() + offset);
    CHECK(std::memcmp(data.data(), shadow.data() + offset, bytes) == 0);
  }

  void b_transport(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay) {
    const std::uint64_t address = transfer.get_address();
    const unsigned bytes = transfer.get_data_length();
    if (address + bytes > register_bytes) return transfer.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    unsigned char* const place = held.data() + address;
    if (transfer.is_read())
      std::memcpy(transfer.get_data_ptr(), place, bytes);
    else
      std::memcpy(place, transfer.get_data_ptr(), bytes);
    delay += net::to_sc_time(40ns);
    transfer.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

struct Bench {
  ParameterSet defaults;
  host::Settings settings = host::read_settings({defaults, "host"});
  net::Timeline timeline{"timeline"};
  host::Memory memory{"memory", 0, memory_bytes, settings.poll_latency, timeline.run_queue()};
  host::MemoryChannel channel{settings.memory_Bps};
  host::Pci pci{"pci", settings.pci, channel, nullptr, 0};
  host::Cpu cpu{"cpu", settings, memory, channel, timeline.run_queue(), nullptr, 0};
  Card card{"card"};
  ProtocolChecker from_cpu{"from_cpu"}, to_card{"to_card"}, from_card{"from_card"}, to_memory{"to_memory"};

  Bench() {
    between(cpu.bus, from_cpu, pci.cpus);
    between(pci.device, to_card, card.registers);
    between(card.bus, from_card, pci.master);
    between(pci.memory, to_memory, memory.socket);
    card.region = memory.take(region_bytes);
    card.shadow.resize(region_bytes);
  }

  template <class Initiator, class Target>
  static void between(Initiator& initiator, ProtocolChecker& checker, Target& target) {
    initiator.bind(checker.target);
    checker.initiator.bind(target);
  }
};

/// Stores to and loads from the card's registers, from the hole behind them, and from where no device is.
void use_registers(host::Cpu& cpu, int& answered, int& refused) {
  std::mt19937_64 random{3};
  std::array<unsigned char, register_bytes> expected{};
  for (int i = 0; i < accesses; ++i) {
    std::array<unsigned char, longest_store> data, read{};
    fill(random, data);
    const std::size_t bytes = below(random, longest_store) + 1;
    const std::uint64_t offset = below(random, register_bytes + 2 * longest_store);
    const bool has_device = below(random, 10) != 0;
    const std::uint64_t address = (has_device ? host::Pci::device_base : 0) + offset;
    const bool is_answered = has_device && offset + bytes <= register_bytes;
    CHECK(cpu.write(address, data.data(), bytes) == is_answered);
    if (is_answered) std::copy_n(data.data(), bytes, expected.data() + offset);
    CHECK(cpu.read(address, read.data(), bytes) == is_answered);
    if (is_answered) CHECK(std::memcmp(read.data(), expected.data() + offset, bytes) == 0);
    is_answered ? ++answered : ++refused;
  }
}

}  // namespace

TEST_CASE("a node's CPU, bus and memory keep the base protocol with each other and with a card") {
  constexpr std::size_t stack_bytes = 256 << 10;
  Bench bench;
  int answered = 0, refused = 0;
  native::Thread program{bench.timeline.run_queue(), stack_bytes, [&] { use_registers(bench.cpu, answered, refused); }};
  bench.cpu.run(program);
  program.start();
  sc_core::sc_start();
  CHECK(program.has_ended());
  CHECK_FALSE(program.fault());
  CHECK(answered + refused == accesses);
  CHECK(std::min(answered, refused) > accesses / 20);
  CHECK(bench.card.answered + bench.card.refused == accesses);
  CHECK(bench.card.refused > 0);
  CHECK(std::memcmp(bench.card.region.begin, bench.card.shadow.data(), region_bytes) == 0);

  CHECK(bench.from_cpu.transfers() == 2 * accesses);
  CHECK(bench.to_card.transfers() < bench.from_cpu.transfers());  // not where no device is
  CHECK(bench.to_card.transfers() >= 2U * static_cast<unsigned>(answered));
  CHECK(bench.from_card.transfers() == accesses);
  CHECK(bench.to_memory.transfers() == accesses);
}
