/// A *VC*: one virtual channel of one channel, as the worm fidelity sees it: when its flits leave, and when slots of
/// the FIFO at its far end become free.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/net/hop.hpp"
#include "models/net/memory.hpp"
#include "models/net/rules.hpp"
#include "models/net/worm/runs.hpp"

namespace sanvp::net::worm {

/// A channel's rules in picoseconds and flits. VCs with equal rules share them, and so a cache line.
struct VcRules {
  std::int64_t flit_ps = 0;
  std::int64_t tail_ps = 0;
  std::int64_t delay_ps = 0;
  std::int64_t tail_delay_ps = 0;  ///< the same of a tail
  std::int64_t buffer = 0;
  std::int64_t batch = 1;
  std::int64_t credit_ps = 0;  ///< from a slot's being free, or from the start of its token, to the credit's use
  std::int64_t stop = 0;
  std::int64_t go = 0;
  std::int64_t signal_ps = 0;
  bool stop_go = false;
  bool to_nic = false;             ///< what is at the far end
  bool store_and_forward = false;  ///< of the switch at the far end
  bool turns = false;              ///< virtual channels or tokens send on the channel by turns (turns.cpp)
  bool tokens = false;             ///< its credits come as tokens on the reverse channel (tokens.cpp)
  bool hold = false;               ///< ChannelRules::hold
  bool circuits = false;           ///< packets end with an EOP of their own (NicRules::circuit)
  bool unbounded_sink = false;     ///< ends at a NIC whose FIFO never runs full, as it is emptied at once

  std::int64_t longest_delay_ps() const { return std::max(delay_ps, tail_delay_ps); }
  bool has_own_tail_delay() const { return tail_delay_ps != delay_ps; }
  /// Whether a buffer slot can be used again in the instant in which it becomes free.
  bool reuses_slots_at_once() const { return credit_ps == 0 && !unbounded_sink; }

  bool operator==(const VcRules&) const = default;
};

/// What the sender of a VC under STOP/GO knows of the FIFO (stop_go.hpp).
struct StopGoState {
  std::int64_t scan = 0;         ///< first arrival not yet checked against the STOP threshold
  std::int64_t stopped_ps = -1;  ///< a STOP sent at this instant is not yet answered for
  std::int64_t stopped_by = 0;   ///< number of the flit that caused it
  std::int64_t awaited = -1;     ///< departure without which it is not known whether flits may start ...
  std::int64_t binds_ps = 0;     ///< ... from here on
};

/// Each group of members is a cache line.
struct alignas(cache_line) VirtualChannel {
  const VcRules* rules = nullptr;
  Hop* sending = nullptr;    ///< the hop whose flits are being planned
  std::int64_t free_ps = 0;  ///< the next flit may start from here on as far as bandwidth goes
  Hop* front = nullptr;      ///< first hop in the FIFO whose tail's departure is not known
  Hop* newest = nullptr;  ///< last hop that was given numbers; alive where there is a `front` or plans are taken back
  std::int64_t front_left_ps = -1;  ///< of the hop before `front`: its tail left the FIFO ...
  std::int64_t front_over_ps = -1;  ///< ... and that flit's transmission ended
  StopGoState* signals = nullptr;   ///< if its flow control is STOP/GO

  Runs sent;  ///< start of each flit's transmission

  Runs freed;  ///< departure of each flit from the FIFO
};
static_assert(sizeof(VirtualChannel) == 3 * cache_line);

/// When turns of a VC are over.
struct TurnEnds {
  std::int64_t over_ps = long_ago;         ///< the last one
  std::int64_t before_over_ps = long_ago;  ///< the same, before the hop that is being planned
};

}  // namespace sanvp::net::worm
