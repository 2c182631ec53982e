/// Long worms under STOP/GO: the header goes ahead. A worm that its VCs cannot hold has its tail still at the source
/// when its header arrives, and until then nothing depends on its other flits. Then it is planned from the far end
/// back: each VC knows, to the tail, when its buffer slots become free, and so finds all its STOPs and GOs in one
/// pass.

#include <algorithm>

#include "models/net/worm/planning.hpp"
#include "models/net/worm/stop_go.hpp"
#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

/// Begins a hop of a worm that one VC cannot hold.
void WormFlow::go_ahead(Hop& hop) {
  if (may_go_ahead(hop))
    hop.flow.limit = 1;
  else if (hop.up != nullptr && is_ahead(*hop.up))
    catch_up(*hop.up);
}

bool WormFlow::may_go_ahead(const Hop& hop) const {
  if (hop.up != nullptr && !hop.reinjected) return is_ahead(*hop.up) && hop.flow.leaves != nullptr;
  if (hop.packet->route.relation != nullptr) return false;  // its way is not known yet
  const auto vcs = static_cast<std::int64_t>(hop.packet->route.steps.size()) - hop.step + 1;
  if (hop.length <= vcs * most_held_) return false;
  if (hop.up == nullptr) return true;
  // By the time the flits are planned their arrivals may have been forgotten: none may be late.
  const Run arrivals = supply(hop, 0);
  return arrivals.count == hop.length && arrivals.period <= vc_of(hop).rules->flit_ps;
}

/// The header has reached a far end that takes everything: its flits follow.
void WormFlow::follow(Hop& last) {
  if (plan_back_from(last)) return;
  for (std::size_t i = 0; i < chain_.size(); ++i) {
    Hop& hop = *chain_[i];
    VirtualChannel& vc = vc_of(hop);
    vc.sent.cut(hop.flow.base + 1);
    if (hop.flow.drain_from_ps >= 0) vc.freed.cut(hop.flow.base + 1);
    if (hop.flow.leaves != nullptr) hop.flow.leaves->cut(hop.up->flow.base + 1);
    *vc.signals = known_[i];
    hop.flow.limit = 1;
  }
  catch_up(last);
}

/// Plans a worm to its tail as if no flit were late in coming to its VC. @return false if one is: try otherwise
bool WormFlow::plan_back_from(Hop& last) {
  chain_.clear();
  known_.clear();
  for (Hop* hop = &last; hop != nullptr && is_ahead(*hop); hop = hop->up) {
    VirtualChannel& vc = vc_of(*hop);
    chain_.push_back(hop);
    known_.push_back(*vc.signals);
    if (!plan_whole(vc, *hop)) return false;
    if (hop != &last && !is_supplied(*hop->down)) return false;
  }
  for (std::size_t i = chain_.size(); i-- > 0;) {
    VirtualChannel& vc = vc_of(*chain_[i]);
    advanced_to_end(vc, *chain_[i], chain_[i]->flow.base + 1);
    forget_past(vc, *chain_[i]);
  }
  return true;
}

/// @return false if the end of a STOP is not known, or if one is sent where flits are taken as they come
bool WormFlow::plan_whole(VirtualChannel& vc, Hop& hop) {
  go_on(vc, hop);
  const std::int64_t end = hop.flow.base + hop.length;
  if (hop.flow.drain_from_ps >= 0) {
    send(vc, hop, {vc.free_ps, vc.rules->flit_ps, end - vc.sent.end()});
    free_slots(vc, hop);
    flits_before_stop(vc, {});
    return vc.signals->stopped_ps < 0 && vc.signals->scan == end;
  }
  while (vc.sent.end() < end) {
    const Run rest{vc.free_ps, vc.rules->flit_ps, end - vc.sent.end()};
    if (!send_until_stop(vc, hop, rest)) return false;
  }
  return true;
}

/// Whether the hop's flits are there when they are sent, given that all of them and of the previous hop are planned.
bool WormFlow::is_supplied(const Hop& hop) const {
  const VirtualChannel& vc = vc_of(hop);
  const VirtualChannel& up_vc = vc_of(*hop.up);
  for (std::int64_t k = 0; k < hop.length;) {
    Run there = up_vc.sent.search(hop.up->flow.base + k);
    there.ps += up_vc.rules->delay_ps;
    const Run sent = vc.sent.search(hop.flow.base + k);
    const std::int64_t count = std::min(there.count, sent.count);
    if (first_later(there, sent, count) < count) return false;
    k += count;
  }
  return true;
}

/// A worm whose header was planned alone: its past is planned now, its future like that of any other worm.
void WormFlow::catch_up(Hop& last) {
  chain_.clear();
  for (Hop* hop = &last; hop != nullptr && is_ahead(*hop); hop = hop->up) {
    chain_.push_back(hop);
    go_on(vc_of(*hop), *hop);
    look_again_at(vc_of(*hop));
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t i = chain_.size(); i-- > 0;)
      if (VirtualChannel& vc = vc_of(*chain_[i]); vc.free_ps < queue_.now_ps()) progress |= plan(vc, *chain_[i]);
  }
}

/// The flits behind the header may be planned, from where it left them.
void WormFlow::go_on(VirtualChannel& vc, Hop& hop) {
  hop.flow.limit = hop.length;
  if (vc.sent.end() > hop.flow.base) vc.free_ps = vc.sent.last_ps() + vc.rules->flit_ps;
}

}  // namespace sanvp::net::worm
