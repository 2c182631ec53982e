/// The end of a hop's tail: its virtual channel is free, and at a NIC its slot. A release that no header or packet
/// waits for is no event: it is *quiet*, and is accounted for when the packet is delivered.

#include <algorithm>
#include <utility>

#include "models/net/network.hpp"

namespace sanvp::net {
namespace {

bool owns_its_channel(const Hop& hop, std::int64_t now_ps) {
  const bool is_over = hop.quiet && hop.due.release_ps <= now_ps;
  return hop.loose_ends > 0 && hop.owner && !is_over;
}

}  // namespace

/// Called by the flow. @param ps  when the transmission of the hop's tail ends
void Network::tail_over(Hop& hop, std::int64_t ps) {
  if (hop.due.release_ps == ps) return;
  hop.due.release_ps = ps;
  if (ps < 0) return;
  hop.quiet = elides_ && !observed_promptly_ && is_final(hop) && release_quietly_at(hop, ps);
  if (!hop.quiet) schedule(Due::release, hop, ps);
}

/// Whether the planned tail time is final: if virtual channels hold the channel, it is final for a circuit's EOP behind
/// data that have all been delivered, since a command waits for no other data. (Observers that sum up packets at their
/// last release keep the order of these.)
bool Network::is_final(const Hop& hop) const {
  if (has_exclusive_vcs_) return false;  // releases concern the virtual channel before, too
  if (plans_are_final_) return true;
  if (hop.last && observer_ != nullptr) return false;
  return eops_are_final_ && hop.length != hop.data_length && hop.packet->branches == 0 && !hop.packet->lost;
}

/// Records that the virtual channel is free from `ps` on, for the switch or NIC that sends on the channel to see.
/// @return false if an event is needed instead
bool Network::release_quietly_at(Hop& hop, std::int64_t ps) {
  const Layout::Channel& channel = layout_.channels[hop.channel];
  if (channel.from_nic) return leave_quietly_at(hop, channel.from, ps);
  return crossbars_[channel.from].release_later(channel.from_port, ps, hop, queue_.now_ps());
}

bool Network::leave_quietly_at(const Hop& hop, int nic, std::int64_t ps) {
  NicPort& port = ports_[nic];
  if (hop.reinjected || port.hears_sent) return false;
  auto behind = port.leaving.end();
  while (behind != port.leaving.begin() && (behind - 1)->ps > ps) --behind;
  port.leaving.insert(behind, {ps, hop.vc});
  if (port.has_waiting()) wake_nic_at(nic, ps);
  return true;
}

/// A header has begun to wait for the virtual channel of a quiet release.
void Network::release_by_event(Hop& hop) {
  hop.quiet = false;
  schedule(Due::release, hop, hop.due.release_ps);
}

void Network::release(Hop& hop) {
  const Layout::Channel& channel = layout_.channels[hop.channel];
  count(hop, queue_.now_ps());
  if (channel.from_nic) {
    NicPort& port = ports_[channel.from];
    leave(channel.from, hop.vc, queue_.now_ps());
    wake_nic(channel.from);
    if (!hop.reinjected) {
      if (port.endpoint != nullptr) port.endpoint->sent(*hop.packet);
    } else {
      port.pool_used -= hop.length;
      if (!port.pool_waiting.empty()) full_pools_.push_back(channel.from);
    }
  } else {
    if (!has_exclusive_vcs_ || hop.emptied || !is_exclusive(hop)) give_back(hop);
    if (has_exclusive_vcs_ && hop.up != nullptr) empty(*hop.up);
  }
  part(hop, queue_.now_ps());
}

/// A virtual channel of a switch's output is free.
void Network::give_back(const Hop& hop) {
  const Layout::Channel& channel = layout_.channels[hop.channel];
  Crossbar& crossbar = crossbars_[channel.from];
  crossbar.release(channel.from_port, hop.vc);
  if (!crossbar.waiting().empty()) wake_switch(channel.from);
}

/// The hop's tail has left the buffer at its far end. An exclusive virtual channel is free if it has left this end,
/// too.
void Network::empty(Hop& hop) {
  if (hop.emptied || !is_exclusive(hop)) return;
  hop.emptied = true;
  if (!hop.owner) give_back(hop);
}

/// Accounts for a quiet release, and those of the hops before it, if it is over by `until_ps`.
void Network::account_for_release(Hop& hop, std::int64_t until_ps) {
  if (!hop.quiet) return;
  if (hop.due.release_ps > until_ps) return release_by_event(hop);
  hop.quiet = false;
  count(hop, hop.due.release_ps);
  part(hop, until_ps);
}

void Network::catch_up() {
  const std::pair present{queue_.now_ps(), queue_.processed()};
  if (std::exchange(caught_up_, present) == present) return;
  account_for_releases(queue_.now_ps());
}

Time Network::last_quiet_release() const {
  std::int64_t last_ps = queue_.now_ps();
  for (const Hop& hop : hops_)
    if (hop.quiet) last_ps = std::max(last_ps, hop.due.release_ps);
  return Time{last_ps};
}

bool Network::conclude(Time until) {
  const Time last = last_quiet_release();
  queue_.advance_to(std::min(last, until));
  account_for_releases(queue_.now_ps());
  return last <= until;
}

void Network::account_for_releases(std::int64_t until_ps) {
  for (Hop& hop : hops_)
    if (hop.quiet && hop.due.release_ps <= until_ps) account_for_release(hop, until_ps);
}

void Network::visit_owners(const std::function<void(const Hop&)>& visit) const {
  for (const Hop& hop : hops_)
    if (owns_its_channel(hop, queue_.now_ps())) visit(hop);
}

std::vector<ChannelUse> Network::under_way() {
  catch_up();
  std::vector<ChannelUse> all(layout_.channels.size());
  for (const Hop& hop : hops_) {
    if (!owns_its_channel(hop, queue_.now_ps())) continue;
    const ChannelRules& rules = wiring_->channels[hop.channel].rules;
    ChannelUse& use = all[static_cast<std::size_t>(hop.channel)];
    use.held_ps += queue_.now_ps() - hop.granted_ps;
    const auto [flits, last_ps] = flow_->started(hop);
    if (flits == 0) continue;
    // A circuit's EOP on a channel that is held has its time right behind the data, whenever it goes.
    const bool keeps_time = rules.hold && hop.length != hop.data_length;
    const std::int64_t counted = keeps_time ? std::min<std::int64_t>(flits, hop.data_length) : flits;
    Time last = counted == hop.length ? rules.tail_time : rules.flit_time;
    if (keeps_time && counted == hop.data_length) last += rules.tail_time;
    const std::int64_t since_ps = flits > counted ? last.count() : queue_.now_ps() - last_ps;
    use.busy_ps += (counted - 1) * rules.flit_time.count() + std::min(since_ps, last.count());
  }
  return all;
}

void Network::visit_waiting(const std::function<void(int unit, const Request&)>& visit) const {
  for (std::size_t unit = 0; unit < crossbars_.size(); ++unit)
    for (const Request& request : crossbars_[unit].waiting()) visit(static_cast<int>(unit), request);
}

void Network::count(Hop& hop, std::int64_t released_ps) {
  Layout::Counters& counters = layout_.channels[hop.channel].counters;
  __builtin_prefetch(&counters);  // while the hops before are looked at, one after the other
  // Observers hear of a packet's hops in their order, so that one that sums up a packet can do so at its last hop.
  // On a slow channel before a fast one the tail may end later.
  if (hop.up != nullptr) account_for_release(*hop.up, queue_.now_ps());
  hop.owner = false;
  ++counters.packets;
  counters.flits += static_cast<std::uint64_t>(hop.length);
  counters.held_ps += released_ps - hop.granted_ps;
  if (observer_ != nullptr) observer_->hop_over(hop, Time{released_ps});
}

/// Separates a released hop from the one before it.
void Network::part(Hop& hop, std::int64_t until_ps) {
  Hop* up = std::exchange(hop.up, nullptr);
  const bool is_branch = up != nullptr && up->fork != nullptr;
  if (!is_branch) end_loose(hop);
  if (up == nullptr) return;
  account_for_release(*up, until_ps);
  if (--up->open_branches > 0) return;
  // Branches count until the last of them is through.
  if (is_branch)
    for (Hop* branch : up->fork->branches) end_loose(*branch);
  end_loose(*up);
}

/// A packet's tail has left the NIC at `ps`: its slot and virtual channel are free.
void Network::leave(int nic, int vc, std::int64_t ps) {
  NicPort& port = ports_[nic];
  port.owned &= ~(1U << vc);
  --port.busy_slots;
  const Layout::Nic& at = layout_.nics[nic];
  if (at.gap_from == NicRules::GapFrom::tail_end) port.ready_ps = ps + at.gap_ps;
}

/// Packets whose tails have left quietly by now.
void Network::free_slots_left_by(NicPort& port, int nic) {
  while (!port.leaving.empty() && port.leaving.front().ps <= queue_.now_ps()) {
    const auto [ps, vc] = port.leaving.take_front();
    leave(nic, vc, ps);
  }
}

/// Called by the flow: the gap behind the packet's data begins at `ps`.
void Network::data_over(Hop& hop, std::int64_t ps) {
  const Layout::Channel& channel = layout_.channels[hop.channel];
  if (!channel.from_nic) return;
  const Layout::Nic& at = layout_.nics[channel.from];
  if (at.gap_from != NicRules::GapFrom::data_end) return;
  NicPort& port = ports_[channel.from];
  port.ready_ps = ps < 0 ? never.count() : ps + at.gap_ps;
  if (port.has_waiting() && port.busy_slots < at.slots) wake_nic_at(channel.from, port.ready_ps);
}

}  // namespace sanvp::net
