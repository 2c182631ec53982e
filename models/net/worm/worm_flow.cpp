#include "models/net/worm/worm_flow.hpp"

#include <algorithm>

#include "models/net/network.hpp"
#include "models/net/worm/planning.hpp"
#include "models/net/worm/stop_go.hpp"
#include "models/net/worm/times.hpp"
#include "platform/core/error.hpp"

namespace sanvp::net {

std::unique_ptr<Flow> make_worm_flow(const Wiring& wiring, const std::vector<int>& first_vc, EventQueue& queue,
                                     Network& network, std::pmr::memory_resource& memory) {
  return std::make_unique<worm::WormFlow>(wiring, first_vc, queue, network, memory);
}

namespace worm {
namespace {

bool has_tokens(const Wiring& wiring) {
  return std::any_of(wiring.channels.begin(), wiring.channels.end(), [](const Wiring::Channel& channel) {
    return channel.reverse >= 0 && token_time_of(channel.rules) > Time{0};
  });
}

}  // namespace

WormFlow::WormFlow(const Wiring& wiring, const std::vector<int>& first_vc, EventQueue& queue, Network& network,
                   std::pmr::memory_resource& memory)
    : vcs_(static_cast<std::size_t>(first_vc.back()), &memory),
      channels_(wiring.channels.size(), &memory),
      turn_ends_(&memory),
      signals_(&memory),
      tokens_(has_tokens(wiring) ? vcs_.size() : 0, &memory),
      queue_(queue),
      network_(network) {
  bool any_stop_go = false;
  for (std::size_t c = 0; c < wiring.channels.size(); ++c) {
    const ChannelRules& rules = wiring.channels[c].rules;
    Channel& channel = channels_[c];
    channel.first_vc = first_vc[c];
    channel.vcs = static_cast<std::int16_t>(rules.virtual_channels);
    channel.served = static_cast<std::int16_t>(rules.virtual_channels - 1);
    const VcRules vc_rules = rules_of(wiring, wiring.channels[c]);
    if (rules.virtual_channels > 1 && std::holds_alternative<StopGo>(rules.flow))
      throw UserError(wiring.channels[c].name, "STOP/GO flow control with several virtual channels",
                      "give the channel one virtual channel, or use --fidelity flit");
    if (rules.tail_lead != Time{0} && std::holds_alternative<StopGo>(rules.flow))
      throw UserError(wiring.channels[c].name, "STOP/GO flow control with tails that arrive after their own time",
                      "let receivers use a flit before it is whole (link.whole_flit=no), or use --fidelity flit");
    if (vc_rules.turns && std::holds_alternative<StopGo>(rules.flow))
      throw UserError(wiring.channels[c].name, "STOP/GO flow control beside the other direction's flow-control tokens",
                      "give both directions the same flow control, or use --fidelity flit");
    any_turns_ |= vc_rules.turns;
    any_stop_go |= vc_rules.stop_go;
    most_held_ = std::max(most_held_, most_held(wiring, wiring.channels[c], vc_rules));
    share_rules(static_cast<int>(c), vc_rules);
  }
  if (any_turns_) turn_ends_.resize(vcs_.size());
  if (any_stop_go) signals_.resize(vcs_.size());
  for (std::size_t vc = 0; vc < signals_.size(); ++vc) vcs_[vc].signals = &signals_[vc];
  for (std::size_t c = 0; c < wiring.channels.size(); ++c)  // once the virtual channels of both directions are known
    if (const Wiring::Channel& channel = wiring.channels[c];
        vcs_[static_cast<std::size_t>(channels_[c].first_vc)].rules->tokens)
      carry_tokens(static_cast<int>(c), channel.reverse, token_time_of(channel.rules).count());
}

void WormFlow::fetch(int channel, int vc) const {
  const VirtualChannel& fetched = vcs_[static_cast<std::size_t>(vc)];
  __builtin_prefetch(&fetched);
  __builtin_prefetch(&fetched.sent);
  __builtin_prefetch(&fetched.freed);
  if (any_turns_) __builtin_prefetch(&channels_[static_cast<std::size_t>(channel)]);
}

std::int64_t WormFlow::buffered(int vc) const {
  const VirtualChannel& of = vcs_[static_cast<std::size_t>(vc)];
  const std::int64_t before_ps = queue_.now_ps() - 1;
  return of.rules->unbounded_sink
             ? 0
             : of.sent.first_after(before_ps - of.rules->delay_ps) - of.freed.first_after(before_ps);
}

Flow::Started WormFlow::started(const Hop& hop) const {
  const VirtualChannel& vc = vcs_[static_cast<std::size_t>(hop.vc_index)];
  const Runs& sent = vc.sent;
  if (is_ahead(hop) && sent.end() > hop.flow.base && sent.at(hop.flow.base) <= queue_.now_ps()) {
    // Only its header is planned: as if no STOP had come since.
    const std::int64_t behind = (queue_.now_ps() - sent.at(hop.flow.base)) / vc.rules->flit_ps;
    const std::int64_t last = std::min<std::int64_t>(behind, hop.length - 1);
    return {last + 1, sent.at(hop.flow.base) + last * vc.rules->flit_ps};
  }
  const std::int64_t flits = std::clamp<std::int64_t>(sent.first_after(queue_.now_ps()) - hop.flow.base, 0, hop.length);
  return {flits, flits == 0 ? long_ago : sent.at(hop.flow.base + flits - 1)};
}

void WormFlow::start(Hop& hop, std::int64_t earliest_ps) {
  VirtualChannel& vc = vc_of(hop);
  forget_if_past(vc);
  hop.flow.earliest_ps = earliest_ps;
  hop.flow.base = vc.sent.end();  // the hop before has been planned to its tail
  vc.free_ps = std::max(vc.free_ps, earliest_ps);
  vc.sending = &hop;
  // If plans are final, hops whose tails are known to be through do not matter, and may have been forgotten.
  hop.flow.ahead = vc.front != nullptr || any_turns_ ? vc.newest : nullptr;
  if (hop.flow.ahead != nullptr) hop.flow.ahead->flow.behind = &hop;
  if (vc.front == nullptr) vc.front = &hop;
  vc.newest = &hop;
  if (hop.up != nullptr && !hop.reinjected && hop.up->fork == nullptr && hop.strip == 0 && hop.prepend == 0)
    if (VirtualChannel& up_vc = vc_of(*hop.up); !up_vc.rules->unbounded_sink && !are_tokens_on(up_vc, hop.channel))
      hop.flow.leaves = &up_vc.freed;
  hop.flow.limit = hop.up == nullptr ? hop.data_length : hop.length;
  if (hop.length + hop.strip > most_held_) go_ahead(hop);
  if (vc.rules->turns) {
    TurnEnds& ends = turn_ends_of(vc);
    ends.before_over_ps = ends.over_ps;
    if (channels_[static_cast<std::size_t>(hop.channel)].over_ps > earliest_ps) unsee(hop);
    take_turns(hop.channel);
  } else {
    plan(vc, hop);
  }
  replan();
}

/// What is past binds no other, and short plans stay in the cache. Flits that have left the FIFO are not looked at
/// again, nor slots that have been used again; STOP/GO must have looked at both.
void WormFlow::forget_past(VirtualChannel& vc, const Hop& newest) const {
  const std::int64_t now_ps = queue_.now_ps();
  const VcRules& rules = *vc.rules;
  const std::int64_t checked = rules.stop_go ? vc.signals->scan - rules.stop - 1 : without_end;
  if (vc.sent.many()) {
    const std::int64_t left = rules.unbounded_sink ? without_end
                              : rules.turns        ? vc.freed.first_after(now_ps)
                                                   : vc.freed.end();
    vc.sent.forget(std::min({newest.flow.base, left, checked}), now_ps - rules.longest_delay_ps());
  }
  if (!vc.freed.many()) return;
  // With turns, plans are taken back: the full history stays, for re-planning.
  std::int64_t used = rules.turns ? vc.sent.first_after(now_ps) - rules.buffer - rules.batch : without_end;
  if (rules.tokens) used = std::min(used, tokens_of(vc).sent.first_after(now_ps - 1) * rules.batch);
  vc.freed.forget(std::min(used, checked), now_ps - rules.credit_ps);
}

/// An empty VC whose flits and slots are all past binds no other: its runs are dropped, so that they stay few. A slot
/// that becomes free in this instant is not past: its round matters (rounds_after()).
void WormFlow::forget_if_past(VirtualChannel& vc) {
  const std::int64_t now_ps = queue_.now_ps();
  const bool empty = vc.rules->unbounded_sink || vc.freed.end() == vc.sent.end();
  if (!empty || vc.sent.last_ps() + vc.rules->longest_delay_ps() > now_ps ||
      vc.freed.last_ps() + std::max(vc.rules->credit_ps, vc.rules->signal_ps) >= now_ps)
    return;
  if (vc.rules->tokens && !forget_tokens_if_past(vc)) return;
  vc.sent.forget();
  vc.freed.forget();
  // A STOP, if there was one, has been answered: the FIFO is empty, and the first flits to come cause none.
  if (!vc.rules->stop_go) return;
  vc.signals->scan = vc.sent.end() + vc.rules->stop;
  vc.signals->stopped_ps = -1;
}

void WormFlow::forget(Hop& hop) {
  if (hop.flow.behind != nullptr && hop.flow.behind->flow.ahead == &hop) hop.flow.behind->flow.ahead = nullptr;
  if (hop.flow.ahead != nullptr && hop.flow.ahead->flow.behind == &hop) hop.flow.ahead->flow.behind = nullptr;
  if (!any_turns_) return;  // the VC has left the cache long ago
  if (VirtualChannel& vc = vc_of(hop); vc.newest == &hop) vc.newest = nullptr;
}

/// Plans more turns of the channel at `ps`.
void WormFlow::watch(int index, std::int64_t ps) {
  Channel& channel = channels_[static_cast<std::size_t>(index)];
  if (channel.look_at_ps >= 0 && channel.look_at_ps <= ps) return;
  channel.look_at_ps = ps;
  ++looks_;
  queue_.schedule_background({.ps = ps, .handler = this, .unit = static_cast<std::uint32_t>(index)});
}

void WormFlow::handle(const Event& event) {
  --looks_;
  queue_.end_background();
  Channel& channel = channels_[event.unit];
  if (channel.look_at_ps != event.ps) return;
  channel.look_at_ps = -1;
  take_turns(static_cast<int>(event.unit));
  replan();
}

/// @return whether any flits of the hop have been planned
bool WormFlow::plan(VirtualChannel& vc, Hop& hop) {
  const std::int64_t from = vc.sent.end();
  if (vc.rules->stop_go)
    plan_with_stop_go(vc, hop);
  else
    plan_with_credits(vc, hop);
  if (vc.sent.end() == from) return false;
  advanced(vc, hop, from);
  return true;
}

/// When flits n, n+1, ... of the hop, which have been planned, are in the FIFO at the far end.
Run WormFlow::arrivals(const VirtualChannel& vc, const Hop& hop, std::int64_t n) {
  const VcRules& rules = *vc.rules;
  Run run = vc.sent.from(n);
  run.ps += rules.delay_ps;
  if (!rules.has_own_tail_delay()) return run;
  const std::int64_t tail = hop.flow.base + hop.length - 1;
  if (n == tail) return {run.ps - rules.delay_ps + rules.tail_delay_ps, 0, 1};
  run.count = std::min(run.count, tail - n);
  return run;
}

/// When flits k, k+1, ... of the hop are there to be sent; count 0 if that is not known.
Run WormFlow::supply(const Hop& hop, std::int64_t k) const {
  if (hop.up == nullptr) return {long_ago, 0, hop.flow.limit - k};
  if (k < hop.prepend) return {long_ago, 0, hop.prepend - k};
  const Hop& up = *hop.up;
  const VirtualChannel& from = vc_of(up);
  const std::int64_t n = up.flow.base + k + hop.strip - hop.prepend;
  if (n >= from.sent.end()) return {};
  Run run = arrivals(from, up, n);
  run.count = std::min(run.count, hop.length - k);
  return run;
}

/// When slots for flits n, n+1, ... of the VC are known to be free; count 0 if that is not known.
Run WormFlow::credit(const VirtualChannel& vc, std::int64_t n, const Run& supply) const {
  if (vc.rules->unbounded_sink) return {long_ago, 0, without_end};
  if (n < vc.rules->buffer) return {long_ago, 0, vc.rules->buffer - n};
  if (vc.rules->tokens) return credit_by_tokens(vc, n, supply);
  const std::int64_t slot = n - vc.rules->buffer;
  // Nearly always the last slot wanted became free long before.
  const std::int64_t last_slot = slot + supply.count - 1 + vc.rules->batch - 1;
  if (last_slot < vc.freed.end() && vc.freed.last_ps() + vc.rules->credit_ps <= vc.free_ps)
    return {long_ago, 0, supply.count};
  if (vc.rules->batch > 1) {
    // As long as even the end of the batch was early enough, which batch a slot belongs to does not matter.
    if (const std::int64_t cautious = slot + vc.rules->batch - 1; cautious < vc.freed.end()) {
      Run run = vc.freed.from(cautious);
      run.count = std::min(run.count, supply.count);
      run.ps += vc.rules->credit_ps;
      if (is_never_later(run, supply, {vc.free_ps, vc.rules->flit_ps, run.count})) return {long_ago, 0, run.count};
    }
    const std::int64_t batch_end = (slot / vc.rules->batch + 1) * vc.rules->batch - 1;
    if (batch_end >= vc.freed.end()) return {};
    return {vc.freed.at(batch_end) + vc.rules->credit_ps, 0, batch_end - slot + 1};
  }
  if (slot >= vc.freed.end()) return {};
  Run run = vc.freed.from(slot);
  run.ps += vc.rules->credit_ps;
  return run;
}

void WormFlow::plan_with_credits(VirtualChannel& vc, const Hop& hop) {
  for (std::int64_t n = vc.sent.end(); n < hop.flow.base + hop.flow.limit; n = vc.sent.end()) {
    const Run supplied = supply(hop, n - hop.flow.base);
    if (supplied.count <= 0) return;
    const Run credited = credit(vc, n, supplied);
    if (credited.count <= 0) return;
    const bool credits_bind = credited.ps + (credited.count - 1) * credited.period > vc.free_ps;
    Run run = first_run(vc.free_ps, vc.rules->flit_ps, credits_bind ? later_of(supplied, credited) : supplied);
    if (!credits_bind) run.count = std::min(run.count, credited.count);
    run.count = std::min(run.count, hop.flow.base + hop.flow.limit - n);
    send(vc, hop, run);
    vc.free_ps = run.last() + vc.rules->flit_ps;
  }
}

void WormFlow::plan_with_stop_go(VirtualChannel& vc, const Hop& hop) {
  for (std::int64_t n = vc.sent.end(); n < hop.flow.base + hop.flow.limit; n = vc.sent.end()) {
    const Run supplied = supply(hop, n - hop.flow.base);
    if (supplied.count <= 0) return;
    Run run = first_run(vc.free_ps, vc.rules->flit_ps, supplied);
    run.count = std::min(run.count, hop.flow.base + hop.flow.limit - n);
    if (!send_until_stop(vc, hop, run)) return;
  }
}

/// Plans flits of `run` up to a STOP. @return false if it is not known when there will be the GO
bool WormFlow::send_until_stop(VirtualChannel& vc, const Hop& hop, Run run) {
  const std::int64_t going = flits_before_stop(vc, run);
  const bool stopped = going < run.count;
  if (going > 0) {
    run.count = going;
    send(vc, hop, run);
    vc.free_ps = run.last() + vc.rules->flit_ps;
  }
  return !stopped || wait_for_go(vc);
}

/// Flits from `from` on have been planned: what depends on them is planned again.
void WormFlow::advanced(VirtualChannel& vc, Hop& hop, std::int64_t from) {
  const std::int64_t end = vc.sent.end();
  if (from == hop.flow.base) {
    hop.header_start_ps = vc.sent.at(hop.flow.base);
    hop.header_arrival_ps = hop.header_start_ps + (hop.length == 1 ? vc.rules->tail_delay_ps : vc.rules->delay_ps);
    check_front(vc);
  }
  if (hop.up != nullptr && !hop.reinjected) {
    if (hop.flow.leaves == nullptr) hand_departures_on(vc, hop, from);
    slots_freed(vc_of(*hop.up));
  }
  if (hop.flow.drain_from_ps >= 0) free_slots(vc, hop);
  if (hop.down != nullptr)
    if (VirtualChannel& down_vc = vc_of(*hop.down); !is_full(down_vc)) look_again_at(down_vc);
  if (hop.fork != nullptr)
    for (const Hop* branch : hop.fork->branches) look_again_at(vc_of(*branch));

  if (end >= hop.flow.base + hop.data_length) advanced_to_end(vc, hop, from);
  // The EOP of a circuit that was refused may be waiting for the data to go.
  if (vc.rules->hold && end == hop.flow.base + hop.data_length) look_again_at(vc);
  forget_past(vc, hop);
}

/// What follows from the last flits, of the data and of the worm.
void WormFlow::advanced_to_end(VirtualChannel& vc, Hop& hop, std::int64_t from) {
  const std::int64_t data_end = hop.flow.base + hop.data_length;
  if (from < data_end) {
    const std::int64_t data_tail_ps = vc.sent.at(data_end - 1);
    const bool is_tail = hop.data_length == hop.length;
    if (hop.up == nullptr)
      network_.data_over(hop, data_tail_ps + (is_tail ? vc.rules->tail_ps : vc.rules->flit_ps) +
                                  (vc.rules->hold && !is_tail ? vc.rules->tail_ps : 0));
    if (hop.last && hop.flow.drain_from_ps >= 0) data_drained(vc, hop);
  }
  if (vc.sent.end() < hop.flow.base + hop.length) return;
  const std::int64_t tail_ps = vc.sent.last_ps();
  vc.sending = nullptr;
  vc.free_ps = tail_ps + vc.rules->tail_ps;
  network_.tail_over(hop, vc.free_ps);
  hop.flow.own_tail_ps = tail_ps;
  if (hop.up != nullptr && !hop.reinjected) consumed(*hop.up, tail_ps, vc.free_ps);
  if (hop.flow.drain_from_ps >= 0) tail_drained(vc, hop);
  if (vc.rules->store_and_forward) check_front(vc);
}

/// Flits from `from` on, planned by now, leave the FIFO before, in whatever way that differs from their being sent.
void WormFlow::hand_departures_on(const VirtualChannel& vc, Hop& hop, std::int64_t from) {
  VirtualChannel& up_vc = vc_of(*hop.up);
  if (hop.up->fork != nullptr) return free_slots_of_all_branches(up_vc, *hop.up);
  if (up_vc.rules->unbounded_sink) return;
  for (std::int64_t n = from; n < vc.sent.end();) {
    const std::int64_t k = n - hop.flow.base;
    if (k == 0)  // what the switch removes goes with the header
      for (int stripped = 0; stripped < hop.strip; ++stripped) up_vc.freed.append({vc.sent.at(n), 0, 1});
    const Run run = vc.sent.from(n);
    if (k < hop.prepend) {
      n += std::min<std::int64_t>(run.count, hop.prepend - k);
      continue;
    }
    up_vc.freed.append(run);
    n += run.count;
  }
}

}  // namespace worm
}  // namespace sanvp::net
