/// The sending side of a NIC: its queue, its slots for packets in progress, and the in-transit packets it passes on.
/// TIMING.md, "NIC" and "In-transit re-injection". State only; network_walk.cpp and network_in_transit.cpp
/// act on it.
#pragma once

#include <cstdint>

#include "models/net/fifo.hpp"
#include "models/net/hop.hpp"
#include "models/net/packet.hpp"

namespace sanvp::net {

struct NicPort {
  struct InTransit {
    Hop* arriving = nullptr;
    std::int64_t ready_ps = 0;  ///< detection + reprogramming of the send DMA
  };

  /// A packet whose tail is leaving quietly: no event marks the end.
  struct Leaving {
    std::int64_t ps = 0;
    int vc = 0;
  };

  Endpoint* endpoint = nullptr;
  bool hears_sent = false;  ///< Endpoint::hears_sent
  Fifo<Packet*> queue;
  Fifo<InTransit> in_transit;    ///< from detection on; ahead of the queue
  Fifo<Hop*> pool_waiting;       ///< headers that the full pool keeps in the input FIFO
  std::int64_t pool_used = 0;    ///< flits; more than the pool where some have spilled to the host's memory
  std::int64_t pool_most = 0;    ///< at once, since Network::clear_statistics
  std::int64_t spilled = 0;      ///< packets, since Network::clear_statistics
  std::vector<Hop*> unanswered;  ///< circuits that end here and wait for this NIC's acknowledgement
  Fifo<Leaving> leaving;         ///< they keep their slot and virtual channel until the NIC looks
  int busy_slots = 0;
  std::uint32_t owned = 0;     ///< virtual channels of the injection channel, a bit each
  int next_vc = 0;             ///< the one after that granted last
  std::int64_t ready_ps = 0;   ///< the gap has passed; `never` while that is not known
  std::int64_t timer_ps = -1;  ///< of the last timer that was set because packets wait

  bool has_waiting() const { return !queue.empty() || !in_transit.empty(); }
};

}  // namespace sanvp::net
