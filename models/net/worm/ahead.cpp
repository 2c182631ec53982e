/// Long worms under STOP/GO: the header goes ahead. A worm that its lanes cannot hold has its tail still at the source
/// when its header arrives, and until then nobody asks for its flits. Then it is planned from the far end back: each
/// lane knows, to the tail, when its places become free, and so finds all its STOPs and GOs in one go.

#include <algorithm>

#include "models/net/worm/planning.hpp"
#include "models/net/worm/stop_go.hpp"
#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

/// A leg begins of a worm that one lane cannot hold.
void WormFlow::go_ahead(Leg& leg) {
  if (may_go_ahead(leg))
    leg.limit = 1;
  else if (leg.up != nullptr && is_ahead(*leg.up))
    catch_up(*leg.up);
}

bool WormFlow::may_go_ahead(const Leg& leg) const {
  if (leg.up != nullptr && !leg.reinjected) return is_ahead(*leg.up) && leg.leaves != nullptr;
  const auto lanes = static_cast<std::int64_t>(leg.packet->route.steps.size()) - leg.step + 1;
  if (leg.length <= lanes * most_held_) return false;
  if (leg.up == nullptr) return true;
  // By the time the flits are planned their arrivals may have been forgotten: none may be late.
  const Run arrivals = supply(leg, 0);
  return arrivals.count == leg.length && arrivals.period <= lane_of(leg).pace_ps;
}

/// The header has reached a far end that takes everything: its flits follow.
void WormFlow::follow(Leg& last) {
  if (plan_back_from(last)) return;
  for (std::size_t i = 0; i < chain_.size(); ++i) {
    Leg& leg = *chain_[i];
    Lane& lane = lane_of(leg);
    lane.sent.cut(leg.base + 1);
    if (leg.drain_from_ps >= 0) lane.freed.cut(leg.base + 1);
    if (leg.leaves != nullptr) leg.leaves->cut(leg.up->base + 1);
    lane.signals = known_[i];
    leg.limit = 1;
  }
  catch_up(last);
}

/// Plans a worm to its tail as if no flit were late in coming to its lane. @return false if one is: try otherwise
bool WormFlow::plan_back_from(Leg& last) {
  chain_.clear();
  known_.clear();
  for (Leg* leg = &last; leg != nullptr && is_ahead(*leg); leg = leg->up) {
    Lane& lane = lane_of(*leg);
    chain_.push_back(leg);
    known_.push_back(lane.signals);
    if (!plan_whole(lane, *leg)) return false;
    if (leg != &last && !is_supplied(*leg->down)) return false;
  }
  for (std::size_t i = chain_.size(); i-- > 0;) {
    Lane& lane = lane_of(*chain_[i]);
    advanced_to_end(lane, *chain_[i], chain_[i]->base + 1);
    forget_past(lane, *chain_[i]);
  }
  return true;
}

/// @return false if the end of a STOP is not known, or if one is sent where flits are taken as they come
bool WormFlow::plan_whole(Lane& lane, Leg& leg) {
  go_on(lane, leg);
  const std::int64_t end = leg.base + leg.length;
  if (leg.drain_from_ps >= 0) {
    send(lane, leg, {lane.free_ps, lane.pace_ps, end - lane.sent.end()});
    free_places(lane, leg);
    flits_before_stop(lane, {});
    return lane.signals.stopped_ps < 0 && lane.signals.scan == end;
  }
  while (lane.sent.end() < end) {
    const Run rest{lane.free_ps, lane.pace_ps, end - lane.sent.end()};
    if (!send_until_stop(lane, leg, rest)) return false;
  }
  return true;
}

/// Whether the leg's flits are there when they are sent, all being planned as are those of the leg before.
bool WormFlow::is_supplied(const Leg& leg) const {
  const Lane& lane = lane_of(leg);
  const Lane& up_lane = lane_of(*leg.up);
  for (std::int64_t k = 0; k < leg.length;) {
    Run there = up_lane.sent.search(leg.up->base + k);
    there.ps += up_lane.rules->delay_ps;
    const Run sent = lane.sent.search(leg.base + k);
    const std::int64_t count = std::min(there.count, sent.count);
    if (first_later(there, sent, count) < count) return false;
    k += count;
  }
  return true;
}

/// What is past of a worm whose header was planned alone is planned now; what is to come, as that of any other worm.
void WormFlow::catch_up(Leg& last) {
  chain_.clear();
  for (Leg* leg = &last; leg != nullptr && is_ahead(*leg); leg = leg->up) {
    chain_.push_back(leg);
    go_on(lane_of(*leg), *leg);
    look_again_at(lane_of(*leg));
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t i = chain_.size(); i-- > 0;)
      if (Lane& lane = lane_of(*chain_[i]); lane.free_ps < queue_.now_ps()) progress |= plan(lane, *chain_[i]);
  }
}

/// The flits behind the header may be planned, from where it left them.
void WormFlow::go_on(Lane& lane, Leg& leg) {
  leg.limit = leg.length;
  if (lane.sent.end() > leg.base) lane.free_ps = lane.sent.last_ps() + lane.pace_ps;
}

}  // namespace sanvp::net::worm
