/// Main memory as the card's units access it: over the I/O bus; a read also takes the time of its answer.
#pragma once

#include <span>

#include "models/nic/card/bus_master.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::tofu {

class HostMemory {
 public:
  struct Rules {
    Time read_latency{0};
    static Rules read(const Parameters& parameters) {
      return {.read_latency = parameters.time(
                  "read_latency", 235ns, "of a read of main memory by the card, beside the transfer",
                  "calibrated: a descriptor in main memory costs 240 ns more than a direct one (code R: Tofu "
                  "puts of 1.15 and 0.91 us)")};
    }
  };

  HostMemory(const Rules& rules, tlm::tlm_initiator_socket<64>& bus, const net::Timeline& timeline)
      : rules_(rules), bus_(bus, timeline) {}

  /// A read requested at `at`. Reads are pipelined.
  BusMaster::Transfer read(std::uint64_t address, std::span<std::byte> to, Time at) {
    BusMaster::Transfer transfer = bus_.read(address, to, at);
    transfer.done += rules_.read_latency;
    return transfer;
  }
  template <class T>
  BusMaster::Transfer load(std::uint64_t address, T& value, Time at) {
    return read(address, std::as_writable_bytes(std::span{&value, 1}), at);
  }
  BusMaster::Transfer write(std::uint64_t address, std::span<const std::byte> from, Time at,
                            const std::optional<Trace::Point>& cause = {}) {
    return bus_.write(address, from, at, cause);
  }

 private:
  Rules rules_;
  BusMaster bus_;
};

}  // namespace sanvp::nic::tofu
