/// The leap: a worm whose head has arrived and whose lanes run steadily is planned to its tail at once.

#include <algorithm>

#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

/// The worm has reached a far end that takes everything. Buffer by buffer it is now planned to its tail, in one leap as
/// soon as all its lanes run steadily.
void WormFlow::rush(Hop& last) {
  Lane& lane = lane_of(last);
  if (is_ahead(last)) follow(last);
  // A circuit's EOP comes alone, when all data have been delivered.
  while (lane.sending == &last && lane.sent.end() < last.flow.base + last.data_length && !jump(last)) {
    const std::int64_t known = lane.sent.end();
    bool progress = false;
    for (Hop* hop = &last; hop != nullptr; hop = hop->up) {
      Lane& at = lane_of(*hop);
      if (at.sending != hop) break;
      const std::int64_t before = at.sent.end();
      extend(at);
      progress |= at.sent.end() > before;
    }
    for (std::size_t i = chain_.size(); i-- > 0;) {
      Lane& at = lane_of(*chain_[i]);
      const std::int64_t before = at.sent.end();
      extend(at);
      progress |= at.sent.end() > before;
    }
    if (!progress && lane.sent.end() == known) break;
  }
}

/// Whether flits from the hop's next one on follow each other at `period` for good, given that the lanes before and
/// behind do so too: no constraint is later than that line, and at least one is on it (so that it is not too slow).
/// `more` comes out as how many flits that is.
bool WormFlow::can_run_on(const Hop& hop, const Hop* down, std::int64_t period, std::int64_t& more) const {
  const Lane& lane = lane_of(hop);
  const std::int64_t n = lane.sent.end();
  if (lane.sending != &hop || n == hop.flow.base || period < lane.pace_ps) return false;
  if (lane.rules->turns && !may_run_on(hop, period)) return false;
  const std::int64_t line_ps = lane.sent.last_ps() + period;  // flit n, were it sent on the line
  if (lane.free_ps > line_ps || queue_.now_ps() > line_ps) return false;
  const auto on_line = [&](std::int64_t m) { return line_ps + (m - n) * period; };
  bool tight = period == lane.pace_ps;

  if (hop.up != nullptr) {
    const Lane& up = lane_of(*hop.up);
    const std::int64_t shift = hop.up->flow.base + hop.strip - hop.prepend - hop.flow.base;
    if (n - hop.flow.base < hop.prepend) return false;
    // What is known of the supply must not be late; the rest follows the supplier's own line.
    bool tight_supply = true;
    if (n + shift < up.sent.end()) {
      const Run known = up.sent.from(n + shift);
      tight_supply = known.ps + up.rules->delay_ps == line_ps && (known.count == 1 || known.period == period);
      if (n + shift + known.count != up.sent.end()) return false;
      if (known.ps + up.rules->delay_ps > line_ps) return false;
      if (known.last() + up.rules->delay_ps > on_line(n + known.count - 1)) return false;
    }
    if (up.sending == hop.up) {
      const std::int64_t next_up = up.sent.last_ps() + period;
      if (next_up + up.rules->delay_ps > on_line(up.sent.end() - shift)) return false;
      tight_supply &= next_up + up.rules->delay_ps == on_line(up.sent.end() - shift);
    }
    tight |= tight_supply;
  }
  more = hop.flow.base + hop.length - n;

  if (lane.rules->roomy) return tight;
  // Places: those known to be free must be early enough; the rest become free on the next lane's line.
  const std::int64_t lag = lane.rules->stop_go ? lane.rules->stop : lane.rules->buffer - (lane.rules->batch - 1);
  const std::int64_t slack =
      lane.rules->stop_go ? lane.rules->delay_ps : -lane.rules->credit_ps;  // place(m - lag) <= flit(m) + slack
  std::int64_t unseen = n;
  if (lane.rules->stop_go) {
    if (lane.signals.stopped_ps >= 0) return false;
    if (lane.signals.scan < n) {
      // Arrivals not yet checked against STOP, because the departures they depend on are not known: if they are on the
      // line, they are checked with the rest.
      const Run waiting = lane.sent.from(lane.signals.scan);
      if (waiting.count != n - lane.signals.scan || (waiting.count > 1 && waiting.period != period)) return false;
      unseen = lane.signals.scan;
    }
  }
  bool tight_places = !lane.rules->stop_go && lane.rules->batch == 1;
  for (std::int64_t m = std::max(unseen, lag); m - lag < lane.freed.end();) {
    const Run places = lane.freed.from(m - lag);
    tight_places &= places.ps == on_line(m) + slack && (places.count == 1 || places.period == period);
    if (places.ps > on_line(m) + slack) return false;
    if (places.last() > on_line(m + places.count - 1) + slack) return false;
    m += places.count;
  }
  std::int64_t next_free_ps = 0;
  std::int64_t next_free = lane.freed.end();
  if (down != nullptr) {
    const Lane& next = lane_of(*down);
    next_free_ps = next.sent.last_ps() + period;
    next_free = hop.flow.base + (next.sent.end() - down->flow.base) + down->strip - down->prepend;
  } else {
    next_free_ps = line_ps + lane.rules->delay_ps;
    next_free = n;
  }
  if (next_free_ps > on_line(next_free + lag) + slack) return false;
  tight_places &= next_free + lag >= n && next_free_ps == on_line(next_free + lag) + slack;
  return tight || tight_places;
}

bool WormFlow::jump(Hop& last) {
  chain_.clear();
  for (Hop* hop = &last; hop != nullptr; hop = hop->up) {
    if (lane_of(*hop).sending != hop) break;
    if (hop->fork != nullptr) return false;
    chain_.push_back(hop);
  }
  const Hop* head = chain_.back();
  // The EOP of a circuit comes later, and a tail that arrives after a time of its own is not supplied on the line of
  // the others: run on to the flit before.
  std::int64_t held_back = head->up == nullptr ? head->length - head->flow.limit : 0;
  std::int64_t period = 0;
  for (const Hop* hop : chain_) {
    const Lane& lane = lane_of(*hop);
    if (hop->up != nullptr && lane_of(*hop->up).rules->has_own_tail_delay())
      held_back = std::max<std::int64_t>(held_back, 1);
    period = std::max({period, lane.pace_ps, lane.sent.end() - hop->flow.base > 1 ? lane.sent.last_period() : 0});
  }
  more_.resize(chain_.size());
  // Lanes that have been stopped are those near the source: they are the first to say no.
  for (std::size_t i = chain_.size(); i-- > 0;) {
    const Hop* down = i == 0 ? nullptr : chain_[i - 1];
    const bool reinjected = down != nullptr && down->reinjected;
    if (!can_run_on(*chain_[i], reinjected ? nullptr : down, period, more_[i])) return false;
    more_[i] -= held_back;
  }
  for (std::size_t i = chain_.size(); i-- > 0;) {
    Lane& lane = lane_of(*chain_[i]);
    const std::int64_t from = lane.sent.end();
    if (more_[i] <= 0) continue;
    send(lane, *chain_[i], {lane.sent.last_ps() + period, period, more_[i]});
    lane.free_ps = lane.sent.last_ps() + lane.pace_ps;
    if (lane.rules->turns) has_turn_until(lane, *chain_[i]);
    if (lane.rules->stop_go) lane.signals.scan = lane.sent.end();
    advanced(lane, *chain_[i], from);
  }
  if (held_back > 0)
    for (const Hop* hop : chain_) look_again_at(lane_of(*hop));
  return true;
}

}  // namespace sanvp::net::worm
