/// The end of a circuit: its EOP goes lane by lane after the data, once these have been acknowledged.

#include <algorithm>

#include "models/net/worm/planning.hpp"
#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

void WormFlow::acknowledge(Leg& source) {
  source.limit = source.length;
  if (const Lane& lane = lane_of(source); lane.rules->turns)  // its channel has been planned without the EOP
    unsee(source);
  Leg* leg = &source;
  while (leg != nullptr && plan_eop(lane_of(*leg), *leg)) leg = leg->down;
  if (leg != nullptr && lane_of(*leg).sending == leg) work_.push_back(&lane_of(*leg));  // as any other flits
  spread();
}

/// Plans what is left of the leg where that is the EOP alone, which gives way to no other data. @return false if
/// nothing has been planned
bool WormFlow::plan_eop(Lane& lane, Leg& leg) {
  const std::int64_t n = lane.sent.end();
  if (lane.sending != &leg || !lane.rules->hold || n != leg.base + leg.data_length) return false;
  lane.free_ps = std::max(lane.free_ps, queue_.now_ps());
  const Run supplied = supply(leg, n - leg.base);
  if (supplied.count <= 0) return false;
  const Run placed = credit(lane, n, supplied);
  if (placed.count <= 0) return false;
  const Run eop{std::max({lane.free_ps, supplied.ps, placed.ps}), lane.pace_ps, 1};
  send(lane, leg, eop);
  if (leg.fork != nullptr || leg.reinjected) {
    advanced(lane, leg, n);
    return true;
  }
  if (leg.up != nullptr) {
    if (leg.leaves == nullptr) hand_departures_on(lane, leg, n);
    look_again_at(lane_of(*leg.up));
  }
  if (leg.drain_from_ps >= 0) free_places(lane, leg);
  advanced_to_end(lane, leg, n);
  forget_past(lane, leg);
  return true;
}

}  // namespace sanvp::net::worm
