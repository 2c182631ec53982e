#include "models/net/worm/worm_flow.hpp"

#include <algorithm>

#include "models/net/worm/stop_go.hpp"
#include "platform/core/error.hpp"

namespace sanvp::net {

std::unique_ptr<Flow> make_worm_flow(const Wiring& wiring, const std::vector<int>& first_lane, EventQueue& queue,
                                     FlowListener& listener) {
  return std::make_unique<worm::WormFlow>(wiring, first_lane, queue, listener);
}

namespace worm {
namespace {

constexpr std::int64_t without_end = std::int64_t{1} << 60;

/// The first flits of max(t(k-1)+T, wanted(k)) that form one run, t(-1)+T being `free_ps`.
Run first_run(std::int64_t free_ps, std::int64_t flit_ps, const Run& wanted) {
  if (free_ps <= wanted.ps) return {wanted.ps, std::max(wanted.period, flit_ps), wanted.count};
  if (wanted.period <= flit_ps || wanted.count == 1) return {free_ps, flit_ps, wanted.count};
  // Late at first, at full speed until it has caught up.
  const std::int64_t late = (free_ps - wanted.ps) / (wanted.period - flit_ps) + 1;
  return {free_ps, flit_ps, std::min(late, wanted.count)};
}

/// The first flits for which one of two constraints is the later one throughout.
Run later_of(const Run& a, const Run& b) {
  const std::int64_t count = std::min(a.count, b.count);
  const Run* high = &a;
  const Run* low = &b;
  if (a.ps < b.ps || (a.ps == b.ps && a.period < b.period)) std::swap(high, low);
  if (high->period >= low->period || high->at(count - 1) >= low->at(count - 1)) return {high->ps, high->period, count};
  const std::int64_t slope = low->period - high->period;
  const std::int64_t crossing = (high->ps - low->ps + slope - 1) / slope;
  return {high->ps, high->period, std::max<std::int64_t>(1, std::min(count, crossing))};
}

LaneRules rules_of(const Wiring& wiring, const Wiring::Channel& channel) {
  LaneRules lane;
  const ChannelRules& rules = channel.rules;
  lane.flit_ps = rules.flit_time.count();
  lane.tail_ps = rules.tail_time.count();
  lane.delay_ps = rules.delay.count();
  const Terminal to = channel.to;
  lane.store_and_forward = to.kind == Terminal::Kind::switch_ && wiring.switches[to.unit].rules.store_and_forward;
  if (const auto* credits = std::get_if<Credits>(&rules.flow)) {
    lane.buffer = credits->buffer;
    lane.batch = credits->batch;
    lane.credit_ps = credits->return_delay.count();
    if (credits->token_time > Time{0}) {
      const Time wire = channel.reverse >= 0 ? wiring.channels[channel.reverse].rules.wire : Time{0};
      lane.credit_ps += (credits->token_time + wire).count();
    }
    lane.roomy =
        to.kind == Terminal::Kind::nic && wiring.nics[to.unit].rules.pool_flits == INT64_MAX &&
        (lane.buffer - lane.batch + 1) * std::min(lane.flit_ps, lane.tail_ps) >= lane.delay_ps + lane.credit_ps;
  } else {
    const auto& stop_go = std::get<StopGo>(rules.flow);
    lane.stop_go = true;
    lane.buffer = stop_go.buffer;
    lane.stop = stop_go.stop;
    lane.go = stop_go.go;
    lane.signal_ps = stop_go.signal_delay.count();
  }
  return lane;
}

}  // namespace

WormFlow::WormFlow(const Wiring& wiring, const std::vector<int>& first_lane, EventQueue& queue, FlowListener& listener)
    : lanes_(static_cast<std::size_t>(first_lane.back())),
      channels_(wiring.channels.size()),
      queue_(queue),
      listener_(listener) {
  for (std::size_t c = 0; c < wiring.channels.size(); ++c) {
    const ChannelRules& rules = wiring.channels[c].rules;
    Channel& channel = channels_[c];
    channel.first_lane = first_lane[c];
    channel.lanes = rules.virtual_channels;
    if (rules.virtual_channels > 1 && std::holds_alternative<StopGo>(rules.flow))
      throw UserError(wiring.channels[c].name, "STOP/GO flow control with several virtual channels",
                      "give the channel one virtual channel, or use --fidelity flit");
    // Credits that come as tokens take time from the data of the other direction.
    if (const auto* credits = std::get_if<Credits>(&rules.flow);
        credits != nullptr && wiring.channels[c].reverse >= 0) {
      Channel& reverse = channels_[static_cast<std::size_t>(wiring.channels[c].reverse)];
      if (credits->token_time > Time{0}) {
        channel.tokens_on = wiring.channels[c].reverse;
        reverse.tokens_of = static_cast<int>(c);
        reverse.token_share_ps = credits->token_time.count() / credits->batch;
      }
    }
    const LaneRules lane_rules = rules_of(wiring, wiring.channels[c]);
    auto shared = std::find(rules_.begin(), rules_.end(), lane_rules);
    if (shared == rules_.end()) shared = rules_.insert(rules_.end(), lane_rules);
    for (int l = first_lane[c]; l < first_lane[c + 1]; ++l) {
      Lane& lane = lanes_[static_cast<std::size_t>(l)];
      lane.rules = &*shared;
      lane.pace_ps = lane_rules.flit_ps;
    }
  }
}

void WormFlow::start(Leg& leg, std::int64_t earliest_ps) {
  Lane& lane = lane_of(leg);
  forget_if_past(lane);
  leg.earliest_ps = earliest_ps;
  leg.base = lane.claimed;
  leg.limit = leg.up == nullptr ? leg.data_length : leg.length;
  lane.claimed += leg.length;
  lane.free_ps = std::max(lane.free_ps, earliest_ps);
  lane.sending = &leg;
  leg.ahead = lane.newest;
  if (leg.ahead != nullptr) leg.ahead->behind = &leg;
  if (lane.front == nullptr) lane.front = &leg;
  lane.newest = &leg;
  if (is_shared(leg.channel)) lane.pace_ps = pace(leg.channel, &lane);
  work_.push_back(&lane);
  settle();
}

/// An empty lane whose every flit and place is past binds nobody: its runs are dropped, so that they stay few.
void WormFlow::forget_if_past(Lane& lane) const {
  const std::int64_t now_ps = queue_.now_ps();
  const bool empty = lane.rules->roomy || lane.freed.end() == lane.sent.end();
  if (!empty || lane.sent.last_ps() + lane.rules->delay_ps > now_ps ||
      lane.freed.last_ps() + std::max(lane.rules->credit_ps, lane.rules->signal_ps) > now_ps)
    return;
  lane.sent.forget();
  lane.freed.forget();
  // A STOP, if there was one, has been answered: the FIFO is empty.
  lane.scan = lane.sent.end();
  lane.stopped_ps = -1;
}

void WormFlow::drain(Leg& leg) {
  begin_drain(lane_of(leg), leg, queue_.now_ps());
  settle();
}

/// The far end takes the leg's flits as they come, from `from_ps` on.
void WormFlow::begin_drain(Lane& lane, Leg& leg, std::int64_t from_ps) {
  leg.drain_from_ps = from_ps;
  free_places(lane, leg);
  if (leg.last && lane.sent.end() >= leg.base + leg.data_length) data_drained(lane, leg);
  if (leg.own_tail_ps >= 0)
    tail_drained(lane, leg);
  else
    arriving_.push_back(&leg);
}

void WormFlow::acknowledge(Leg& source) {
  source.limit = source.length;
  work_.push_back(&lane_of(source));
  settle();
}

void WormFlow::forget(Leg& leg) {
  Lane& lane = lane_of(leg);
  if (leg.behind != nullptr && leg.behind->ahead == &leg) leg.behind->ahead = nullptr;
  if (leg.ahead != nullptr && leg.ahead->behind == &leg) leg.ahead->behind = nullptr;
  if (lane.newest == &leg) lane.newest = nullptr;
}

std::int64_t WormFlow::occupancy(int index) const {
  const Lane& lane = lanes_[static_cast<std::size_t>(index)];
  const std::int64_t now_ps = queue_.now_ps();
  const std::int64_t arrived = lane.sent.first_after(now_ps - lane.rules->delay_ps);
  return lane.rules->roomy ? 0 : arrived - lane.freed.first_after(now_ps);
}

void WormFlow::settle() {
  while (!work_.empty() || !arriving_.empty()) {
    if (!arriving_.empty()) {
      Leg* leg = arriving_.back();
      arriving_.pop_back();
      rush(*leg);
    } else {
      Lane* lane = work_.back();
      work_.pop_back();
      extend(*lane);
    }
  }
}

void WormFlow::extend(Lane& lane) {
  if (lane.sending == nullptr) return;
  Leg& leg = *lane.sending;
  const std::int64_t from = lane.sent.end();
  // What was not known before now does not happen before now; old arrivals and places may have been forgotten.
  lane.free_ps = std::max(lane.free_ps, queue_.now_ps());
  if (lane.rules->stop_go)
    plan_with_stop_go(lane, leg);
  else
    plan_with_credits(lane, leg);
  if (lane.sent.end() > from) advanced(lane, leg, from);
}

/// When flits k, k+1, ... of the leg are there to be sent; count 0 where that is not known.
Run WormFlow::supply(const Leg& leg, std::int64_t k) const {
  if (leg.up == nullptr) return {long_ago, 0, leg.limit - k};
  if (k < leg.prepend) return {long_ago, 0, leg.prepend - k};
  const Leg& up = *leg.up;
  const Lane& from = lane_of(up);
  const std::int64_t n = up.base + k + leg.strip - leg.prepend;
  if (n >= from.sent.end()) return {};
  Run run = from.sent.from(n);
  run.ps += from.rules->delay_ps;
  run.count = std::min(run.count, leg.length - k);
  return run;
}

/// When places for flits n, n+1, ... of the lane are known to be free; count 0 where that is not known.
Run WormFlow::credit(const Lane& lane, std::int64_t n, const Run& supply) const {
  if (lane.rules->roomy) return {long_ago, 0, without_end};
  if (n < lane.rules->buffer) return {long_ago, 0, lane.rules->buffer - n};
  const std::int64_t place = n - lane.rules->buffer;
  // Nearly always the last place wanted became free long before.
  const std::int64_t last_place = place + supply.count - 1 + lane.rules->batch - 1;
  if (last_place < lane.freed.end() && lane.freed.last_ps() + lane.rules->credit_ps <= lane.free_ps)
    return {long_ago, 0, supply.count};
  if (lane.rules->batch > 1) {
    // As long as even the end of the batch was early enough, which batch a place belongs to does not matter.
    if (const std::int64_t cautious = place + lane.rules->batch - 1; cautious < lane.freed.end()) {
      Run run = lane.freed.from(cautious);
      run.count = std::min(run.count, supply.count);
      const std::int64_t first = std::max(supply.ps, lane.free_ps);
      const std::int64_t last = std::max(supply.at(run.count - 1), lane.free_ps + (run.count - 1) * lane.pace_ps);
      if (run.ps + lane.rules->credit_ps <= first && run.last() + lane.rules->credit_ps <= last)
        return {long_ago, 0, run.count};
    }
    const std::int64_t batch_end = (place / lane.rules->batch + 1) * lane.rules->batch - 1;
    if (batch_end >= lane.freed.end()) return {};
    return {lane.freed.at(batch_end) + lane.rules->credit_ps, 0, batch_end - place + 1};
  }
  if (place >= lane.freed.end()) return {};
  Run run = lane.freed.from(place);
  run.ps += lane.rules->credit_ps;
  return run;
}

void WormFlow::plan_with_credits(Lane& lane, const Leg& leg) {
  for (std::int64_t n = lane.sent.end(); n < leg.base + leg.limit; n = lane.sent.end()) {
    const Run supplied = supply(leg, n - leg.base);
    if (supplied.count <= 0) return;
    const Run placed = credit(lane, n, supplied);
    if (placed.count <= 0) return;
    const bool places_bind = placed.ps + (placed.count - 1) * placed.period > lane.free_ps;
    Run run = first_run(lane.free_ps, lane.pace_ps, places_bind ? later_of(supplied, placed) : supplied);
    if (!places_bind) run.count = std::min(run.count, placed.count);
    run.count = std::min(run.count, leg.base + leg.limit - n);
    lane.sent.append(run);
    lane.free_ps = run.last() + lane.pace_ps;
  }
}

void WormFlow::plan_with_stop_go(Lane& lane, const Leg& leg) {
  for (std::int64_t n = lane.sent.end(); n < leg.base + leg.limit; n = lane.sent.end()) {
    const Run supplied = supply(leg, n - leg.base);
    if (supplied.count <= 0) return;
    Run run = first_run(lane.free_ps, lane.pace_ps, supplied);
    run.count = std::min(run.count, leg.base + leg.limit - n);
    if (const std::int64_t certain = certainly_go(lane, run); certain > 0) {
      run.count = certain;
      lane.scan += certain;
    } else {
      const Gate state = gate(lane);
      if (state.closes && run.ps >= state.closes_ps) {
        if (!state.opens) return;
        lane.free_ps = std::max(lane.free_ps, state.opens_ps);
        reopened(lane, state);
        continue;
      }
      // What starts before this run's own first arrival could bind the sender may start in any case.
      const std::int64_t closes_ps =
          std::min(run.ps + lane.rules->delay_ps + std::max<std::int64_t>(lane.rules->signal_ps, 1),
                   state.closes ? state.closes_ps : without_end);
      if (run.count > 1 && run.last() >= closes_ps) run.count = (closes_ps - 1 - run.ps) / run.period + 1;
    }
    lane.sent.append(run);
    lane.free_ps = run.last() + lane.pace_ps;
  }
}

/// Flits from `from` on have been planned: says so to all who waited for it.
void WormFlow::advanced(Lane& lane, Leg& leg, std::int64_t from) {
  const std::int64_t end = lane.sent.end();
  if (is_shared(leg.channel)) watch(leg.channel, lane.sent.at(from));
  if (from == leg.base) {
    leg.header_start_ps = lane.sent.at(leg.base);
    leg.header_arrival_ps = leg.header_start_ps + lane.rules->delay_ps;
    check_front(lane);
  }
  if (leg.up != nullptr && !leg.reinjected) {
    Lane& up_lane = lane_of(*leg.up);
    if (leg.up->branch_count > 0)
      free_places_of_all_branches(up_lane, *leg.up);
    else if (!up_lane.rules->roomy)
      for (std::int64_t n = from; n < end;) {
        std::int64_t k = n - leg.base;
        if (k == 0)  // what the switch removes goes with the header
          for (int stripped = 0; stripped < leg.strip; ++stripped) up_lane.freed.append({lane.sent.at(n), 0, 1});
        Run run = lane.sent.from(n);
        if (k < leg.prepend) {
          n += std::min<std::int64_t>(run.count, leg.prepend - k);
          continue;
        }
        up_lane.freed.append(run);
        n += run.count;
      }
    work_.push_back(&up_lane);
  }
  if (leg.drain_from_ps >= 0) free_places(lane, leg);
  if (leg.down != nullptr) work_.push_back(&lane_of(*leg.down));
  for (Leg* branch : leg.branches) work_.push_back(&lane_of(*branch));

  if (end >= leg.base + leg.data_length && from < leg.base + leg.data_length) {
    const std::int64_t data_tail_ps = lane.sent.at(leg.base + leg.data_length - 1);
    const bool is_tail = leg.data_length == leg.length;
    if (leg.up == nullptr)
      listener_.data_over(leg, data_tail_ps + (is_tail ? lane.rules->tail_ps : lane.rules->flit_ps));
    if (leg.last && leg.drain_from_ps >= 0) data_drained(lane, leg);
  }
  if (end == leg.base + leg.length) {
    const std::int64_t tail_ps = lane.sent.last_ps();
    lane.sending = nullptr;
    lane.free_ps = tail_ps + lane.rules->tail_ps;
    listener_.tail_over(leg, lane.free_ps);
    leg.own_tail_ps = tail_ps;
    if (leg.up != nullptr && !leg.reinjected) consumed(*leg.up, tail_ps, lane.free_ps);
    if (leg.drain_from_ps >= 0) tail_drained(lane, leg);
    if (lane.rules->store_and_forward) check_front(lane);
  }
  lane.sent.forget_below(std::min({lane.freed.end(), lane.scan - lane.rules->stop - 1, leg.base}));
  lane.freed.forget_below(lane.rules->stop_go ? lane.scan - lane.rules->stop - 1
                                              : lane.sent.end() - lane.rules->buffer - lane.rules->batch);
}

void WormFlow::tail_drained(Lane& lane, Leg& leg) {
  const std::int64_t arrival_ps = std::max(leg.own_tail_ps + lane.rules->delay_ps, leg.drain_from_ps);
  consumed(leg, arrival_ps, arrival_ps);
  listener_.drained(leg, arrival_ps);
}

void WormFlow::data_drained(const Lane& lane, Leg& leg) {
  listener_.data_arrived(
      leg, std::max(lane.sent.at(leg.base + leg.data_length - 1) + lane.rules->delay_ps, leg.drain_from_ps));
}

/// A NIC (or a dead end) takes the leg's flits as they come.
void WormFlow::free_places(Lane& lane, Leg& leg) {
  work_.push_back(&lane);
  if (lane.rules->roomy) return;
  const std::int64_t end = std::min(lane.sent.end(), leg.base + leg.length);
  for (std::int64_t n = lane.freed.end(); n < end;) {
    Run run = lane.sent.from(n);
    run.count = std::min(run.count, end - n);
    run.ps += lane.rules->delay_ps;
    if (run.ps < leg.drain_from_ps) {
      const std::int64_t waiting =
          run.count == 1 ? 1 : std::min(run.count, (leg.drain_from_ps - run.ps + run.period - 1) / run.period);
      run = {leg.drain_from_ps, 0, waiting};
    }
    lane.freed.append(run);
    n += run.count;
  }
}

/// A replicated flit leaves its FIFO when the last branch has taken it.
void WormFlow::free_places_of_all_branches(Lane& up_lane, const Leg& up) {
  if (up.branches.size() < up.branch_count) return;
  std::int64_t end = without_end;
  for (const Leg* branch : up.branches) end = std::min(end, lane_of(*branch).sent.end() - branch->base);
  for (std::int64_t k = up_lane.freed.end() - up.base; k < end;) {
    Run run{long_ago, 0, end - k};
    for (const Leg* branch : up.branches) run = later_of(run, lane_of(*branch).sent.from(branch->base + k));
    up_lane.freed.append(run);
    k += run.count;
  }
}

/// The leg's tail leaves the FIFO at the far end at `left_ps`, its transmission there ends at `over_ps`.
void WormFlow::consumed(Leg& leg, std::int64_t left_ps, std::int64_t over_ps) {
  if (leg.branch_count > 0) {
    if (leg.branches.size() < leg.branch_count) return;
    for (const Leg* branch : leg.branches) {
      if (branch->own_tail_ps < 0) return;
      left_ps = std::max(left_ps, branch->own_tail_ps);
      over_ps = std::max(over_ps, branch->own_tail_ps + lane_of(*branch).rules->tail_ps);
    }
  }
  leg.tail_left_ps = left_ps;
  leg.tail_over_ps = over_ps;
  Lane& lane = lane_of(leg);
  // Legs leave a FIFO in order, so this is the one at the front.
  leg.before_left_ps = lane.front_left_ps;
  leg.before_over_ps = lane.front_over_ps;
  lane.front_left_ps = leg.tail_left_ps;
  lane.front_over_ps = leg.tail_over_ps;
  lane.front = leg.behind;
  check_front(lane);
}

/// A header is at the front when it enters an empty FIFO, or when the tail before it has been transmitted.
void WormFlow::check_front(Lane& lane) {
  Leg* leg = lane.front;
  if (leg == nullptr || leg->drain_from_ps >= 0 || leg->header_arrival_ps < 0) return;
  std::int64_t arrival_ps = leg->header_arrival_ps;
  if (arrival_ps <= lane.front_left_ps) arrival_ps = lane.front_over_ps;
  if (leg->last) {
    begin_drain(lane, *leg, arrival_ps);
    return;
  }
  if (lane.rules->store_and_forward) {
    if (lane.sent.end() < leg->base + leg->length) return;
    arrival_ps = std::max(arrival_ps, lane.sent.at(leg->base + leg->length - 1) + lane.rules->delay_ps);
  }
  listener_.header_at_front(*leg, arrival_ps);
}

/// The worm has reached a far end that takes everything. Buffer by buffer it is now planned to its tail, in one leap as
/// soon as all its lanes run steadily.
void WormFlow::rush(Leg& last) {
  Lane& lane = lane_of(last);
  while (lane.sending == &last && !jump(last)) {
    const std::int64_t known = lane.sent.end();
    bool progress = false;
    for (Leg* leg = &last; leg != nullptr; leg = leg->up) {
      Lane& at = lane_of(*leg);
      if (at.sending != leg) break;
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

/// Whether flits from the leg's next one on follow each other at `period` for good, given that the lanes before and
/// behind do so too: no constraint is later than that line, and at least one is on it (so that it is not too slow).
/// `more` comes out as how many flits that is.
bool WormFlow::can_run_on(const Leg& leg, const Leg* down, std::int64_t period, std::int64_t& more) const {
  const Lane& lane = lane_of(leg);
  const std::int64_t n = lane.sent.end();
  if (lane.sending != &leg || n == leg.base || period < lane.pace_ps) return false;
  const std::int64_t line_ps = lane.sent.last_ps() + period;  // flit n, were it sent on the line
  if (lane.free_ps > line_ps || queue_.now_ps() > line_ps) return false;
  const auto on_line = [&](std::int64_t m) { return line_ps + (m - n) * period; };
  bool tight = period == lane.pace_ps;

  if (leg.up != nullptr) {
    const Lane& up = lane_of(*leg.up);
    const std::int64_t shift = leg.up->base + leg.strip - leg.prepend - leg.base;
    if (n - leg.base < leg.prepend) return false;
    // What is known of the supply must not be late; the rest follows the supplier's own line.
    bool tight_supply = true;
    if (n + shift < up.sent.end()) {
      const Run known = up.sent.from(n + shift);
      tight_supply = known.ps + up.rules->delay_ps == line_ps && (known.count == 1 || known.period == period);
      if (n + shift + known.count != up.sent.end()) return false;
      if (known.ps + up.rules->delay_ps > line_ps) return false;
      if (known.last() + up.rules->delay_ps > on_line(n + known.count - 1)) return false;
    }
    if (up.sending == leg.up) {
      const std::int64_t next_up = up.sent.last_ps() + period;
      if (next_up + up.rules->delay_ps > on_line(up.sent.end() - shift)) return false;
      tight_supply &= next_up + up.rules->delay_ps == on_line(up.sent.end() - shift);
    }
    tight |= tight_supply;
  }
  more = leg.base + leg.length - n;

  if (lane.rules->roomy) return tight;
  // Places: those known to be free must be early enough; the rest become free on the next lane's line.
  const std::int64_t lag = lane.rules->stop_go ? lane.rules->stop : lane.rules->buffer - (lane.rules->batch - 1);
  const std::int64_t slack =
      lane.rules->stop_go ? lane.rules->delay_ps : -lane.rules->credit_ps;  // place(m - lag) <= flit(m) + slack
  if (lane.rules->stop_go && (lane.stopped_ps >= 0 || lane.scan < n)) return false;
  bool tight_places = !lane.rules->stop_go && lane.rules->batch == 1;
  for (std::int64_t m = std::max(n, lag); m - lag < lane.freed.end();) {
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
    next_free = leg.base + (next.sent.end() - down->base) + down->strip - down->prepend;
  } else {
    next_free_ps = line_ps + lane.rules->delay_ps;
    next_free = n;
  }
  if (next_free_ps > on_line(next_free + lag) + slack) return false;
  tight_places &= next_free + lag >= n && next_free_ps == on_line(next_free + lag) + slack;
  return tight || tight_places;
}

bool WormFlow::jump(Leg& last) {
  chain_.clear();
  for (Leg* leg = &last; leg != nullptr; leg = leg->up) {
    if (lane_of(*leg).sending != leg) break;
    if (leg->branch_count > 0) return false;
    chain_.push_back(leg);
  }
  const Leg* head = chain_.back();
  // The EOP of a circuit comes later: run on to the last data flit only.
  const std::int64_t held_back = head->up == nullptr ? head->length - head->limit : 0;
  std::int64_t period = 0;
  for (const Leg* leg : chain_) {
    const Lane& lane = lane_of(*leg);
    period = std::max({period, lane.pace_ps, lane.sent.end() - leg->base > 1 ? lane.sent.last_period() : 0});
  }
  more_.clear();
  for (std::size_t i = 0; i < chain_.size(); ++i) {
    std::int64_t more = 0;
    const Leg* down = i == 0 ? nullptr : chain_[i - 1];
    const bool reinjected = down != nullptr && down->reinjected;
    if (!can_run_on(*chain_[i], reinjected ? nullptr : down, period, more)) return false;
    more_.push_back(more - held_back);
  }
  for (std::size_t i = chain_.size(); i-- > 0;) {
    Lane& lane = lane_of(*chain_[i]);
    const std::int64_t from = lane.sent.end();
    if (more_[i] <= 0) continue;
    lane.sent.append({lane.sent.last_ps() + period, period, more_[i]});
    lane.free_ps = lane.sent.last_ps() + lane.pace_ps;
    if (lane.rules->stop_go) lane.scan += more_[i];
    advanced(lane, *chain_[i], from);
  }
  return true;
}

}  // namespace worm
}  // namespace sanvp::net
