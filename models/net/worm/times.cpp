/// The times of channels, and how they change during a run: a channel takes new ones while it is idle, so that nothing
/// that was planned with the old ones matters any more.
#include "models/net/worm/times.hpp"

#include <algorithm>

#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

Time token_time_of(const ChannelRules& rules) {
  const auto* credits = std::get_if<Credits>(&rules.flow);
  return credits != nullptr ? credits->token_time : Time{0};
}

VcRules rules_of(const Wiring& wiring, const Wiring::Channel& channel) {
  VcRules vc;
  const ChannelRules& rules = channel.rules;
  vc.flit_ps = rules.flit_time.count();
  vc.tail_ps = rules.tail_time.count();
  vc.delay_ps = rules.delay.count();
  vc.tail_delay_ps = (rules.delay - rules.tail_lead).count();
  vc.tokens = channel.reverse >= 0 && token_time_of(rules) > Time{0};
  const bool carries_tokens = channel.reverse >= 0 && token_time_of(wiring.channels[channel.reverse].rules) > Time{0};
  vc.turns = rules.virtual_channels > 1 || vc.tokens || carries_tokens;
  vc.hold = rules.hold;
  vc.circuits = !wiring.nics.empty() && wiring.nics.front().rules.circuit;
  const Terminal to = channel.to;
  vc.to_nic = to.kind == Terminal::Kind::nic;
  vc.store_and_forward = to.kind == Terminal::Kind::switch_ && wiring.switches[to.unit].rules.store_and_forward;
  if (const auto* credits = std::get_if<Credits>(&rules.flow)) {
    vc.buffer = credits->buffer;
    vc.batch = credits->batch;
    vc.credit_ps = credits->return_delay.count();
    if (vc.tokens) vc.credit_ps += (credits->token_time + wiring.channels[channel.reverse].rules.wire).count();
    const std::int64_t filled_ps = (vc.buffer - vc.batch + 1) * std::min(vc.flit_ps, vc.tail_ps);
    // A credit in the same instant is too late if it comes a round after another virtual channel (rounds_after()).
    const std::int64_t late_ps = vc.turns && vc.credit_ps == 0 ? 1 : 0;
    vc.unbounded_sink = vc.to_nic && !vc.tokens && wiring.nics[to.unit].rules.pool_flits == INT64_MAX &&
                        filled_ps >= vc.longest_delay_ps() + vc.credit_ps + late_ps;
  } else {
    const auto& stop_go = std::get<StopGo>(rules.flow);
    vc.stop_go = true;
    vc.buffer = stop_go.buffer;
    vc.stop = stop_go.stop;
    vc.go = stop_go.go;
    vc.signal_ps = stop_go.signal_delay.count();
  }
  return vc;
}

std::int64_t most_held(const Wiring& wiring, const Wiring::Channel& channel, const VcRules& vc) {
  const bool from_repeater =
      channel.from.kind == Terminal::Kind::switch_ && wiring.switches[channel.from.unit].repeater;
  if (!vc.stop_go || vc.turns || vc.circuits || vc.store_and_forward || from_repeater || wiring.looks_at_queues)
    return INT32_MAX;
  return vc.stop + 1 + (vc.delay_ps + std::max<std::int64_t>(vc.signal_ps, 1)) / vc.flit_ps + 1;
}

void WormFlow::share_rules(int channel, const VcRules& rules) {
  auto shared = std::find(rules_.begin(), rules_.end(), rules);
  if (shared == rules_.end()) shared = rules_.insert(rules_.end(), rules);
  const Channel& of = channels_[static_cast<std::size_t>(channel)];
  for (int l = of.first_vc; l < of.first_vc + of.vcs; ++l) vcs_[static_cast<std::size_t>(l)].rules = &*shared;
}

/// Whether all that is planned on the VC has had its last effect before now.
bool WormFlow::is_settled(const VirtualChannel& vc) const {
  const VcRules& rules = *vc.rules;
  const std::int64_t now_ps = queue_.now_ps();
  if (vc.sending != nullptr || vc.sent.last_ps() + rules.tail_ps >= now_ps) return false;
  if (rules.unbounded_sink) return vc.sent.last_ps() + rules.tail_delay_ps + rules.credit_ps < now_ps;
  if (vc.freed.end() != vc.sent.end()) return false;
  if (!rules.tokens) return vc.freed.last_ps() + std::max(rules.credit_ps, rules.signal_ps) < now_ps;
  const Runs& tokens = tokens_of(vc).sent;
  return vc.freed.last_ps() < now_ps && tokens.end() == vc.freed.end() / rules.batch &&
         tokens.last_ps() + rules.credit_ps < now_ps;
}

bool WormFlow::is_idle(int channel) const {
  const Channel& of = channels_[static_cast<std::size_t>(channel)];
  const auto* const first = &vcs_[static_cast<std::size_t>(of.first_vc)];
  return std::all_of(first, first + of.vcs, [this](const VirtualChannel& vc) { return is_settled(vc); });
}

/// Headers that are ahead of worms which the VCs might hold by the new times wait for the other flits again.
void WormFlow::expect_times(const Wiring& other) {
  const std::int64_t before = most_held_;
  for (const Wiring::Channel& channel : other.channels)
    most_held_ = std::max(most_held_, most_held(other, channel, rules_of(other, channel)));
  if (most_held_ == before) return;
  for (VirtualChannel& vc : vcs_)
    if (Hop* const hop = vc.sending; hop != nullptr && is_ahead(*hop) && hop->down == nullptr) catch_up(*hop);
  replan();
}

void WormFlow::adopt_times(const Wiring& wiring, int channel) {
  const Channel& of = channels_[static_cast<std::size_t>(channel)];
  VcRules rules = rules_of(wiring, wiring.channels[static_cast<std::size_t>(channel)]);
  for (int l = of.first_vc; l < of.first_vc + of.vcs; ++l) {
    VirtualChannel& vc = vcs_[static_cast<std::size_t>(l)];
    vc.sent.forget();
    vc.freed.forget();
    if (rules.tokens) tokens_of(vc).sent.forget();
    // Slots of an unbounded sink have not been counted.
    if (vc.rules->unbounded_sink && vc.freed.end() < vc.sent.end()) {
      vc.freed.append({long_ago, 0, vc.sent.end() - vc.freed.end()});
      vc.freed.forget();
    }
    if (vc.rules->stop_go) {
      vc.signals->scan = vc.sent.end() + rules.stop;
      vc.signals->stopped_ps = -1;
    }
    rules.unbounded_sink &= vc.rules->unbounded_sink;
  }
  share_rules(channel, rules);
}

}  // namespace sanvp::net::worm
