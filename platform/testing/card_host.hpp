/// A stub of a host for tests of cards: a CPU that stores and loads, memory behind a bus of known cost, and the
/// interrupt line. A derived class plays the driver.
#pragma once

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/net/immediate_target.hpp"
#include "models/net/module.hpp"
#include "models/net/transfer_answer.hpp"
#include "models/nic/module.hpp"

namespace sanvp::testing {

class CardHost : public sc_core::sc_module, public nic::InterruptLine {
 public:
  /// A transfer of the card as bus master.
  struct Transfer {
    Time at;  ///< when it requested the bus
    std::uint64_t address;
    std::size_t bytes;
    bool write;
    bool operator==(const Transfer&) const = default;
  };
  static constexpr std::size_t memory_bytes = 4 << 20;
  static constexpr Time bus_latency = 100ns;
  static constexpr Time bus_byte = 5ns;  // 200 MB/s

  tlm::tlm_initiator_socket<64> card{"card"};
  tlm::tlm_target_socket<64> bus{"bus"};
  std::vector<Transfer> transfers;
  std::vector<std::byte> memory = std::vector<std::byte>(memory_bytes);
  /// The memory calls wait() for its time instead of returning it as a delay (CardBench::Options).
  bool memory_waits = false;
  /// Notifies `written` with each transfer that the card writes.
  bool tells_writes = false;
  sc_core::sc_event written{"written"};
  /// What an access of the CPU takes; 0: no time passes, and delays that the card returns do not count.
  Time access_time{0};
  /// How far the CPU runs ahead of the kernel (temporal decoupling), if accesses take time.
  Time quantum{0};

  explicit CardHost(const sc_core::sc_module_name& name) : sc_module(name) {
    card.bind(initiator_);
    bus.bind(target_);
    SANVP_HAS_PROCESS(CardHost);
    SC_THREAD(run);
    SC_THREAD(serve_interrupts);
  }

  void write32(int window, std::uint64_t offset, std::uint32_t value) {
    access(tlm::TLM_WRITE_COMMAND, window, offset, &value, sizeof value);
  }
  std::uint32_t read32(int window, std::uint64_t offset) {
    std::uint32_t value = 0;
    access(tlm::TLM_READ_COMMAND, window, offset, &value, sizeof value);
    return value;
  }
  static void wait_until(Time at) {
    if (at > net::kernel_now()) sc_core::wait(net::to_sc_time(at - net::kernel_now()));
  }
  /// The CPU's own time.
  Time now() const { return net::kernel_now() + ahead_; }
  /// Lets the kernel come to the CPU's own time.
  void synchronise() { wait_until(net::kernel_now() + std::exchange(ahead_, Time{0})); }

 protected:
  /// An access by the CPU. Throws std::runtime_error with the card's reason if it refuses it.
  void access(tlm::tlm_command command, int window, std::uint64_t offset, void* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    fill(payload, command, window, offset, data, bytes);
    net::TransferAnswer answer;
    const net::WithAnswer with_answer(payload, answer);
    sc_core::sc_time delay = net::to_sc_time(ahead_ + access_time);
    card->b_transport(payload, delay);
    check(payload, window, answer.refusal);
    if (access_time == Time{0}) return;
    ahead_ = net::to_time(delay);
    if (ahead_ > quantum) synchronise();
  }
  /// Accesses the memory of window 0 without taking time.
  void access_at_once(tlm::tlm_command command, std::uint64_t offset, void* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    fill(payload, command, 0, offset, data, bytes);
    card->transport_dbg(payload);
    check(payload, 0, {});
  }

 private:
  static void fill(tlm::tlm_generic_payload& payload, tlm::tlm_command command, int window, std::uint64_t offset,
                   void* data, unsigned bytes) {
    constexpr int window_shift = 32;  // models/nic/module.hpp
    payload.set_command(command);
    payload.set_address(static_cast<std::uint64_t>(window) << window_shift | offset);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
  }
  static void check(const tlm::tlm_generic_payload& payload, int window, const std::string& refusal) {
    if (!payload.is_response_ok())
      throw std::runtime_error("the card refuses an access to window " + std::to_string(window) +
                               (refusal.empty() ? "" : ": " + refusal));
  }

  /// The CPU's program, in a thread of the kernel, and its interrupt handler.
  virtual void run() = 0;
  virtual void interrupted() {}
  void serve_interrupts() {
    for (;;) {
      wait(raised_);
      interrupted();
    }
  }

  struct Initiator final : tlm::tlm_bw_transport_if<> {
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
      return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  };
  struct Target final : net::ImmediateTarget {
    explicit Target(CardHost& owner) : host(owner) {}
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
      host.serve(payload, delay);
    }
    CardHost& host;
  };

  void set(bool raised, const sc_core::sc_time& delay) override {
    if (raised) raised_.notify(delay);
  }

  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const Time at = net::kernel_now() + net::to_time(delay);
    const std::uint64_t address = payload.get_address();
    const std::size_t bytes = payload.get_data_length();
    transfers.push_back({at, address, bytes, payload.is_write()});
    if (address > memory.size() || bytes > memory.size() - address) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    bus_free_ = std::max(bus_free_, at) + bus_latency + static_cast<std::int64_t>(bytes) * bus_byte;
    if (memory_waits)
      wait_until(bus_free_);
    else
      delay += net::to_sc_time(bus_free_ - at);
    if (payload.is_write() && tells_writes) written.notify(sc_core::SC_ZERO_TIME);
    if (payload.is_write())
      std::memcpy(memory.data() + address, payload.get_data_ptr(), bytes);
    else
      std::memcpy(payload.get_data_ptr(), memory.data() + address, bytes);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  Initiator initiator_;
  Target target_{*this};
  sc_core::sc_event raised_{"raised"};
  Time bus_free_{0};
  Time ahead_{0};
};

}  // namespace sanvp::testing
