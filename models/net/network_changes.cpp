/// What may change in the middle of a run.
#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/net/network.hpp"

namespace sanvp::net {
namespace {

ChannelRules with_times(ChannelRules rules, const ChannelRules& other) {
  rules.flit_time = other.flit_time;
  rules.tail_time = other.tail_time;
  rules.delay = other.delay;
  rules.tail_lead = other.tail_lead;
  rules.wire = other.wire;
  rules.control_hop = other.control_hop;
  rules.turnaround = other.turnaround;
  auto* const own = std::get_if<StopGo>(&rules.flow);
  if (const auto* stop_go = std::get_if<StopGo>(&other.flow); own != nullptr && stop_go != nullptr)
    own->signal_delay = stop_go->signal_delay;
  return rules;
}

bool has_tokens(const Wiring::Channel& channel) {
  const auto* credits = std::get_if<Credits>(&channel.rules.flow);
  return credits != nullptr && credits->token_time > Time{0};
}

}  // namespace

/// A borrowed wiring is copied before its first change.
Wiring& Network::change_wiring() {
  if (!own_wiring_) {
    own_wiring_ = std::make_unique<Wiring>(*wiring_);
    wiring_ = own_wiring_.get();
  }
  return *own_wiring_;
}

void Network::change_links(const Wiring& other) {
  new_times_.resize(wiring_->channels.size());
  unchanged_links_ = 0;
  Wiring changed = *wiring_;
  for (std::size_t c = 0; c < wiring_->channels.size(); ++c) {
    NewTimes& times = new_times_[c];
    times.rules = changed.channels[c].rules = with_times(wiring_->channels[c].rules, other.channels[c].rules);
    times.are_taken = times.rules == wiring_->channels[c].rules;
    if (times.are_taken) continue;
    ++unchanged_links_;
    layout_.channels[c].special = true;
    if (const int reverse = wiring_->channels[c].reverse; reverse >= 0)
      layout_.answer_hop_ps[static_cast<std::size_t>(reverse)] = times.rules.control_hop.count();
  }
  if (unchanged_links_ > 0) flow_->expect_times(changed);
}

/// A packet gets the channel.
void Network::take_new_times(int channel) {
  NewTimes& times = new_times_[static_cast<std::size_t>(channel)];
  if (times.are_taken || !flow_->is_idle(channel)) return;
  const Wiring::Channel& own = change_wiring().channels[static_cast<std::size_t>(channel)];
  std::vector<int> both{channel};
  if (own.reverse >= 0 && (has_tokens(own) || has_tokens(wiring_->channels[static_cast<std::size_t>(own.reverse)]))) {
    if (!flow_->is_idle(own.reverse)) return;
    both.push_back(own.reverse);
  }
  for (const int one : both) {
    NewTimes& its = new_times_[static_cast<std::size_t>(one)];
    if (its.are_taken) continue;
    its.busy_ps = statistics(one).busy_ps;
    its.until = layout_.channels[one].counters;
    change_wiring().channels[static_cast<std::size_t>(one)].rules = its.rules;
    its.are_taken = true;
    --unchanged_links_;
  }
  for (const int one : both) flow_->adopt_times(*wiring_, one);
}

void Network::adopt_policies(const Wiring& other) {
  Wiring& own = change_wiring();
  for (std::size_t unit = 0; unit < crossbars_.size(); ++unit) {
    own.switches[unit].rules = other.switches[unit].rules;
    crossbars_[unit].adopt_policies(other.switches[unit].rules);
  }
}

void Network::reseed(std::uint64_t seed) {
  for (std::size_t unit = 0; unit < crossbars_.size(); ++unit)
    crossbars_[unit].reseed({seed, wiring_->switches[unit].name});
  for (std::size_t unit = 0; unit < marks_.size(); ++unit)
    marks_[unit] = {seed, wiring_->switches[unit].name + ".marks"};
  for (std::size_t nic = 0; nic < bit_errors_.size(); ++nic)
    bit_errors_[nic] = {seed, wiring_->nics[nic].name + ".crc"};
  for (std::size_t channel = 0; channel < link_errors_.size(); ++channel)
    link_errors_[channel] = {seed, wiring_->channels[channel].name + ".retry"};
}

}  // namespace sanvp::net
