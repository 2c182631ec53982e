#include "models/net/worm/worm_flow.hpp"

#include <algorithm>

#include "models/net/network.hpp"
#include "models/net/worm/planning.hpp"
#include "models/net/worm/stop_go.hpp"
#include "platform/core/error.hpp"

namespace sanvp::net {

std::unique_ptr<Flow> make_worm_flow(const Wiring& wiring, const std::vector<int>& first_lane, EventQueue& queue,
                                     Network& network, std::pmr::memory_resource& memory) {
  return std::make_unique<worm::WormFlow>(wiring, first_lane, queue, network, memory);
}

namespace worm {
namespace {

LaneRules rules_of(const Wiring& wiring, const Wiring::Channel& channel) {
  LaneRules lane;
  const ChannelRules& rules = channel.rules;
  lane.flit_ps = rules.flit_time.count();
  lane.tail_ps = rules.tail_time.count();
  lane.delay_ps = rules.delay.count();
  lane.tail_delay_ps = (rules.delay - rules.tail_lead).count();
  const auto takes_tokens = [](const ChannelRules& of) {
    const auto* credits = std::get_if<Credits>(&of.flow);
    return credits != nullptr && credits->token_time > Time{0};
  };
  const bool tokens =
      channel.reverse >= 0 && (takes_tokens(rules) || takes_tokens(wiring.channels[channel.reverse].rules));
  lane.shared = rules.virtual_channels > 1 || tokens;
  lane.turns = rules.virtual_channels > 1 && !tokens;
  lane.hold = rules.hold;
  lane.circuits = !wiring.nics.empty() && wiring.nics.front().rules.circuit;
  const Terminal to = channel.to;
  lane.to_nic = to.kind == Terminal::Kind::nic;
  lane.store_and_forward = to.kind == Terminal::Kind::switch_ && wiring.switches[to.unit].rules.store_and_forward;
  if (const auto* credits = std::get_if<Credits>(&rules.flow)) {
    lane.buffer = credits->buffer;
    lane.batch = credits->batch;
    lane.credit_ps = credits->return_delay.count();
    if (credits->token_time > Time{0}) {
      const Time wire = channel.reverse >= 0 ? wiring.channels[channel.reverse].rules.wire : Time{0};
      lane.credit_ps += (credits->token_time + wire).count();
    }
    const std::int64_t filled_ps = (lane.buffer - lane.batch + 1) * std::min(lane.flit_ps, lane.tail_ps);
    // A credit in the same instant is too late if it comes a round after another virtual channel (rounds_after()).
    const std::int64_t late_ps = lane.turns && lane.credit_ps == 0 ? 1 : 0;
    lane.unbounded_sink = lane.to_nic && wiring.nics[to.unit].rules.pool_flits == INT64_MAX &&
                          filled_ps >= lane.longest_delay_ps() + lane.credit_ps + late_ps;
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

/// Flits that a lane can hold at most, on their way to its FIFO included; or more than any packet has, where headers do
/// not go ahead of them (ahead.cpp).
std::int64_t most_held(const Wiring& wiring, const Wiring::Channel& channel, const LaneRules& lane) {
  const bool from_repeater =
      channel.from.kind == Terminal::Kind::switch_ && wiring.switches[channel.from.unit].repeater;
  if (!lane.stop_go || lane.shared || lane.circuits || lane.store_and_forward || from_repeater) return INT32_MAX;
  return lane.stop + 1 + (lane.delay_ps + std::max<std::int64_t>(lane.signal_ps, 1)) / lane.flit_ps + 1;
}

}  // namespace

WormFlow::WormFlow(const Wiring& wiring, const std::vector<int>& first_lane, EventQueue& queue, Network& network,
                   std::pmr::memory_resource& memory)
    : lanes_(static_cast<std::size_t>(first_lane.back()), &memory),
      channels_(wiring.channels.size(), &memory),
      queue_(queue),
      network_(network) {
  for (std::size_t c = 0; c < wiring.channels.size(); ++c) {
    const ChannelRules& rules = wiring.channels[c].rules;
    Channel& channel = channels_[c];
    channel.first_lane = first_lane[c];
    channel.lanes = static_cast<std::int16_t>(rules.virtual_channels);
    channel.served = static_cast<std::int16_t>(rules.virtual_channels - 1);
    if (rules.virtual_channels > 1 && std::holds_alternative<StopGo>(rules.flow))
      throw UserError(wiring.channels[c].name, "STOP/GO flow control with several virtual channels",
                      "give the channel one virtual channel, or use --fidelity flit");
    if (rules.tail_lead != Time{0} && std::holds_alternative<StopGo>(rules.flow))
      throw UserError(wiring.channels[c].name, "STOP/GO flow control with tails that arrive after their own time",
                      "let receivers use a flit before it is whole (link.whole_flit=no), or use --fidelity flit");
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
    any_shared_ |= lane_rules.shared;
    any_tokens_ |= lane_rules.shared && !lane_rules.turns;
    most_held_ = std::max(most_held_, most_held(wiring, wiring.channels[c], lane_rules));
    if (shared == rules_.end()) shared = rules_.insert(rules_.end(), lane_rules);
    for (int l = first_lane[c]; l < first_lane[c + 1]; ++l) {
      Lane& lane = lanes_[static_cast<std::size_t>(l)];
      lane.rules = &*shared;
      lane.interval_ps = lane_rules.flit_ps;
    }
  }
}

void WormFlow::fetch(int channel, int lane) const {
  const Lane& fetched = lanes_[static_cast<std::size_t>(lane)];
  __builtin_prefetch(&fetched);
  __builtin_prefetch(&fetched.sent);
  __builtin_prefetch(&fetched.freed);
  if (any_shared_) __builtin_prefetch(&channels_[static_cast<std::size_t>(channel)]);
}

void WormFlow::start(Hop& hop, std::int64_t earliest_ps) {
  Lane& lane = lane_of(hop);
  forget_if_past(lane);
  hop.flow.earliest_ps = earliest_ps;
  hop.flow.base = lane.sent.end();  // the hop before has been planned to its tail
  lane.free_ps = std::max(lane.free_ps, earliest_ps);
  lane.sending = &hop;
  // Where plans are final, hops whose tails are known to be through do not matter, and may have been forgotten.
  hop.flow.ahead = lane.front != nullptr || any_shared_ ? lane.newest : nullptr;
  if (hop.flow.ahead != nullptr) hop.flow.ahead->flow.behind = &hop;
  if (lane.front == nullptr) lane.front = &hop;
  lane.newest = &hop;
  if (hop.up != nullptr && !hop.reinjected && hop.up->fork == nullptr && hop.strip == 0 && hop.prepend == 0)
    if (Lane& up_lane = lane_of(*hop.up); !up_lane.rules->unbounded_sink && !any_tokens_)
      hop.flow.leaves = &up_lane.freed;
  if (lane.rules->shared && !lane.rules->turns) lane.interval_ps = effective_interval(hop.channel, &lane);
  hop.flow.limit = hop.up == nullptr ? hop.data_length : hop.length;
  if (hop.length + hop.strip > most_held_) go_ahead(hop);
  if (lane.rules->turns) {
    lane.before_over_ps = lane.over_ps;
    if (channels_[static_cast<std::size_t>(hop.channel)].over_ps > earliest_ps) unsee(hop);
    take_turns(hop.channel);
  } else {
    plan(lane, hop);
  }
  replan();
}

/// What is past binds no other, and short plans stay in the cache. Flits that have left the FIFO are not looked at
/// again, nor slots that have been used again; STOP/GO must have looked at both.
void WormFlow::forget_past(Lane& lane, const Hop& newest) const {
  const std::int64_t now_ps = queue_.now_ps();
  const LaneRules& rules = *lane.rules;
  const std::int64_t checked = rules.stop_go ? lane.signals.scan - rules.stop - 1 : without_end;
  if (lane.sent.many()) {
    const std::int64_t left = rules.unbounded_sink ? without_end
                              : rules.shared       ? lane.freed.first_after(now_ps)
                                                   : lane.freed.end();
    lane.sent.forget(std::min({newest.flow.base, left, checked}), now_ps - rules.longest_delay_ps());
  }
  if (!lane.freed.many()) return;
  // Where channels are shared, plans are taken back: the full history stays, for re-planning.
  const std::int64_t used = rules.shared ? lane.sent.first_after(now_ps) - rules.buffer - rules.batch : without_end;
  lane.freed.forget(std::min(used, checked), now_ps - rules.credit_ps);
}

/// An empty lane whose flits and slots are all past binds no other: its runs are dropped, so that they stay few. A slot
/// that becomes free in this instant is not past: its round matters (rounds_after()).
void WormFlow::forget_if_past(Lane& lane) const {
  const std::int64_t now_ps = queue_.now_ps();
  const bool empty = lane.rules->unbounded_sink || lane.freed.end() == lane.sent.end();
  if (!empty || lane.sent.last_ps() + lane.rules->longest_delay_ps() > now_ps ||
      lane.freed.last_ps() + std::max(lane.rules->credit_ps, lane.rules->signal_ps) >= now_ps)
    return;
  lane.sent.forget();
  lane.freed.forget();
  // A STOP, if there was one, has been answered: the FIFO is empty, and the first flits to come cause none.
  if (!lane.rules->stop_go) return;
  lane.signals.scan = lane.sent.end() + lane.rules->stop;
  lane.signals.stopped_ps = -1;
}

void WormFlow::forget(Hop& hop) {
  if (hop.flow.behind != nullptr && hop.flow.behind->flow.ahead == &hop) hop.flow.behind->flow.ahead = nullptr;
  if (hop.flow.ahead != nullptr && hop.flow.ahead->flow.behind == &hop) hop.flow.ahead->flow.behind = nullptr;
  if (!any_shared_) return;  // the lane has left the cache long ago
  if (Lane& lane = lane_of(hop); lane.newest == &hop) lane.newest = nullptr;
}

/// Looks again at the channel at `ps`, and at the one that carries its tokens.
void WormFlow::watch(int channel, std::int64_t ps) {
  const auto look_at = [&](int c, std::int64_t at_ps) {
    Channel& shared = channels_[static_cast<std::size_t>(c)];
    at_ps = std::max(at_ps, queue_.now_ps());
    if (shared.look_at_ps >= 0 && shared.look_at_ps <= at_ps) return;
    shared.look_at_ps = at_ps;
    queue_.schedule({.ps = at_ps, .handler = this, .unit = static_cast<std::uint32_t>(c)});
  };
  look_at(channel, ps);
  if (const int other = channels_[static_cast<std::size_t>(channel)].tokens_on; other >= 0) look_at(other, ps);
}

void WormFlow::handle(const Event& event) {
  Channel& channel = channels_[event.unit];
  if (channel.look_at_ps != event.ps) return;
  channel.look_at_ps = -1;
  if (lanes_[static_cast<std::size_t>(channel.first_lane)].rules->turns)
    take_turns(static_cast<int>(event.unit));
  else
    share(static_cast<int>(event.unit));
  replan();
}

/// @return whether any flits of the hop have been planned
bool WormFlow::plan(Lane& lane, Hop& hop) {
  const std::int64_t from = lane.sent.end();
  if (lane.rules->stop_go)
    plan_with_stop_go(lane, hop);
  else
    plan_with_credits(lane, hop);
  if (lane.sent.end() == from) return false;
  advanced(lane, hop, from);
  return true;
}

/// When flits n, n+1, ... of the hop, which have been planned, are in the FIFO at the far end.
Run WormFlow::arrivals(const Lane& lane, const Hop& hop, std::int64_t n) {
  const LaneRules& rules = *lane.rules;
  Run run = lane.sent.from(n);
  run.ps += rules.delay_ps;
  if (!rules.has_own_tail_delay()) return run;
  const std::int64_t tail = hop.flow.base + hop.length - 1;
  if (n == tail) return {run.ps - rules.delay_ps + rules.tail_delay_ps, 0, 1};
  run.count = std::min(run.count, tail - n);
  return run;
}

/// When flits k, k+1, ... of the hop are there to be sent; count 0 where that is not known.
Run WormFlow::supply(const Hop& hop, std::int64_t k) const {
  if (hop.up == nullptr) return {long_ago, 0, hop.flow.limit - k};
  if (k < hop.prepend) return {long_ago, 0, hop.prepend - k};
  const Hop& up = *hop.up;
  const Lane& from = lane_of(up);
  const std::int64_t n = up.flow.base + k + hop.strip - hop.prepend;
  if (n >= from.sent.end()) return {};
  Run run = arrivals(from, up, n);
  run.count = std::min(run.count, hop.length - k);
  return run;
}

/// When slots for flits n, n+1, ... of the lane are known to be free; count 0 where that is not known.
Run WormFlow::credit(const Lane& lane, std::int64_t n, const Run& supply) const {
  if (lane.rules->unbounded_sink) return {long_ago, 0, without_end};
  if (n < lane.rules->buffer) return {long_ago, 0, lane.rules->buffer - n};
  const std::int64_t slot = n - lane.rules->buffer;
  // Nearly always the last slot wanted became free long before.
  const std::int64_t last_slot = slot + supply.count - 1 + lane.rules->batch - 1;
  if (last_slot < lane.freed.end() && lane.freed.last_ps() + lane.rules->credit_ps <= lane.free_ps)
    return {long_ago, 0, supply.count};
  if (lane.rules->batch > 1) {
    // As long as even the end of the batch was early enough, which batch a slot belongs to does not matter.
    if (const std::int64_t cautious = slot + lane.rules->batch - 1; cautious < lane.freed.end()) {
      Run run = lane.freed.from(cautious);
      run.count = std::min(run.count, supply.count);
      const std::int64_t first = std::max(supply.ps, lane.free_ps);
      const std::int64_t last = std::max(supply.at(run.count - 1), lane.free_ps + (run.count - 1) * lane.interval_ps);
      if (run.ps + lane.rules->credit_ps <= first && run.last() + lane.rules->credit_ps <= last)
        return {long_ago, 0, run.count};
    }
    const std::int64_t batch_end = (slot / lane.rules->batch + 1) * lane.rules->batch - 1;
    if (batch_end >= lane.freed.end()) return {};
    return {lane.freed.at(batch_end) + lane.rules->credit_ps, 0, batch_end - slot + 1};
  }
  if (slot >= lane.freed.end()) return {};
  Run run = lane.freed.from(slot);
  run.ps += lane.rules->credit_ps;
  return run;
}

void WormFlow::plan_with_credits(Lane& lane, const Hop& hop) {
  for (std::int64_t n = lane.sent.end(); n < hop.flow.base + hop.flow.limit; n = lane.sent.end()) {
    const Run supplied = supply(hop, n - hop.flow.base);
    if (supplied.count <= 0) return;
    const Run credited = credit(lane, n, supplied);
    if (credited.count <= 0) return;
    const bool credits_bind = credited.ps + (credited.count - 1) * credited.period > lane.free_ps;
    Run run = first_run(lane.free_ps, lane.interval_ps, credits_bind ? later_of(supplied, credited) : supplied);
    if (!credits_bind) run.count = std::min(run.count, credited.count);
    run.count = std::min(run.count, hop.flow.base + hop.flow.limit - n);
    send(lane, hop, run);
    lane.free_ps = run.last() + lane.interval_ps;
  }
}

void WormFlow::plan_with_stop_go(Lane& lane, const Hop& hop) {
  for (std::int64_t n = lane.sent.end(); n < hop.flow.base + hop.flow.limit; n = lane.sent.end()) {
    const Run supplied = supply(hop, n - hop.flow.base);
    if (supplied.count <= 0) return;
    Run run = first_run(lane.free_ps, lane.interval_ps, supplied);
    run.count = std::min(run.count, hop.flow.base + hop.flow.limit - n);
    if (!send_until_stop(lane, hop, run)) return;
  }
}

/// Plans flits of `run` up to a STOP. @return false where it is not known when there will be the GO
bool WormFlow::send_until_stop(Lane& lane, const Hop& hop, Run run) {
  const std::int64_t going = flits_before_stop(lane, run);
  const bool stopped = going < run.count;
  if (going > 0) {
    run.count = going;
    send(lane, hop, run);
    lane.free_ps = run.last() + lane.interval_ps;
  }
  return !stopped || wait_for_go(lane);
}

/// Flits from `from` on have been planned: what depends on them is planned again.
void WormFlow::advanced(Lane& lane, Hop& hop, std::int64_t from) {
  const std::int64_t end = lane.sent.end();
  const bool paced = lane.rules->shared && !lane.rules->turns;
  if (paced) channels_[static_cast<std::size_t>(hop.channel)].note(hop.lane, lane.sent.last_ps());
  if (paced && has_company(hop)) {
    // A run that only goes on changes nothing for the others: its end is already watched for.
    const std::int64_t start_ps = lane.sent.at(from);
    if (from == hop.flow.base || start_ps > lane.sent.at(from - 1) + 2 * lane.interval_ps) watch(hop.channel, start_ps);
  }
  if (from == hop.flow.base) {
    hop.header_start_ps = lane.sent.at(hop.flow.base);
    hop.header_arrival_ps = hop.header_start_ps + (hop.length == 1 ? lane.rules->tail_delay_ps : lane.rules->delay_ps);
    check_front(lane);
  }
  if (hop.up != nullptr && !hop.reinjected) {
    if (hop.flow.leaves == nullptr) hand_departures_on(lane, hop, from);
    look_again_at(lane_of(*hop.up));
  }
  if (hop.flow.drain_from_ps >= 0) free_slots(lane, hop);
  if (hop.down != nullptr)
    if (Lane& down_lane = lane_of(*hop.down); !is_full(down_lane)) look_again_at(down_lane);
  if (hop.fork != nullptr)
    for (const Hop* branch : hop.fork->branches) look_again_at(lane_of(*branch));

  if (end >= hop.flow.base + hop.data_length) advanced_to_end(lane, hop, from);
  // The EOP of a circuit that was refused may be waiting for the data to go.
  if (lane.rules->hold && end == hop.flow.base + hop.data_length) look_again_at(lane);
  forget_past(lane, hop);
}

/// What follows from the last flits, of the data and of the worm.
void WormFlow::advanced_to_end(Lane& lane, Hop& hop, std::int64_t from) {
  const std::int64_t data_end = hop.flow.base + hop.data_length;
  if (from < data_end) {
    const std::int64_t data_tail_ps = lane.sent.at(data_end - 1);
    const bool is_tail = hop.data_length == hop.length;
    if (hop.up == nullptr)
      network_.data_over(hop, data_tail_ps + (is_tail ? lane.rules->tail_ps : lane.rules->flit_ps) +
                                  (lane.rules->hold && !is_tail ? lane.rules->tail_ps : 0));
    if (hop.last && hop.flow.drain_from_ps >= 0) data_drained(lane, hop);
  }
  if (lane.sent.end() < hop.flow.base + hop.length) return;
  const std::int64_t tail_ps = lane.sent.last_ps();
  lane.sending = nullptr;
  lane.free_ps = tail_ps + lane.rules->tail_ps;
  network_.tail_over(hop, lane.free_ps);
  hop.flow.own_tail_ps = tail_ps;
  if (hop.up != nullptr && !hop.reinjected) consumed(*hop.up, tail_ps, lane.free_ps);
  if (hop.flow.drain_from_ps >= 0) tail_drained(lane, hop);
  if (lane.rules->store_and_forward) check_front(lane);
}

/// Flits from `from` on, planned by now, leave the FIFO before, in whatever way that differs from their being sent.
void WormFlow::hand_departures_on(const Lane& lane, Hop& hop, std::int64_t from) {
  Lane& up_lane = lane_of(*hop.up);
  if (hop.up->fork != nullptr) return free_slots_of_all_branches(up_lane, *hop.up);
  if (up_lane.rules->unbounded_sink) return;
  for (std::int64_t n = from; n < lane.sent.end();) {
    const std::int64_t k = n - hop.flow.base;
    if (k == 0)  // what the switch removes goes with the header
      for (int stripped = 0; stripped < hop.strip; ++stripped) up_lane.freed.append({lane.sent.at(n), 0, 1});
    const Run run = lane.sent.from(n);
    if (k < hop.prepend) {
      n += std::min<std::int64_t>(run.count, hop.prepend - k);
      continue;
    }
    up_lane.freed.append(run);
    n += run.count;
  }
}

}  // namespace worm
}  // namespace sanvp::net
