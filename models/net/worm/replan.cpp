/// The re-planner. When more becomes known of a VC, or less, every plan that follows from it is made again:
///
///   replan       works through the VCs and worms of which more is known, until nothing is left to do
///   extend       plans a VC on from where its plan ends
///   run_to_tail  plans a worm to its tail, once its header has reached a far end that takes everything:
///   leap         in one step, whatever its length, where all its VCs run steadily
///   retract      takes back what is no longer known:
///     retract_flits      of the VC's flits, with the arrivals that followed on the VCs behind
///     retract_slots      of the buffer slots that would have become free, with the flits of the VC before
///     retract_front      that the header is at the front of its buffer
///     retract_departure  that the tail leaves its buffer
///
/// What is retracted goes back to the list of VCs, and so is planned again.

#include <algorithm>

#include "models/net/network.hpp"
#include "models/net/worm/planning.hpp"
#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

// ---- More is known.

void WormFlow::replan() {
  while (!work_.empty() || !arriving_.empty() || !carriers_.empty()) {
    if (!carriers_.empty()) {
      const int carrier = carriers_.back();
      carriers_.pop_back();
      take_turns(carrier);
    } else if (!arriving_.empty()) {
      Hop* hop = arriving_.back();
      arriving_.pop_back();
      run_to_tail(*hop);
    } else {
      VirtualChannel* vc = work_.back();
      work_.pop_back();
      extend(*vc);
    }
  }
}

/// More may be known of what a VC waits for.
void WormFlow::extend(VirtualChannel& vc) {
  if (vc.sending == nullptr) return;
  if (vc.rules->stop_go && is_full(vc)) return;
  if (Hop& hop = *vc.sending; vc.rules->hold && plan_eop(vc, hop)) {
    if (hop.down != nullptr) look_again_at(vc_of(*hop.down));
    return;
  }
  if (vc.rules->turns) {
    const int channel = vc.sending->channel;
    if (!is_planned_far(channels_[static_cast<std::size_t>(channel)], *vc.rules)) take_turns(channel);
    return;
  }
  // What was not known before now does not happen before now; old arrivals and slots may have been forgotten.
  vc.free_ps = std::max(vc.free_ps, queue_.now_ps());
  plan(vc, *vc.sending);
}

/// The worm has reached a far end that takes everything: buffer by buffer it is now planned to its tail, and leaps
/// there as soon as all its VCs run steadily.
void WormFlow::run_to_tail(Hop& last) {
  VirtualChannel& vc = vc_of(last);
  if (is_ahead(last)) follow(last);
  const auto extends = [this](Hop& hop) {
    VirtualChannel& at = vc_of(hop);
    const std::int64_t before = at.sent.end();
    extend(at);
    return at.sent.end() > before;
  };
  // A circuit's EOP comes alone, when all data have been delivered.
  while (vc.sending == &last && vc.sent.end() < last.flow.base + last.data_length && !leap(last)) {
    const std::int64_t known = vc.sent.end();
    bool progress = false;
    for (Hop* hop = &last; hop != nullptr && vc_of(*hop).sending == hop; hop = hop->up) progress |= extends(*hop);
    for (std::size_t i = chain_.size(); i-- > 0;) progress |= extends(*chain_[i]);
    if (!progress && vc.sent.end() == known) break;
  }
}

// ---- The leap.

/// Plans the worm to its tail at the period of its slowest VC. @return false if not all of its VCs can
bool WormFlow::leap(Hop& last) {
  if (!tokens_.empty()) return false;
  chain_.clear();
  for (Hop* hop = &last; hop != nullptr && vc_of(*hop).sending == hop; hop = hop->up) {
    if (hop->fork != nullptr) return false;
    chain_.push_back(hop);
  }
  const Hop* head = chain_.back();
  // The EOP of a circuit comes later, and a tail that arrives after a time of its own is not supplied on the line of
  // the others: run on to the flit before.
  std::int64_t held_back = head->up == nullptr ? head->length - head->flow.limit : 0;
  std::int64_t period = 0;
  for (const Hop* hop : chain_) {
    const VirtualChannel& vc = vc_of(*hop);
    if (hop->up != nullptr && vc_of(*hop->up).rules->has_own_tail_delay())
      held_back = std::max<std::int64_t>(held_back, 1);
    period = std::max({period, vc.rules->flit_ps, vc.sent.end() - hop->flow.base > 1 ? vc.sent.last_period() : 0});
  }
  // VCs that have been stopped are those near the source: they fail the check first.
  for (std::size_t i = chain_.size(); i-- > 0;) {
    const Hop* down = i == 0 ? nullptr : chain_[i - 1];
    const bool reinjected = down != nullptr && down->reinjected;
    if (!can_run_on(*chain_[i], reinjected ? nullptr : down, period)) return false;
  }
  // Taken before any flits are planned: those of one VC may change the plans of another.
  more_.clear();
  for (const Hop* hop : chain_) more_.push_back(hop->flow.base + hop->length - vc_of(*hop).sent.end() - held_back);
  for (std::size_t i = chain_.size(); i-- > 0;) {
    VirtualChannel& vc = vc_of(*chain_[i]);
    const std::int64_t from = vc.sent.end();
    if (more_[i] <= 0) continue;
    send(vc, *chain_[i], {vc.sent.last_ps() + period, period, more_[i]});
    vc.free_ps = vc.sent.last_ps() + vc.rules->flit_ps;
    if (vc.rules->turns) record_turn(vc, *chain_[i]);
    if (vc.rules->stop_go) vc.signals->scan = vc.sent.end();
    advanced(vc, *chain_[i], from);
  }
  if (held_back > 0)
    for (const Hop* hop : chain_) look_again_at(vc_of(*hop));
  return true;
}

