/// How flits move: the part of the transport that has two fidelities (flit/ and worm/). Control (which packet may
/// send, which output, when a NIC starts) is in network.hpp and shared by both.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>

#include "models/net/event_queue.hpp"
#include "models/net/hop.hpp"
#include "models/net/wiring.hpp"
#include "platform/core/random.hpp"

namespace sanvp::net {

class Network;

/// Reports a hop's progress to the network: Network::header_at_front, data_arrived and so on.
class Flow {
 public:
  virtual ~Flow() = default;

  /// Prefetches what is known of this virtual channel, which will be wanted in a moment.
  virtual void fetch(int /*channel*/, int /*vc*/) const {}
  /// The hop owns its virtual channel now; its header may start at `earliest`.
  virtual void start(Hop& hop, std::int64_t earliest_ps) = 0;
  /// The far end of the hop consumes its flits from now on (an in-transit NIC, or a dead end).
  virtual void drain(Hop& hop) = 0;
  /// The acknowledgement is back: the source may send the circuit's EOP.
  virtual void acknowledge(Hop& source) = 0;
  /// The hop's storage is about to be reused.
  virtual void forget(Hop& hop) = 0;
  /// Phase 4. @return whether anything changed
  virtual bool transmit() { return false; }
  /// Phase 5.
  virtual void close_instant() {}

  /// Whether no flow control (credits, signals, ends of transmissions) is under way. Its events are background events:
  /// they matter as long as there are packets.
  virtual bool is_quiet() const { return true; }

  /// Flits of a virtual channel that arrived in the buffer at its far end, and had not left it, before this instant.
  /// Only if Wiring::looks_at_queues.
  virtual std::int64_t buffered(int vc) const = 0;

  /// Flits of a hop whose transmission has started by now; in `worm` at most, for a long worm under STOP/GO whose
  /// header is still on its way.
  struct Started {
    std::int64_t flits = 0;
    std::int64_t last_ps = 0;  ///< start of the last one, or long ago
  };
  /// Precondition: the hop owns its virtual channel.
  virtual Started started(const Hop& hop) const = 0;

  /// Whether no packet has any of the channel's VCs, the buffers at its far end are empty, and all credits and signals
  /// are back: since before the present instant. A packet that is to start now does not count.
  virtual bool is_idle(int channel) const = 0;
  /// Channels are going to have the times of another wiring.
  virtual void expect_times(const Wiring& /*other*/) {}
  /// The channel has other times from now on. Precondition: it is idle.
  virtual void adopt_times(const Wiring& /*wiring*/, int /*channel*/) {}

  /// The hop that this one follows in the FIFO at their far end, while flits of that one are there; null: none.
  virtual const Hop* before(const Hop& hop) const = 0;
};

/// VCs are virtual channels, numbered through: channel c has VCs first_vc[c] .. first_vc[c+1]-1.
std::unique_ptr<Flow> make_flit_flow(const Wiring& wiring, const std::vector<int>& first_vc, EventQueue& queue,
                                     Network& network);
std::unique_ptr<Flow> make_worm_flow(const Wiring& wiring, const std::vector<int>& first_vc, EventQueue& queue,
                                     Network& network, std::pmr::memory_resource& memory);

}  // namespace sanvp::net
