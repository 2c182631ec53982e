/// A card as a master of its host's I/O bus. Data moves at the call; the bus returns the end of the transfer, as a
/// delay: a target that calls wait() needs a WaitingBus (waiting_bus.hpp).
#pragma once

#include <optional>
#include <span>
#include <tlm>

#include "models/net/bound.hpp"
#include "models/net/timeline.hpp"
#include "platform/core/trace.hpp"

namespace sanvp::nic {

class BusMaster final : private tlm::tlm_bw_transport_if<> {
 public:
  struct Transfer {
    Time done{0};
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    bool good() const { return status > tlm::TLM_INCOMPLETE_RESPONSE; }
  };

  BusMaster(tlm::tlm_initiator_socket<64>& bus, const net::Timeline& timeline) : bus_(bus), timeline_(timeline) {
    bus.bind(*this);
  }

  /// One transfer that requests the bus at `at`, not earlier than the kernel's time.
  Transfer read(std::uint64_t address, std::span<std::byte> to, Time at);
  /// @param cause  start of an arrow in the trace that ends where the written data is used
  Transfer write(std::uint64_t address, std::span<const std::byte> from, Time at,
                 const std::optional<Trace::Point>& cause = {});

 private:
  Transfer transfer(tlm::tlm_command command, std::uint64_t address, std::byte* data, std::size_t size, Time at);

  // Blocking transport without DMI: the backward path is unused.
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  net::Bound<tlm::tlm_initiator_socket<64>> bus_;
  const net::Timeline& timeline_;
  tlm::tlm_generic_payload payload_;
};

}  // namespace sanvp::nic
