/// A packet is one object from its generation to its delivery; flits are counts, never objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "models/net/memory.hpp"
#include "platform/core/time.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::net {

/// What every hop reads is in the first cache line.
struct alignas(cache_line) Packet {
  topologies::Route route;
  int source = 0;       ///< host
  int destination = 0;  ///< host (the first one of a broadcast)
  int flits = 1;        ///< length on the injection channel, header included, without a circuit's EOP
  int priority = 0;     ///< higher is served first
  int parts_alive = 0;  ///< the network's own: hops not yet returned to its pool
  int branches = 1;     ///< deliveries still to come

  std::uint64_t id = 0;  ///< in order of creation within a network
  Time generated{0};
  Time injected = never;   ///< the NIC took it to send
  Time delivered = never;  ///< its last (data) flit arrived; for a broadcast the last of all
  /// Hardware broadcast: after the last step of `route`, each switch copies the packet to this range of its ports
  /// {first, how many}; null for a packet with one destination.
  std::function<std::pair<int, int>(int switch_)> descend;
  std::shared_ptr<std::vector<std::byte>> payload;  ///< travels with the packet; null where only time matters
  void* cookie = nullptr;                           ///< the sender's own
  std::int64_t tag = 0;                             ///< the sender's own

  /// A bit error on the way, as the receiver's CRC check reports it: at delivery to one host, of its copy, which has a
  /// wrong bit then; afterwards, of any copy.
  bool corrupt = false;
  bool marked = false;     ///< a switch on its way was congested (TIMING.md, "Marks")
  bool lost = false;       ///< no working output, cut by a failing channel, or dropped by a full pool
  bool abandoned = false;  ///< its sender waits for it no more (Network::abandon)

  /// The destination's answer to a packet that holds its circuit (QsNET paper 2.2.1), once it has come back to the
  /// source. The codes are the NIC model's own: 0 is good; for a broadcast the highest of all branches counts.
  int acknowledgement = 0;
  std::uint64_t reply = 0;  ///< a word that came back with it
};

/// Notifies a NIC model of its packets. Each call comes at the instant at which it happens.
class Endpoint {
 public:
  virtual void injected(Packet&) {}
  /// The packet's last data flit has arrived at `host`. The packet object is reused once its last hop is gone.
  virtual void delivered(Packet& packet, int host) = 0;
  /// The acknowledgement of its circuit has come back to the source; the EOP follows.
  virtual void acknowledged(Packet&) {}
  /// For a receiver that answers itself: the EOP has come, and with it the answer that the source got: this host's,
  /// combined with those of all others for a broadcast (Packet::acknowledgement, lost).
  virtual void closed(Packet&) {}
  /// The sender's side is done: the tail has left (a circuit is closed) and the slot is free.
  virtual void sent(Packet&) {}
  /// Whether `sent` is needed: else it may be no event. Asked once (Network::attach).
  virtual bool hears_sent() const { return true; }
  /// An in-transit packet has been detected at `host`. For a NIC that says itself when it may be sent on.
  virtual void in_transit(Packet&, int /*host*/) {}
  /// The packet met no working output and was discarded on the way, or a channel that it was on has failed.
  virtual void lost(Packet&) {}

 protected:
  ~Endpoint() = default;
};

}  // namespace sanvp::net
