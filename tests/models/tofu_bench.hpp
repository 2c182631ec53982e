/// Tofu controllers on the paper's network of 36, each in a stub of a host: memory behind a bus whose every transfer
/// takes the same, and a program that does what driver and library would.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/nic/module.hpp"
#include "models/nic/part.hpp"
#include "models/nic/tofu/registers.h"
#include "platform/machine/machine.hpp"

namespace sanvp::test {

class TofuHost : public sc_core::sc_module {
 public:
  static constexpr Time bus = 100ns;  ///< of every transfer, however many there are
  static constexpr std::uint32_t entries = 4;
  /// Where the stub's driver puts things in memory.
  static constexpr std::uint64_t queues = 0x1000, gates = 0x10000, steering = 0x20000, pages = 0x30000,
                                 orders = 0x31000, tcq = 0x32000, mrq = 0x33000, done = 0x34000, data = 0x40000,
                                 data_bytes = 0x10000;
  static constexpr std::uint32_t tag = 5;

  struct Write {
    Time at;  ///< asked for the bus
    std::uint64_t address;
  };

  tlm::tlm_initiator_socket<64> card{"card"};
  tlm::tlm_target_socket<64> bus_side{"bus_side"};
  std::function<void(TofuHost&)> program;
  std::vector<Write> writes;
  std::vector<std::byte> memory = std::vector<std::byte>(1 << 20);

  explicit TofuHost(const sc_core::sc_module_name& name) : sc_module(name) {
    card.bind(initiator_);
    bus_side.bind(target_);
    SANVP_HAS_PROCESS(TofuHost);
    SC_THREAD(run);
  }

  template <class T>
  T load(std::uint64_t address) const {
    T value{};
    std::memcpy(&value, memory.data() + address, sizeof value);
    return value;
  }
  template <class T>
  void store(std::uint64_t address, const T& value) {
    std::memcpy(memory.data() + address, &value, sizeof value);
  }

  // ---- what a driver does ----
  /// Queue 0 of each TNI is open; `data` is registered there by `tag`.
  void boot() {
    write(TOFU_BAR_REGISTERS, TOFU_REG_QUEUES_LOW, static_cast<std::uint32_t>(queues));
    write(TOFU_BAR_REGISTERS, TOFU_REG_GATES_LOW, static_cast<std::uint32_t>(gates));
    store(pages, data);
    store(steering + tag * sizeof(tofu_steering),
          tofu_steering{.pages = pages, .bytes = data_bytes, .flags = 0, .reserved = 0});
    const tofu_queue queue{.orders = orders,
                           .tcq = tcq,
                           .mrq = mrq,
                           .steering = steering,
                           .order_entries = entries,
                           .tcq_entries = entries,
                           .mrq_entries = entries,
                           .reserved = 0};
    store(queues, queue);
    write(TOFU_BAR_REGISTERS, TOFU_REG_LOAD_QUEUE, 0U);
  }
  void wire(std::uint32_t gate, const tofu_gate& wired) {
    store(gates + gate * sizeof wired, wired);
    write(TOFU_BAR_REGISTERS, TOFU_REG_LOAD_GATE, gate);
  }

  // ---- what a library does ----
  void give(const tofu_order& order) { write(TOFU_BAR_QUEUES, TOFU_PAGE_DIRECT, order); }
  static void wait_until(Time at) {
    if (at > net::kernel_now()) sc_core::wait(net::to_sc_time(at - net::kernel_now()));
  }
  template <class T>
  void write(int window, std::uint64_t offset, const T& value) {
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(std::uint64_t(window) << 32 | offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(const_cast<T*>(&value)));
    payload.set_data_length(sizeof value);
    payload.set_streaming_width(sizeof value);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    card->b_transport(payload, delay);
    if (!payload.is_response_ok())
      throw std::runtime_error("the card refuses a store to window " + std::to_string(window));
  }

  tofu_mrq_entry arrived(std::uint32_t number) const {
    return load<tofu_mrq_entry>(mrq + number % entries * sizeof(tofu_mrq_entry));
  }
  tofu_tcq_entry left(std::uint32_t number) const {
    return load<tofu_tcq_entry>(tcq + number % entries * sizeof(tofu_tcq_entry));
  }
  /// When the card asked for the bus to write there, the `nth` time from 0.
  Time written(std::uint64_t address, int nth = 0) const {
    for (const Write& write : writes)
      if (write.address == address && nth-- == 0) return write.at;
    return never;
  }

 private:
  struct Initiator final : tlm::tlm_bw_transport_if<> {
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
      return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  };
  struct Target final : tlm::tlm_fw_transport_if<> {
    explicit Target(TofuHost& owner) : host(owner) {}
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
      host.serve(payload, delay);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
      return tlm::TLM_COMPLETED;
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
    TofuHost& host;
  };

  void run() {
    boot();
    if (program) program(*this);
  }
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    if (address + payload.get_data_length() > memory.size()) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    if (payload.is_write()) {
      writes.push_back({net::kernel_now() + net::to_time(delay), address});
      std::memcpy(memory.data() + address, payload.get_data_ptr(), payload.get_data_length());
    } else {
      std::memcpy(payload.get_data_ptr(), memory.data() + address, payload.get_data_length());
    }
    delay += net::to_sc_time(bus);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  Initiator initiator_;
  Target target_{*this};
};

/// `hosts` controllers; the others' places are empty.
class TofuBench {
 public:
  explicit TofuBench(int hosts = 2, std::vector<std::string> settings = {})
      : machine({.name = "tofu-36", .settings = std::move(settings)}),
        network("network", timeline, machine.wiring(), net::Fidelity::worm, 1) {
    for (int i = 0; i < hosts; ++i) {
      hosts_.push_back(std::make_unique<TofuHost>(("host_" + std::to_string(i)).c_str()));
      cards_.push_back(
          machine.nic().make_module(("card_" + std::to_string(i)).c_str(), {.host = i,
                                                                            .graph = machine.graph(),
                                                                            .routing = machine.routing(),
                                                                            .timeline = timeline,
                                                                            .flit_time = machine.flit_time_in(i),
                                                                            .firmware_folder = {}}));
      cards_[i]->network.bind(network.host[i]);
      cards_[i]->bus.bind(hosts_[i]->bus_side);
      hosts_[i]->card.bind(cards_[i]->registers);
    }
  }

  TofuHost& operator[](int host) { return *hosts_[host]; }
  void run() {
    sc_core::sc_start();
    timeline.rethrow();
  }

  Machine machine;
  net::Timeline timeline{"timeline"};
  net::Fabric network;

 private:
  std::vector<std::unique_ptr<TofuHost>> hosts_;
  std::vector<std::unique_ptr<nic::NicModule>> cards_;
};

}  // namespace sanvp::test
