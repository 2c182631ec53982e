#include "models/net/network.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace sanvp::net {

namespace {

/// Memory per channel, for the first block: an estimate (a VC, a hop and more).
constexpr std::size_t bytes_per_channel = 12 * cache_line;

bool waits_for_tokens(const Wiring::Channel& channel) {
  const auto* credits = std::get_if<Credits>(&channel.rules.flow);
  return credits != nullptr && credits->token_time > Time{0};
}

/// Whether the worm fidelity takes plans back on it (worm/turns.cpp), or on the channel with its tokens.
bool is_shared(const Wiring::Channel& channel) {
  return channel.rules.virtual_channels > 1 || waits_for_tokens(channel);
}

bool sends_again(const Wiring::Channel& channel) { return channel.rules.retry && channel.rules.bit_error_rate > 0; }

}  // namespace

Network::Network(Borrowed borrowed, EventQueue& queue, Fidelity fidelity, std::uint64_t seed)
    : Network(nullptr, borrowed.wiring, queue, fidelity, seed) {}

Network::Network(const Wiring& wiring, EventQueue& queue, Fidelity fidelity, std::uint64_t seed)
    : Network(std::make_unique<Wiring>(wiring), wiring, queue, fidelity, seed) {}

Network::Network(std::unique_ptr<Wiring> own, const Wiring& wiring, EventQueue& queue, Fidelity fidelity,
                 std::uint64_t seed)
    : own_wiring_(std::move(own)),
      wiring_(own_wiring_ ? own_wiring_.get() : &wiring),
      hosts_(wiring.hosts()),
      memory_(bytes_per_channel * (wiring.channels.size() + 1), &pages_),
      queue_(queue),
      by_flit_(fidelity == Fidelity::flit),
      layout_(memory_),
      outputs_(&memory_),
      packets_(&memory_),
      hops_(&memory_) {
  wiring_->validate();
  int vcs = 0;
  for (const auto& channel : wiring_->channels) {
    first_vc_.push_back(vcs);
    vcs += channel.rules.virtual_channels;
  }
  first_vc_.push_back(vcs);
  layout_ = Layout::of(*wiring_, memory_);
  for (const int out : layout_.outs) {
    OutputPort& output = outputs_.emplace_back();
    if (out < 0) continue;
    output.cabled_channels = static_cast<std::uint8_t>(wiring_->channels[out].rules.virtual_channels);
    if (!wiring_->channels[out].failed) output.virtual_channels = output.cabled_channels;
  }
  for (const auto& unit : wiring_->switches) {
    const std::span outputs{outputs_.data() + layout_.output(static_cast<int>(crossbars_.size()), 0), unit.out.size()};
    crossbars_.emplace_back(unit.rules, Random{seed, unit.name}, outputs);
  }
  processor_free_ps_.resize(wiring_->switches.size());
  ports_.resize(wiring_->nics.size());
  for (const auto& nic : wiring_->nics) bit_errors_.emplace_back(seed, nic.name + ".crc");
  if (std::any_of(wiring_->channels.begin(), wiring_->channels.end(), sends_again))
    for (const auto& channel : wiring_->channels) link_errors_.emplace_back(seed, channel.name + ".retry");
  if (std::ranges::any_of(wiring_->switches, [](const auto& unit) { return unit.rules.marking.policy != nullptr; }))
    for (const auto& unit : wiring_->switches) marks_.emplace_back(seed, unit.name + ".marks");
  nic_is_dirty_.resize(wiring_->nics.size());
  switch_is_dirty_.resize(wiring_->switches.size());
  flow_ = by_flit_ ? make_flit_flow(*wiring_, first_vc_, queue_, *this)
                   : make_worm_flow(*wiring_, first_vc_, queue_, *this, memory_);
  plans_are_final_ = !by_flit_ && std::none_of(wiring_->channels.begin(), wiring_->channels.end(), is_shared);
  eops_are_final_ =
      !by_flit_ && std::all_of(wiring_->channels.begin(), wiring_->channels.end(), [](const Wiring::Channel& channel) {
        return (channel.rules.hold && !waits_for_tokens(channel)) || !is_shared(channel);
      });
  elides_ = queue_.elides();
  has_exclusive_vcs_ = std::any_of(wiring_->channels.begin(), wiring_->channels.end(),
                                   [](const Wiring::Channel& channel) { return channel.rules.exclusive != 0; });
  queue_.enroll(*this, by_flit_);
}

Network::~Network() { queue_.withdraw(*this); }

Packet& Network::make_packet() {
  Packet* packet = nullptr;
  if (free_packets_.empty()) {
    packet = &packets_.emplace_back();
  } else {
    packet = free_packets_.back();
    free_packets_.pop_back();
    auto route = std::move(packet->route);  // keeps its storage
    route.steps.clear();
    route.relation = nullptr;
    *packet = Packet{};
    packet->route = std::move(route);
  }
  packet->id = next_packet_++;
  packet->generated = now();
  return *packet;
}

Hop& Network::make_hop(Packet& packet, int channel, int vc) {
  // The channel and its VC are seldom in the cache of a large network: prefetches both.
  __builtin_prefetch(&layout_.channels[channel]);
  const int vc_index = first_vc_[channel] + vc;
  flow_->fetch(channel, vc_index);
  Hop* hop = nullptr;
  if (free_hops_.empty()) {
    hop = &hops_.emplace_back();
  } else {
    hop = free_hops_.back();
    free_hops_.pop_back();
    const std::uint32_t serial = hop->serial + 1;
    std::destroy_at(hop);  // built in place: an assignment would build another one first, and copy it
    std::construct_at(hop);
    hop->serial = serial;
  }
  hop->packet = &packet;
  hop->channel = channel;
  hop->vc = vc;
  hop->vc_index = vc_index;
  hop->granted_ps = queue_.now_ps();
  ++packet.parts_alive;
  return *hop;
}