/// Whether flits from the hop's next one on follow each other at `period` for good, given that the VCs before and
/// behind do so too: no constraint is later than that line, and at least one is on it (so that it is not too slow).
/// @param down  the hop that takes the flits on, or null if the far end consumes them
bool WormFlow::can_run_on(const Hop& hop, const Hop* down, std::int64_t period) const {
  const VirtualChannel& vc = vc_of(hop);
  const std::int64_t n = vc.sent.end();
  if (vc.sending != &hop || n == hop.flow.base || period < vc.rules->flit_ps) return false;
  if (vc.rules->turns && !may_run_on(hop, period)) return false;
  const Line line{n, vc.sent.last_ps() + period, period};
  if (vc.free_ps > line.ps || queue_.now_ps() > line.ps) return false;

  bool is_exact = period == vc.rules->flit_ps;
  if (hop.up != nullptr) {
    if (n - hop.flow.base < hop.prepend) return false;
    const Fit supply = fit_of_supply(hop, line);
    if (supply == Fit::late) return false;
    is_exact |= supply == Fit::exact;
  }
  if (vc.rules->unbounded_sink) return is_exact;
  const Fit slots = fit_of_slots(hop, down, line);
  return slots == Fit::exact || (slots == Fit::early && is_exact);
}

/// What is known of the supply must not be late; the rest follows the supplier's own line.
Fit WormFlow::fit_of_supply(const Hop& hop, const Line& line) const {
  const VirtualChannel& up = vc_of(*hop.up);
  const std::int64_t shift = hop.up->flow.base + hop.strip - hop.prepend - hop.flow.base;
  Fit fit = Fit::exact;
  if (line.n + shift < up.sent.end()) {
    const Run known = up.sent.from(line.n + shift);
    if (line.n + shift + known.count != up.sent.end()) return Fit::late;  // several runs are not steady
    fit = compare(known, line.n, -up.rules->delay_ps, line);
  }
  if (fit == Fit::late || up.sending != hop.up) return fit;
  const std::int64_t next_ps = up.sent.last_ps() + line.period + up.rules->delay_ps;
  return both(fit, compare(next_ps, line.at(up.sent.end() - shift)));
}

/// Buffer slots that are known to be free must be early enough; the rest become free on the line of the next VC.
Fit WormFlow::fit_of_slots(const Hop& hop, const Hop* down, const Line& line) const {
  const VirtualChannel& vc = vc_of(hop);
  const VcRules& rules = *vc.rules;
  // Flit m needs slot m - lag, `slack` after the flit at the latest.
  const std::int64_t lag = rules.stop_go ? rules.stop : rules.buffer - (rules.batch - 1);
  const std::int64_t slack = rules.stop_go ? rules.delay_ps : -rules.credit_ps;
  std::int64_t unseen = line.n;
  if (rules.stop_go) {
    if (vc.signals->stopped_ps >= 0) return Fit::late;
    if (vc.signals->scan < line.n) {
      // Arrivals not yet checked against STOP, because the departures they depend on are not known: if they are on the
      // line, they are checked with the rest.
      const Run waiting = vc.sent.from(vc.signals->scan);
      if (waiting.count != line.n - vc.signals->scan || (waiting.count > 1 && waiting.period != line.period))
        return Fit::late;
      unseen = vc.signals->scan;
    }
  }
  // The first flits of a VC wait for no slot, so slots do not show that the line is not too slow for them.
  const bool all_wait = !rules.stop_go && rules.batch == 1 && line.n >= lag;
  Fit fit = all_wait ? Fit::exact : Fit::early;
  for (std::int64_t m = std::max(unseen, lag); m - lag < vc.freed.end();) {
    const Run slots = vc.freed.from(m - lag);
    fit = both(fit, compare(slots, m, slack, line));
    if (fit == Fit::late) return fit;
    m += slots.count;
  }
  std::int64_t next_ps = line.ps + rules.delay_ps;
  std::int64_t next_slot = line.n;
  if (down != nullptr) {
    const VirtualChannel& next = vc_of(*down);
    next_ps = next.sent.last_ps() + line.period;
    next_slot = hop.flow.base + (next.sent.end() - down->flow.base) + down->strip - down->prepend;
  }
  const Fit next = compare(next_ps, line.at(next_slot + lag) + slack);
  return both(fit, next == Fit::exact && next_slot + lag < line.n ? Fit::early : next);
}

