/// The end of a circuit: its EOP goes lane by lane after the data, once these have been acknowledged.

#include <algorithm>

#include "models/net/worm/planning.hpp"
#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

void WormFlow::acknowledge(Hop& source) {
  source.flow.limit = source.length;
  if (const Lane& lane = lane_of(source); lane.rules->turns)  // its channel has been planned without the EOP
    unsee(source);
  Hop* hop = &source;
  while (hop != nullptr && plan_eop(lane_of(*hop), *hop)) hop = hop->down;
  if (hop != nullptr && lane_of(*hop).sending == hop) work_.push_back(&lane_of(*hop));  // as any other flits
  replan();
}

/// Plans what is left of the hop where that is the EOP alone, which gives way to no other data. @return false if
/// nothing has been planned
bool WormFlow::plan_eop(Lane& lane, Hop& hop) {
  const std::int64_t n = lane.sent.end();
  if (lane.sending != &hop || !lane.rules->hold || n != hop.flow.base + hop.data_length) return false;
  lane.free_ps = std::max(lane.free_ps, queue_.now_ps());
  const Run supplied = supply(hop, n - hop.flow.base);
  if (supplied.count <= 0) return false;
  const Run credited = credit(lane, n, supplied);
  if (credited.count <= 0) return false;
  const Run eop{std::max({lane.free_ps, supplied.ps, credited.ps}), lane.interval_ps, 1};
  send(lane, hop, eop);
  if (hop.fork != nullptr || hop.reinjected) {
    advanced(lane, hop, n);
    return true;
  }
  if (hop.up != nullptr) {
    if (hop.flow.leaves == nullptr) hand_departures_on(lane, hop, n);
    look_again_at(lane_of(*hop.up));
  }
  if (hop.flow.drain_from_ps >= 0) free_slots(lane, hop);
  advanced_to_end(lane, hop, n);
  forget_past(lane, hop);
  return true;
}

}  // namespace sanvp::net::worm
