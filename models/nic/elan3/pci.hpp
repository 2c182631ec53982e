/// The card as a master of its host's I/O bus. Data moves at the call; the bus says when the transfer is over.
#pragma once

#include <span>
#include <tlm>

#include "models/net/timeline.hpp"
#include "models/nic/elan3/tracks.hpp"

namespace sanvp::nic::elan3 {

class Pci final : private tlm::tlm_bw_transport_if<> {
 public:
  struct Transfer {
    Time done{0};
    bool good = true;  ///< false: nothing answers at that address
  };

  /// @param tracks  where arrows to what it writes begin; null: nowhere
  explicit Pci(tlm::tlm_initiator_socket<64>& bus, Tracks* tracks = nullptr) : bus_(bus), tracks_(tracks) {
    bus_.bind(*this);
  }

  /// One burst that asks for the bus at `at`, not earlier than the kernel's time.
  Transfer read(std::uint64_t address, std::span<std::byte> to, Time at);
  /// @param input  the input channel at whose behest, for the trace; below 0: another's
  Transfer write(std::uint64_t address, std::span<const std::byte> from, Time at, int input = -1);

 private:
  Transfer transfer(tlm::tlm_command command, std::uint64_t address, std::byte* data, std::size_t size, Time at);

  // It blocks, and takes no pointers: there is nothing that the bus could tell it.
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  tlm::tlm_initiator_socket<64>& bus_;
  Tracks* tracks_;
  tlm::tlm_generic_payload payload_;
};

}  // namespace sanvp::nic::elan3