void Network::end_loose(Hop& hop) {
  if (--hop.loose_ends > 0) return;
  flow_->forget(hop);
  Packet& packet = *hop.packet;
  free_hops_.push_back(&hop);
  if (--packet.parts_alive > 0) return;
  packet.payload.reset();
  packet.descend = nullptr;
  --in_flight_;
  free_packets_.push_back(&packet);
}

void Network::schedule(Due due, Hop& hop, std::int64_t ps) {
  queue_.schedule({.ps = ps,
                   .handler = this,
                   .subject = &hop,
                   .serial = hop.serial,
                   .kind = kind_of(due),
                   .unit = static_cast<std::uint32_t>(hop.vc_index)});
}

void Network::wake_nic(int nic) {
  if (nic_is_dirty_[nic] != 0) return;
  nic_is_dirty_[nic] = 1;
  dirty_nics_.push_back(nic);
  queue_.request_update();
}

/// For packets that wait: a NIC without any needs no timer, since it looks at the clock when it gets one.
void Network::wake_nic_at(int nic, std::int64_t ps) {
  if (ps <= queue_.now_ps()) return wake_nic(nic);
  if (ps == never.count() || ps == std::exchange(ports_[nic].timer_ps, ps)) return;
  queue_.schedule({.ps = ps, .handler = this, .kind = kind_of(Due::wake_nic), .unit = static_cast<std::uint32_t>(nic)});
}

void Network::wake_switch(int unit) {
  if (switch_is_dirty_[unit] != 0) return;
  switch_is_dirty_[unit] = 1;
  dirty_switches_.push_back(unit);
  queue_.request_update();
}

void Network::handle(const Event& event) {
  const auto due = static_cast<Due>(event.kind);
  if (due == Due::wake_nic) return wake_nic(static_cast<int>(event.unit));
  Hop& hop = *static_cast<Hop*>(event.subject);
  if (hop.serial != event.serial) return;
  Packet& packet = *hop.packet;
  const std::int64_t now_ps = queue_.now_ps();
  // A plan may have been taken back and made again: an event counts if its instant is still the planned one, and once.
  const auto is_planned = [now_ps](std::int64_t& planned_ps) {
    if (planned_ps != now_ps) return false;
    planned_ps = happened;
    return true;
  };
  switch (due) {
    case Due::release:
      if (is_planned(hop.due.release_ps)) release(hop);
      break;
    case Due::deliver:
      if (is_planned(hop.due.arrival_ps)) deliver(packet, hop);
      break;
    case Due::end_drain:
      if (is_planned(hop.due.drained_ps)) end_drain(packet, hop);
      break;
    case Due::serve_front:
      // A stale one may fall on the instant of the request, which a software router has put off.
      if (hop.due.front_ps != now_ps || !is_planned(hop.due.request_ps)) break;
      fronts_.push_back(&hop);
      queue_.request_update();
      break;
    case Due::request:
      if (is_planned(hop.due.request_ps)) request(packet, hop);
      break;
    case Due::detect:
      detect(packet, hop);
      break;
    case Due::acknowledged:
      acknowledged(packet, hop);
      break;
    case Due::wake_nic:
      break;
  }
}

void Network::update() {
  // NICs in node order, then switches in order of creation, then channels; again until nothing changes.
  for (;;) {
    if (!fronts_.empty() || !full_pools_.empty()) serve_fronts();
    while (!dirty_nics_.empty() || !dirty_switches_.empty()) {
      if (dirty_nics_.size() > 1) std::sort(dirty_nics_.begin(), dirty_nics_.end());
      for (std::size_t i = 0; i < dirty_nics_.size(); ++i) {
        nic_is_dirty_[dirty_nics_[i]] = 0;
        start_packets(dirty_nics_[i]);
      }
      dirty_nics_.clear();
      if (dirty_switches_.size() > 1) std::sort(dirty_switches_.begin(), dirty_switches_.end());
      for (std::size_t i = 0; i < dirty_switches_.size(); ++i) {
        switch_is_dirty_[dirty_switches_[i]] = 0;
        serve(dirty_switches_[i]);
      }
      dirty_switches_.clear();
    }
    if (!flow_->transmit() && dirty_nics_.empty() && dirty_switches_.empty()) break;
  }
}

ChannelStatistics Network::statistics(int channel) {
  catch_up();
  const Layout::Counters& counted = layout_.channels[channel].counters;
  const ChannelRules& rules = wiring_->channels[channel].rules;
  const NewTimes before = new_times_.empty() ? NewTimes{} : new_times_[static_cast<std::size_t>(channel)];
  const auto tails = static_cast<std::int64_t>(counted.packets - before.until.packets);
  const auto others = static_cast<std::int64_t>(counted.flits - before.until.flits) - tails;
  return {.packets = counted.packets,
          .flits = counted.flits,
          .busy_ps = before.busy_ps + others * rules.flit_time.count() + tails * rules.tail_time.count(),
          .wait_ps = counted.wait_ps,
          .longest_wait_ps = counted.longest_wait_ps,
          .head_blocking_ps = counted.head_blocking_ps,
          .held_ps = counted.held_ps};
}

void Network::clear_statistics() {
  catch_up();
  for (Layout::Channel& channel : layout_.channels) channel.counters = {};
  for (NewTimes& times : new_times_) {
    times.until = {};
    times.busy_ps = 0;
  }
  for (NicPort& port : ports_) {
    port.pool_most = port.pool_used;
    port.spilled = 0;
  }
}

}  // namespace sanvp::net
