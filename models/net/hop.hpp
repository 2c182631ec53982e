/// A hop is one worm's stay on one channel: from the grant of a virtual channel to the moment its last flit has left
/// the FIFO at the far end. A packet's way through the network is a chain of hops (a tree, when it is broadcast).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/net/memory.hpp"
#include "models/net/packet.hpp"

namespace sanvp::net {

struct Hop;
struct FlitCounts;
namespace worm {
class Runs;
}

/// Marks the planned instant of something that has happened.
constexpr std::int64_t happened = -2;

/// A switch's replication of a packet.
struct Fork {
  std::uint32_t count = 0;     ///< number of output ports
  std::vector<Hop*> branches;  ///< the hops that have begun
  std::int32_t acks = 0;       ///< of a circuit's branches, so far
  std::int64_t ack_ps = 0;
};

/// Instants of the network's events: -1 if they are not known, `happened` afterwards. The flow knows them ahead, and
/// may take them back (Network::handle).
struct HopDue {
  std::int64_t request_ps = -1;  ///< the header requests an output of the switch at the far end
  std::int64_t release_ps = -1;  ///< the tail's transmission ends
  std::int64_t front_ps = -1;    ///< the header is at the front of the buffer at the far end
  std::int64_t arrival_ps = -1;  ///< the last data flit is at the NIC that keeps the packet
  std::int64_t drained_ps = -1;  ///< the far end has consumed all flits
};

/// What only the flow reads and writes: how far the hop's flits are, or are planned.
struct HopFlow {
  std::int64_t base = 0;   ///< number of the header among the flits of the virtual channel
  std::int64_t limit = 0;  ///< flits that may be sent, or planned, for now (an EOP waits for the acknowledgement)
  std::int64_t own_tail_ps = -1;    ///< when the tail starts on this hop
  std::int64_t drain_from_ps = -1;  ///< the far end consumes flits from then on, instead of forwarding them
  std::int64_t earliest_ps = 0;     ///< the header may start: grant + setup

  Hop* ahead = nullptr;              ///< the hop before this one in the same buffer, while that is not through
  Hop* behind = nullptr;             ///< the hop after it
  worm::Runs* leaves = nullptr;      ///< worm: departures from the buffer before, if they are just this hop's flits
  FlitCounts* flits = nullptr;       ///< flit: how far the hop has come
  std::int64_t tail_left_ps = -1;    ///< when the last flit leaves the buffer at the far end
  std::int64_t tail_over_ps = -1;    ///< when that flit's transmission ends
  std::int64_t before_left_ps = -1;  ///< VC::front_left_ps and front_over_ps before this hop was through
  std::int64_t before_over_ps = -1;
};

/// The hop itself: its place in the packet's way, and what the network and its observers keep of it. In four cache
/// lines: the way; `due` and times; times and the plan; the rest of the plan.
struct alignas(cache_line) Hop {
  Packet* packet = nullptr;
  Hop* up = nullptr;    ///< the hop that feeds this one; null at the source NIC
  Hop* down = nullptr;  ///< the hop it feeds, if it feeds one only
  std::int32_t channel = -1;
  std::int32_t vc = 0;
  std::int32_t vc_index = -1;      ///< channel's first VC + vc
  std::uint32_t serial = 0;        ///< of this use of the storage: it identifies stale events
  std::int32_t step = 0;           ///< index of the routing step that the next switch will take
  std::int32_t length = 1;         ///< flits that this hop carries, a circuit's EOP included
  std::int32_t data_length = 1;    ///< without the EOP
  std::int32_t open_branches = 1;  ///< hops that it feeds and that are not yet through
  std::uint8_t strip = 0;          ///< flits of `up` that this hop does not forward
  std::uint8_t prepend = 0;        ///< flits of this hop that `up` does not carry
  std::int8_t loose_ends = 2;      ///< events still to come before the storage can be used again
  bool owner = true;               ///< of its virtual channel; until it is released
  bool last = false;               ///< it ends at the NIC that keeps the packet
  bool reinjected = false;         ///< it starts at an in-transit NIC; `up` ends there
  bool discarded : 1 = false;      ///< no way on: its flits are taken out of the buffer as they arrive
  bool emptied : 1 = false;        ///< its tail has left the buffer at the far end (of exclusive virtual channels)
  bool cut : 1 = false;            ///< a channel failed that it, or a hop before it, was on: what arrives is spoilt
  bool quiet = false;              ///< its release is known, and no event will say so (Network::tail_over)

  HopDue due;
  std::int64_t granted_ps = 0;
  std::int64_t requested_ps = -1;  ///< the header asked the switch for this channel; -1 at a NIC
  double intact = 1;               ///< probability that no bit was hit so far

  std::int64_t header_start_ps = -1;
  std::int64_t header_arrival_ps = -1;
  std::unique_ptr<Fork> fork;  ///< if it feeds several hops
  HopFlow flow;
};
static_assert(sizeof(Hop) == 4 * cache_line);

}  // namespace sanvp::net
