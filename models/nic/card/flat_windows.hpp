/// A card's windows in a flat range of addresses, for a platform's bus of any width:
///
///   nic::FlatWindows<32> windows("windows", *card, 0x40000000);
///   bus.bind(windows.target);
///   driver.registers = windows.base(E3_BAR_REGISTERS);
///
/// The windows follow each other in order, each at a multiple of its size rounded up to a power of two, as PCI places
/// them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/nic/module.hpp"

namespace sanvp::nic {

template <unsigned bus_bits = 64>
class FlatWindows : public sc_core::sc_module, private tlm::tlm_fw_transport_if<>, private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_target_socket<bus_bits> target{"target"};

  /// Binds the card's socket `registers`. @param first  address of the first window, or of the next multiple of its
  /// size
  FlatWindows(const sc_core::sc_module_name& name, NicModule& card, std::uint64_t first = 0) : sc_module(name) {
    std::uint64_t free = first;
    for (const std::uint64_t bytes : card.windows()) {
      const std::uint64_t room = std::bit_ceil(std::max<std::uint64_t>(bytes, 1));
      windows_.push_back({(free + room - 1) / room * room, bytes});
      if (bytes > 0) free = windows_.back().base + bytes;
    }
    end_ = free;
    target.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
    card_.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
    card_.bind(card.registers);
  }

  /// Address of a window.
  std::uint64_t base(std::size_t window) const { return windows_.at(window).base; }
  /// The address after the last window.
  std::uint64_t end() const { return end_; }

 private:
  struct Range {
    std::uint64_t base, bytes;
  };
  static constexpr int window_shift = 32;  // models/nic/module.hpp

  /// The card's own address.
  std::optional<std::uint64_t> inside(std::uint64_t address) const {
    for (std::size_t i = 0; i < windows_.size(); ++i)
      if (address >= windows_[i].base && address - windows_[i].base < windows_[i].bytes)
        return std::uint64_t{i} << window_shift | (address - windows_[i].base);
    return std::nullopt;
  }
  std::uint64_t outside(std::uint64_t address) const {
    return windows_.at(address >> window_shift).base + static_cast<std::uint32_t>(address);
  }

  /// Calls with the card's own address, if there is one.
  template <class Call>
  bool translated(tlm::tlm_generic_payload& payload, Call call) {
    const std::uint64_t address = payload.get_address();
    const std::optional<std::uint64_t> own = inside(address);
    if (!own) return false;
    payload.set_address(*own);
    call();
    payload.set_address(address);
    return true;
  }

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    if (!translated(payload, [&] { card_->b_transport(payload, delay); }))
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    tlm::tlm_sync_enum answer = tlm::TLM_COMPLETED;
    if (!translated(payload, [&] { answer = card_->nb_transport_fw(payload, phase, delay); }))
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return answer;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    unsigned moved = 0;
    translated(payload, [&] { moved = card_->transport_dbg(payload); });
    return moved;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override {
    bool granted = false;
    const bool exists = translated(payload, [&] { granted = card_->get_direct_mem_ptr(payload, dmi); });
    dmi.set_start_address(exists ? outside(dmi.get_start_address()) : payload.get_address());
    dmi.set_end_address(exists ? outside(dmi.get_end_address()) : payload.get_address());
    return granted;
  }

  // The card answers within the call, and takes nothing back.
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& /*payload*/, tlm::tlm_phase& /*phase*/,
                                     sc_core::sc_time& /*delay*/) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
    target->invalidate_direct_mem_ptr(outside(start), outside(end));
  }

  tlm::tlm_initiator_socket<64> card_{"card"};
  std::vector<Range> windows_;
  std::uint64_t end_ = 0;
};

}  // namespace sanvp::nic
