/// The order of decisions within an instant (TIMING.md): in which round a flit can be sent, and which decisions of the
/// present instant are final.

#include <algorithm>

#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

/// If credits take no time, a flit may leave in the very instant in which another one leaves the FIFO before it:
/// then its channel decides on it a round later than on what could be sent before (TIMING.md, order within an
/// instant). @return how many rounds later flit n of the VC can be sent at `ps`
int WormFlow::rounds_after(const VirtualChannel& vc, std::int64_t n, std::int64_t ps) const {
  const VcRules& rules = *vc.rules;
  if (!rules.reuses_slots_at_once() || n < rules.buffer) return 0;
  const std::int64_t slot = (n - rules.buffer) / rules.batch * rules.batch + rules.batch - 1;
  if (slot >= vc.freed.end() || vc.freed.search(slot).ps != ps) return 0;
  return rounds_until_free(vc, slot, ps);
}

/// The hop whose flit has the buffer slot, while that matters.
const Hop* WormFlow::hop_in(const VirtualChannel& vc, std::int64_t slot) {
  const Hop* hop = vc.newest;
  while (hop != nullptr && hop->flow.base > slot) hop = hop->flow.ahead;
  return hop;
}

/// Number of the flit of `down`, which the hop feeds, with whose start the slot becomes free.
std::int64_t WormFlow::flit_of_slot(const Hop& hop, const Hop& down, std::int64_t slot) {
  const std::int64_t k = slot - hop.flow.base;
  return down.flow.base + (k < down.strip ? 0 : k - down.strip + down.prepend);
}

/// The round of `ps` in which the buffer slot becomes free. Precondition: it becomes free in that instant.
int WormFlow::rounds_until_free(const VirtualChannel& vc, std::int64_t slot, std::int64_t ps) const {
  const Hop* hop = hop_in(vc, slot);
  if (hop == nullptr) return 0;
  if (hop->flow.drain_from_ps >= 0) return rounds_until_drained(vc, *hop, ps);
  const auto rounds_of = [&](const Hop& down) {
    const std::int64_t m = flit_of_slot(*hop, down, slot);
    const VirtualChannel& next = vc_of(down);
    return m < next.sent.end() && next.sent.search(m).ps == ps ? rounds_after(next, m, ps) : 0;
  };
  int rounds = 0;
  if (hop->down != nullptr) rounds = rounds_of(*hop->down);
  if (hop->fork != nullptr)
    for (const Hop* branch : hop->fork->branches) rounds = std::max(rounds, rounds_of(*branch));
  return rounds + 1;
}

/// The same for a slot of a hop whose far end takes all flits. Arrivals come first, so a flit that arrives frees its
/// slot in round 0, and so do flits that wait in the FIFO when the far end begins to take them; behind another packet,
/// in the round in which that one is through. A NIC begins to take a packet in transit only after all arrivals: a round
/// later.
int WormFlow::rounds_until_drained(const VirtualChannel& vc, const Hop& hop, std::int64_t ps) const {
  if (hop.flow.drain_from_ps != ps) return 0;
  const std::int64_t before = hop.flow.base - 1;
  const bool follows = before >= 0 && vc.freed.search(before).ps == ps;
  const int rounds = follows ? rounds_until_free(vc, before, ps) : 0;
  return rounds + (vc.rules->to_nic && !hop.last ? 1 : 0);
}

/// The earliest instant at which the channel's decisions may still change. Those of the present instant are final as
/// soon as channels have had their turn in it (TIMING.md, order within an instant).
std::int64_t WormFlow::undecided_ps(int index) const {
  const std::int64_t now_ps = queue_.now_ps();
  const bool decided = decided_ps_ == now_ps && std::find(decides_.begin(), decides_.end(), index) == decides_.end();
  return now_ps + (decided ? 1 : 0);
}

bool WormFlow::transmit() {
  decided_ps_ = queue_.now_ps();
  decides_.clear();
  return false;
}

}  // namespace sanvp::net::worm
