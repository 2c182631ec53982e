/// A DMA machine between SRAM and the host's memory: SDMA (host -> SRAM) or RDMA (SRAM -> host). One transfer at a
/// time, in bursts, so that the other machine and the CPUs can use the bus in between.
#pragma once

#include <string>

#include "models/nic/card/bus_master.hpp"
#include "models/nic/card/queues.hpp"
#include "models/nic/lanai/counters.hpp"
#include "models/nic/lanai/events.hpp"
#include "models/nic/lanai/sram.hpp"
#include "models/nic/lanai/tracks.hpp"
#include "platform/core/time.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::nic::lanai {

class HostDma {
 public:
  enum class Direction : std::uint8_t { to_sram, to_host };
  struct Rules {
    Time start{0};
    std::size_t burst = 1;
    static Rules read(const Parameters& parameters);
  };
  struct Neighbours {
    net::Clock& clock;
    Sram& sram;
    BusMaster& bus;
    Events& events;
    Counters& counters;
    Tracks& tracks;
  };

  HostDma(Direction direction, const Rules& rules, const Neighbours& neighbours)
      : direction_(direction), rules_(rules), at_(neighbours), work_(neighbours.clock) {}

  /// Moves `sram.size()` bytes between SRAM and bus address `host`; raises the machine's event at the end.
  /// Precondition: not busy.
  void start(std::uint64_t host, std::span<std::byte> sram);
  bool busy() const { return busy_; }
  QueueEntry entry(const char* name) const {
    return QueueEntry().add("dma", name).add_address("host", host_).add("bytes", sram_.size());
  }
  /// Bus address of the last burst without an answer; 0: none.
  std::uint64_t failed_at() const { return failed_at_; }

  net::Task<> run();

 private:
  lanai_event event() const { return direction_ == Direction::to_sram ? LANAI_EVENT_SDMA : LANAI_EVENT_RDMA; }

  Direction direction_;
  Rules rules_;
  Neighbours at_;
  net::Condition work_;
  bool busy_ = false;
  std::uint64_t host_ = 0;
  std::span<std::byte> sram_;
  std::uint64_t failed_at_ = 0;
};

}  // namespace sanvp::nic::lanai
