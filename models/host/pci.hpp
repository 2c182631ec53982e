/// A node's I/O bus with the bridge to its CPUs: one resource, reserved burst by burst, first come, first served. Each
/// burst has an overhead, plus a turnaround if its data flows in the other direction than in the burst before. This
/// limits transfers between main memories to 200 MB/s one way, and to 80 MB/s each way in both (QsNET paper 5.1, 5.2).
///
/// Bus addresses below 2^47 are main memory. Device n has the addresses from (n + 1) << 48 on, and sees offsets from
/// there.
#pragma once

#include <systemc>
#include <tlm>

#include "models/host/settings.hpp"
#include "models/host/target_side.hpp"
#include "models/net/bound.hpp"
#include "platform/core/results.hpp"
#include "platform/core/trace.hpp"

// After <tlm>.
#include <tlm_utils/simple_initiator_socket.h>

namespace sanvp::host {

class MemoryChannel;

class Pci : public sc_core::sc_module {
  static constexpr int any_number = 0;  // of CPUs

 public:
  static constexpr std::uint64_t device_base = std::uint64_t{1} << 48;
  static bool is_device(std::uint64_t address) { return address >= device_base && address < 2 * device_base; }

  /// For CPUs. The delay of a write ends when it reaches the device; the CPU may continue earlier. TLM-2.0 base
  /// protocol, like the other sockets; never waits.
  tlm::tlm_target_socket<64, tlm::tlm_base_protocol_types, any_number> cpus{"cpus"};
  /// For a card as a bus master.
  tlm::tlm_target_socket<64, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND> master{"master"};
  tlm_utils::simple_initiator_socket<Pci, 64> memory{"memory"};
  tlm_utils::simple_initiator_socket_optional<Pci, 64> device{"device"};

  /// @param channel  of the memory, which transfers of the card occupy, too
  /// @param trace    has a row for the bus of this node; null: nothing is drawn
  Pci(const sc_core::sc_module_name& name, const PciSettings& settings, MemoryChannel& channel, Trace* trace, int node);

  void report(StatisticsTable& statistics, const std::string& path) const;

 private:
  /// State of one direction of data.
  struct Direction {
    std::uint64_t transfers = 0;
    Time end{0};        ///< of the last one
    double bursts = 0;  ///< of the last one
    std::uint64_t bytes = 0;
  };

  void from_cpu(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay);
  void from_device(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay);
  unsigned debug_from_device(tlm::tlm_generic_payload& transfer);
  /// @return the delay after which the bus has moved the data
  sc_core::sc_time reserve(Direction& own, Direction& other, unsigned bytes, const sc_core::sc_time& delay);
  double turnarounds(const Direction& own, const Direction& other, double bursts, Time start, Time span) const;
  void draw(const Direction& own, unsigned bytes, Time start);
  Direction& other(const Direction& own) { return &own == &to_device_ ? from_device_ : to_device_; }

  TargetSide<Pci, &Pci::from_cpu> cpu_side_{*this};
  TargetSide<Pci, &Pci::from_device, &Pci::debug_from_device> device_side_{*this};
  net::Bound<decltype(memory)> to_memory_{memory};
  net::Bound<decltype(device)> to_card_{device};
  PciSettings settings_;
  MemoryChannel& channel_;
  Trace* trace_;
  int node_;
  std::optional<Trace::Track> track_{};  ///< once it has moved data
  Time free_{0};
  Direction to_device_, from_device_;
  Time busy_{0};
  Time waited_{0};
  std::uint64_t turnarounds_ = 0;
};

}  // namespace sanvp::host
