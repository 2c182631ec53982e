/// The card as a master of its host's I/O bus, with arrows in its trace to the data that it writes.
#pragma once

#include <span>

#include "models/nic/card/bus_master.hpp"
#include "models/nic/elan3/tracks.hpp"

namespace sanvp::nic::elan3 {

class Pci final {
 public:
  using Transfer = BusMaster::Transfer;

  /// @param tracks  where arrows to what it writes begin; null: no arrows
  Pci(tlm::tlm_initiator_socket<64>& bus, const net::Timeline& timeline, Tracks* tracks = nullptr)
      : bus_(bus, timeline), tracks_(tracks) {}

  /// One burst that requests the bus at `at`, not earlier than the kernel's time.
  Transfer read(std::uint64_t address, std::span<std::byte> to, Time at) { return bus_.read(address, to, at); }
  /// @param input  the input channel that requests it, for the trace; below 0: another unit
  Transfer write(std::uint64_t address, std::span<const std::byte> from, Time at, int input = -1) {
    std::optional<Trace::Point> cause;
    if (input >= 0 && tracks_ != nullptr) cause = tracks_->point(inputter_of(input), at);
    return bus_.write(address, from, at, cause);
  }

 private:
  BusMaster bus_;
  Tracks* tracks_;
};

}  // namespace sanvp::nic::elan3