// ---- Less is known.

/// Discards the plan of the VC's flits from n on, which are all in the future.
void WormFlow::retract(VirtualChannel& vc, std::int64_t n) {
  if (n > vc.sent.end() || (n == vc.sent.end() && vc.sending == nullptr)) return;
  if (!vc.rules->turns) return retract_flits(vc, n);
  // Whatever its next flit will be, others have been planned with what it was.
  const Hop& hop = *vc.newest;
  n = std::max(n, hop.flow.base);
  unsee(hop);
  if (n == vc.sent.end()) return;
  const std::int64_t first_ps = vc.sent.search(n).ps;
  retract_flits(vc, n);
  if (!vc.rules->hold || n != hop.flow.base + hop.data_length) retract_turns(hop.channel, first_ps);
}

/// Takes back the flits from n on, and what follows from them: on the VCs behind, where they would have arrived, and
/// on those before, where their slots would have become free.
void WormFlow::retract_flits(VirtualChannel& vc, std::int64_t n) {
  if (n >= vc.sent.end()) return;
  Hop& hop = *vc.newest;
  n = std::max(n, hop.flow.base);
  const bool had_tail = vc.sent.end() == hop.flow.base + hop.length;
  vc.sent.cut(n);
  if (vc.rules->turns) retract_record(vc, hop, n);
  vc.sending = &hop;
  vc.free_ps = n > hop.flow.base ? vc.sent.last_ps() + vc.rules->flit_ps : hop.flow.earliest_ps;
  if (n == hop.flow.base) {
    hop.header_start_ps = hop.header_arrival_ps = -1;
    retract_front(vc, hop);
  }
  if (n < hop.flow.base + hop.data_length) {
    hop.due.arrival_ps = -1;
    if (hop.up == nullptr) network_.data_over(hop, -1);
  }
  if (had_tail) {
    hop.due.release_ps = hop.flow.own_tail_ps = hop.due.drained_ps = -1;
    if (vc.rules->store_and_forward) retract_front(vc, hop);  // the header waits for the tail
    if (hop.up != nullptr && !hop.reinjected) retract_departure(*hop.up);
    if (hop.flow.drain_from_ps >= 0) retract_departure(hop);
  }
  if (hop.up != nullptr && !hop.reinjected) {
    VirtualChannel& up_vc = vc_of(*hop.up);
    // What the switch removes has left with the first flit.
    const std::int64_t left =
        n == hop.flow.base ? 0 : std::max<std::int64_t>(n - hop.flow.base - hop.prepend, 0) + hop.strip;
    retract_slots(up_vc, hop.up->flow.base + left);
  }
  if (hop.flow.drain_from_ps >= 0) {
    retract_slots(vc, n);
    if (hop.last) arriving_.push_back(&hop);
  }
  const auto cut_supply = [&](Hop& down) {
    retract(vc_of(down), down.flow.base + std::max<std::int64_t>(n - hop.flow.base - down.strip, 0) + down.prepend);
  };
  if (hop.down != nullptr) cut_supply(*hop.down);
  if (hop.fork != nullptr)
    for (Hop* branch : hop.fork->branches) cut_supply(*branch);
  work_.push_back(&vc);
}

/// Slots from n on are not known to become free any more.
void WormFlow::retract_slots(VirtualChannel& vc, std::int64_t n) {
  if (vc.rules->unbounded_sink || n >= vc.freed.end()) return;
  vc.freed.cut(n);
  if (vc.rules->tokens) return retract_tokens_of(vc);
  retract(vc, vc.freed.end() / vc.rules->batch * vc.rules->batch + vc.rules->buffer);
}

/// The hop's header is not known to reach the front any more.
void WormFlow::retract_front(VirtualChannel& vc, Hop& hop) {
  hop.due.front_ps = hop.due.request_ps = -1;
  if (!hop.last || hop.flow.drain_from_ps < 0) return;
  hop.flow.drain_from_ps = -1;
  hop.due.arrival_ps = hop.due.drained_ps = -1;
  retract_departure(hop);
  retract_slots(vc, hop.flow.base);
}

/// The hop's tail is not known to leave its FIFO any more, so the hop behind is not at the front.
void WormFlow::retract_departure(Hop& hop) {
  if (hop.flow.tail_left_ps < 0) return;
  hop.flow.tail_left_ps = hop.flow.tail_over_ps = -1;
  VirtualChannel& vc = vc_of(hop);
  if (hop.flow.behind != nullptr) retract_front(vc, *hop.flow.behind);
  vc.front = &hop;
  vc.front_left_ps = hop.flow.before_left_ps;
  vc.front_over_ps = hop.flow.before_over_ps;
}

}  // namespace sanvp::net::worm
