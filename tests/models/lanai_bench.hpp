/// LANai cards on a Myrinet, each in a stub of a host: memory behind a bus of known cost, and a list of steps for the
/// card's processor (tests/images/lanai_steps.c), whose interrupts say when it has got how far.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/nic/lanai/registers.h"
#include "models/nic/module.hpp"
#include "models/nic/part.hpp"
#include "platform/machine/machine.hpp"
#include "tests/images/lanai_steps.h"

namespace sanvp::test {

/// lanai_step, with zeros for what is not given.
struct Step {
  lanai_step_kind kind = STEP_END;
  std::uint32_t a = 0, b = 0, c = 0;
};
static_assert(sizeof(Step) == sizeof(lanai_step));

class LanaiHost : public sc_core::sc_module, public nic::InterruptLine {
 public:
  static constexpr Time bus_latency = 100ns;
  static constexpr Time bus_byte = 5ns;  // 200 MB/s

  tlm::tlm_initiator_socket<64> card{"card"};
  tlm::tlm_target_socket<64> bus{"bus"};
  std::vector<std::byte> memory = std::vector<std::byte>(1 << 20);
  std::vector<Step> steps;
  int program = 0;                ///< number of the card's
  std::vector<Time> bursts;       ///< when each asked for the bus
  std::map<unsigned, Time> told;  ///< by STEP_TELL's cause

  explicit LanaiHost(const sc_core::sc_module_name& name) : sc_module(name) {
    card.bind(initiator_);
    bus.bind(target_);
    SANVP_HAS_PROCESS(LanaiHost);
    SC_THREAD(run);
  }

  void write_sram(std::uint32_t address, const void* from, std::size_t bytes) {
    access(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(from), bytes, true);
  }
  template <class T>
  T read_sram(std::uint32_t address) {
    T value{};
    access(tlm::TLM_READ_COMMAND, address, &value, sizeof value, true);
    return value;
  }
  void write_register(lanai_register offset, std::uint32_t value) {
    access(tlm::TLM_WRITE_COMMAND, std::uint64_t{LANAI_BAR_REGISTERS} << 32 | offset, &value, sizeof value, false);
  }

 private:
  struct Initiator final : tlm::tlm_bw_transport_if<> {
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
      return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  };
  struct Target final : tlm::tlm_fw_transport_if<> {
    explicit Target(LanaiHost& owner) : host(owner) {}
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
      const Time at = net::kernel_now() + net::to_time(delay);
      host.bursts.push_back(at);
      std::byte* place = host.memory.data() + payload.get_address();
      const std::size_t bytes = payload.get_data_length();
      payload.is_write() ? std::memcpy(place, payload.get_data_ptr(), bytes)
                         : std::memcpy(payload.get_data_ptr(), place, bytes);
      host.bus_free_ = std::max(host.bus_free_, at) + bus_latency + static_cast<std::int64_t>(bytes) * bus_byte;
      delay += net::to_sc_time(host.bus_free_ - at);
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
      return tlm::TLM_COMPLETED;
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
    LanaiHost& host;
  };

  /// All processors start in one instant.
  void run() {
    write_register(LANAI_REG_INTERRUPT_MASK, LANAI_INT_PROGRAM | LANAI_INT_CRASH);
    if (steps.empty()) return;
    write_sram(LANAI_STEPS, steps.data(), steps.size() * sizeof(Step));
    write_register(LANAI_REG_START, static_cast<std::uint32_t>(program));
  }
  /// The line is told of the first cause alone: each is taken away as it comes.
  void set(bool raised, const sc_core::sc_time& delay) override {
    if (!raised) return;
    std::uint32_t causes = 0;
    access(tlm::TLM_READ_COMMAND, std::uint64_t{LANAI_BAR_REGISTERS} << 32 | LANAI_REG_INTERRUPT, &causes,
           sizeof causes, false);
    for (unsigned cause = 0; cause < 16; ++cause)
      if ((causes >> (16 + cause) & 1U) != 0 && !told.contains(cause))
        told[cause] = net::kernel_now() + net::to_time(delay);
    access(tlm::TLM_WRITE_COMMAND, std::uint64_t{LANAI_BAR_REGISTERS} << 32 | LANAI_REG_INTERRUPT, &causes,
           sizeof causes, false, delay);
  }
  void access(tlm::tlm_command command, std::uint64_t address, void* data, std::size_t bytes, bool debug,
              sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(static_cast<unsigned>(bytes));
    payload.set_streaming_width(static_cast<unsigned>(bytes));
    if (debug)
      card->transport_dbg(payload);
    else
      card->b_transport(payload, delay);
    if (!payload.is_response_ok()) throw std::runtime_error("the card refuses an access");
  }

  Initiator initiator_;
  Target target_{*this};
  Time bus_free_{0};
};

/// The hosts of the first switch of a Myrinet, with cards whose clock has 10 ns.
class LanaiBench {
 public:
  static constexpr Time cycle = 10ns;
  static constexpr int hosts = 3;

  explicit LanaiBench(std::vector<std::string> settings = {})
      : machine({.name = "myrinet-8", .settings = with(std::move(settings))}),
        network("network", timeline, forwarding(machine.wiring()), net::Fidelity::worm, 1) {
    for (int i = 0; i < hosts; ++i) {
      hosts_.push_back(std::make_unique<LanaiHost>(("host_" + std::to_string(i)).c_str()));
      cards_.push_back(
          machine.nic().make_module(("card_" + std::to_string(i)).c_str(), {.host = i,
                                                                            .graph = machine.graph(),
                                                                            .routing = machine.routing(),
                                                                            .timeline = timeline,
                                                                            .flit_time = machine.flit_time_in(i),
                                                                            .firmware_folder = SANVP_SW}));
      cards_[i]->network.bind(network.host[i]);
      cards_[i]->bus.bind(hosts_[i]->bus);
      cards_[i]->interrupt.bind(*hosts_[i]);
      hosts_[i]->card.bind(cards_[i]->registers);
      hosts_[i]->program = cards_[i]->load_firmware("tests/lanai_steps");
    }
  }

  LanaiHost& operator[](int host) { return *hosts_[host]; }
  nic::NicModule& card(int host) { return *cards_[host]; }
  /// The port of the first switch that leads to a host, as a byte of a route.
  std::uint8_t to(int host) const {
    return static_cast<std::uint8_t>(LANAI_ROUTE_PORT | machine.graph().peer(topologies::End::host(host)).port);
  }
  void run() {
    sc_core::sc_start();
    timeline.rethrow();
  }

  net::Timeline timeline{"timeline"};
  Machine machine;
  net::Fabric network;

 private:
  static std::vector<std::string> with(std::vector<std::string> settings) {
    settings.emplace_back("nic.lanai.cycle=10ns");
    return settings;
  }
  static net::Wiring forwarding(net::Wiring wiring) {
    for (auto& nic : wiring.nics) nic.rules.forwards = true;
    return wiring;
  }

  std::vector<std::unique_ptr<LanaiHost>> hosts_;
  std::vector<std::unique_ptr<nic::NicModule>> cards_;
};

}  // namespace sanvp::test
