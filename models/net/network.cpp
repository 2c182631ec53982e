#include "models/net/network.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "platform/core/error.hpp"

namespace sanvp::net {

namespace {

/// Stands for the planned instant of something that has happened.
constexpr std::int64_t happened = -2;

}  // namespace

Network::Network(const Wiring& wiring, EventQueue& queue, Fidelity fidelity, std::uint64_t seed)
    : wiring_(wiring), queue_(queue), statistics_(wiring.channels.size()) {
  wiring_.validate();
  int lanes = 0;
  for (const auto& channel : wiring_.channels) {
    first_lane_.push_back(lanes);
    lanes += channel.rules.virtual_channels;
  }
  first_lane_.push_back(lanes);
  owners_.resize(lanes);
  layout_ = Layout::of(wiring_, first_lane_);
  for (const auto& unit : wiring_.switches) {
    Crossbar& crossbar = crossbars_.emplace_back(unit.rules, Random{seed, unit.name});
    for (const int out : unit.out) {
      const bool works = out >= 0 && !wiring_.channels[out].failed;
      crossbar.add_output(works ? wiring_.channels[out].rules.virtual_channels : 0);
    }
  }
  processor_free_ps_.resize(wiring_.switches.size());
  ports_.resize(wiring_.nics.size());
  for (const auto& nic : wiring_.nics) bit_errors_.emplace_back(seed, nic.name + ".crc");
  nic_is_dirty_.resize(wiring_.nics.size());
  switch_is_dirty_.resize(wiring_.switches.size());
  flow_ = fidelity == Fidelity::flit ? make_flit_flow(wiring_, first_lane_, queue_, *this)
                                     : make_worm_flow(wiring_, first_lane_, queue_, *this);
  queue_.enroll(*this);
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
    *packet = Packet{};
    packet->route = std::move(route);
  }
  packet->id = next_packet_++;
  packet->generated = now();
  return *packet;
}

namespace {

/// (1-e)^bits by repeated squaring: IEEE basic operations only, so the same on every machine.
double all_intact(const ChannelRules& rules, std::int64_t flits) {
  double power = 1 - rules.bit_error_rate;
  double result = 1;
  for (std::int64_t bits = flits * rules.flit_bits; bits != 0; bits >>= 1, power *= power)
    if ((bits & 1) != 0) result *= power;
  return result;
}

}  // namespace

Leg& Network::make_leg(Packet& packet, int channel, int vc) {
  Leg* leg = nullptr;
  if (free_legs_.empty()) {
    leg = &legs_.emplace_back();
  } else {
    leg = free_legs_.back();
    free_legs_.pop_back();
    const std::uint32_t serial = leg->serial + 1;
    auto branches = std::move(leg->branches);
    branches.clear();
    *leg = Leg{};
    leg->branches = std::move(branches);
    leg->serial = serial;
  }
  leg->packet = &packet;
  leg->channel = channel;
  leg->vc = vc;
  leg->lane = first_lane_[channel] + vc;
  leg->granted_ps = queue_.now_ps();
  owners_[leg->lane] = leg;
  ++packet.parts_alive;
  return *leg;
}

void Network::end_loose(Leg& leg) {
  if (--leg.loose_ends > 0) return;
  flow_->forget(leg);
  Packet& packet = *leg.packet;
  free_legs_.push_back(&leg);
  if (--packet.parts_alive > 0) return;
  packet.payload.reset();
  packet.descend = nullptr;
  --in_flight_;
  free_packets_.push_back(&packet);
}

void Network::schedule(Kind kind, Leg& leg, std::int64_t ps) {
  queue_.schedule({.ps = ps,
                   .handler = this,
                   .subject = &leg,
                   .serial = leg.serial,
                   .kind = kind,
                   .unit = static_cast<std::uint32_t>(leg.lane)});
}

void Network::wake_nic(int nic) {
  if (nic_is_dirty_[nic] != 0) return;
  nic_is_dirty_[nic] = 1;
  dirty_nics_.push_back(nic);
}

void Network::wake_switch(int unit) {
  if (switch_is_dirty_[unit] != 0) return;
  switch_is_dirty_[unit] = 1;
  dirty_switches_.push_back(unit);
}

void Network::handle(const Event& event) {
  if (event.kind == k_nic) {
    wake_nic(static_cast<int>(event.unit));
    return;
  }
  Leg& leg = *static_cast<Leg*>(event.subject);
  if (leg.serial != event.serial) return;
  const std::int64_t now_ps = queue_.now_ps();
  // A plan may have been taken back and made again: an event counts if its instant is still the planned one, and once.
  const auto due = [now_ps](std::int64_t& planned_ps) {
    if (planned_ps != now_ps) return false;
    planned_ps = happened;
    return true;
  };
  switch (static_cast<Kind>(event.kind)) {
    case k_released:
      if (due(leg.release_at_ps)) release(leg);
      break;
    case k_arrived:
      if (due(leg.arrive_at_ps)) deliver(leg);
      break;
    case k_drained:
      if (!due(leg.drained_at_ps)) break;
      if (!leg.last && ports_[leg.packet->source].endpoint != nullptr)
        ports_[leg.packet->source].endpoint->lost(*leg.packet);
      end_loose(leg);
      break;
    case k_front:
      if (due(leg.request_at_ps)) fronts_.push_back(&leg);
      break;
    case k_request:
      if (due(leg.request_at_ps)) request(leg);
      break;
    case k_detected: {
      const int nic = wiring_.channels[leg.channel].to.unit;
      const std::int64_t ready = now_ps + wiring_.nics[nic].rules.reprogram.count();
      ports_[nic].in_transit.push_back({&leg, ready});
      queue_.schedule({.ps = ready, .handler = this, .kind = k_nic, .unit = static_cast<std::uint32_t>(nic)});
      break;
    }
    case k_acknowledged:
      last_progress_ps_ = now_ps;
      flow_->acknowledge(leg);
      break;
    case k_data_over:
      if (due(leg.data_end_at_ps)) next_after(wiring_.channels[leg.channel].from.unit, NicRules::GapFrom::data_end);
      break;
    case k_nic:
      break;
  }
}

void Network::foresee(const Event& event) const {
  if (event.kind != k_request && event.kind != k_released) return;
  const Leg& leg = *static_cast<const Leg*>(event.subject);
  const Layout::Channel& channel = layout_.channels[leg.channel];
  __builtin_prefetch(leg.packet);
  __builtin_prefetch(&statistics_[leg.channel]);
  if (event.kind == k_request && !channel.to_nic) __builtin_prefetch(&crossbars_[channel.to]);
  if (event.kind == k_released && !channel.from_nic) __builtin_prefetch(&crossbars_[channel.from]);
  flow_->foresee(leg.lane);
}

void Network::settle() {
  // NICs in node order, then switches in order of creation, then channels; again until nothing changes.
  for (;;) {
    if (!fronts_.empty() || !full_pools_.empty()) serve_fronts();
    while (!dirty_nics_.empty() || !dirty_switches_.empty()) {
      std::sort(dirty_nics_.begin(), dirty_nics_.end());
      for (std::size_t i = 0; i < dirty_nics_.size(); ++i) {
        nic_is_dirty_[dirty_nics_[i]] = 0;
        start_packets(dirty_nics_[i]);
      }
      dirty_nics_.clear();
      std::sort(dirty_switches_.begin(), dirty_switches_.end());
      for (std::size_t i = 0; i < dirty_switches_.size(); ++i) {
        switch_is_dirty_[dirty_switches_[i]] = 0;
        serve(dirty_switches_[i]);
      }
      dirty_switches_.clear();
    }
    if (!flow_->transmit() && dirty_nics_.empty() && dirty_switches_.empty()) break;
  }
}

// ---- the sending NIC

void Network::send(Packet& packet) {
  if (packet.source < 0 || packet.source >= static_cast<int>(ports_.size()))
    throw UserError("packet " + std::to_string(packet.id), "there is no host " + std::to_string(packet.source),
                    "hosts go from 0 to " + std::to_string(ports_.size() - 1));
  if (packet.flits < 1)
    throw UserError("packet " + std::to_string(packet.id), "a packet has at least one flit", "give it a length");
  ports_[packet.source].queue.push_back(&packet);
  ++in_flight_;
  wake_nic(packet.source);
}

void Network::start_packets(int nic) {
  NicPort& port = ports_[nic];
  const NicRules& rules = wiring_.nics[nic].rules;
  while (!port.in_transit.empty() || !port.queue.empty()) {
    if (port.busy_slots >= rules.slots) return;
    if (port.ready_ps > queue_.now_ps()) return;  // its timer is set
    if (!port.in_transit.empty()) {
      const auto [arriving, ready_ps] = port.in_transit.front();
      if (ready_ps > queue_.now_ps() || !start_packet(nic, *arriving->packet, arriving)) return;
      port.in_transit.pop_front();
    } else {
      if (!start_packet(nic, *port.queue.front(), nullptr)) return;
      port.queue.pop_front();
      // The next one waits for this one's last data flit, however many places are free.
      if (rules.gap_from == NicRules::GapFrom::data_end) port.ready_ps = never.count();
    }
    next_after(nic, NicRules::GapFrom::start);
  }
}

bool Network::start_packet(int nic, Packet& packet, Leg* in_transit) {
  NicPort& port = ports_[nic];
  const int channel = wiring_.nics[nic].out;
  if (channel < 0) throw UserError(wiring_.nics[nic].name, "the host is not cabled", "connect it to a switch");
  const int virtual_channels = layout_.channels[channel].lanes;
  const std::uint32_t free = ~port.owned & ((1U << virtual_channels) - 1);
  const int wanted = in_transit != nullptr ? topologies::Step::any_vc : packet.route.source_vc;
  if (wanted == topologies::Step::any_vc ? free == 0 : (free >> wanted & 1U) == 0) return false;
  const int vc = wanted == topologies::Step::any_vc ? std::countr_zero(free) : wanted;
  port.owned |= 1U << vc;
  ++port.busy_slots;
  last_progress_ps_ = queue_.now_ps();

  Leg& leg = make_leg(packet, channel, vc);
  const NicRules& rules = wiring_.nics[nic].rules;
  if (in_transit == nullptr) {
    leg.data_length = packet.flits;
    leg.length = packet.flits + (rules.circuit ? 1 : 0);
    packet.injected = now();
    if (port.endpoint != nullptr) port.endpoint->injected(packet);
  } else {
    leg.up = in_transit;
    in_transit->down = &leg;
    leg.reinjected = true;
    leg.step = in_transit->step;
    leg.data_length = in_transit->data_length;
    leg.length = in_transit->length;
  }
  leg.last = layout_.channels[channel].to_nic;
  begin(leg, queue_.now_ps());
  return true;
}

void Network::begin(Leg& leg, std::int64_t earliest_ps) {
  if (leg.up != nullptr) leg.intact = leg.up->intact;
  if (!layout_.channels[leg.channel].special) {
    flow_->start(leg, earliest_ps);
    return;
  }
  const Wiring::Channel& channel = wiring_.channels[leg.channel];
  if (channel.rules.bit_error_rate > 0) leg.intact *= all_intact(channel.rules, leg.length);
  const bool whole =
      channel.to.kind == Terminal::Kind::switch_ && wiring_.switches[channel.to.unit].rules.store_and_forward;
  if (const int places = buffer_flits(channel.rules.flow); whole && leg.length > places)
    throw UserError(channel.name,
                    "packet " + std::to_string(leg.packet->id) + " of " + std::to_string(leg.length) +
                        " flits cannot be stored in a buffer of " + std::to_string(places),
                    "send shorter packets or enlarge the buffer");
  flow_->start(leg, earliest_ps);
}

void Network::next_after(int nic, NicRules::GapFrom event) {
  const NicRules& rules = wiring_.nics[nic].rules;
  if (rules.gap_from != event) return;
  NicPort& port = ports_[nic];
  port.ready_ps = queue_.now_ps() + rules.gap.count();
  if (rules.gap > Time{0})
    queue_.schedule({.ps = port.ready_ps, .handler = this, .kind = k_nic, .unit = static_cast<std::uint32_t>(nic)});
  else
    wake_nic(nic);
}

void Network::data_over(Leg& leg, std::int64_t ps) {
  const Layout::Channel& channel = layout_.channels[leg.channel];
  if (!channel.from_nic || wiring_.nics[channel.from].rules.gap_from != NicRules::GapFrom::data_end) return;
  if (leg.data_end_at_ps == ps) return;
  leg.data_end_at_ps = ps;
  if (ps >= 0) schedule(k_data_over, leg, ps);
}

// ---- the switch

void Network::header_at_front(Leg& leg, std::int64_t ps) {
  if (leg.last || leg.front_at_ps == ps) return;
  leg.front_at_ps = ps;
  const Layout::Channel& channel = layout_.channels[leg.channel];
  const bool in_order = channel.to_nic || layout_.switches[channel.to].software_router;
  const std::int64_t at = ps < 0 || in_order ? ps : ps + layout_.switches[channel.to].routing_ps;
  leg.request_at_ps = at;
  if (at >= 0) schedule(in_order ? k_front : k_request, leg, at);
}

/// Headers that reached a software router or an in-transit NIC in this instant, in lane order: which of two comes first
/// must not depend on how the flow found out.
void Network::serve_fronts() {
  std::sort(fronts_.begin(), fronts_.end(), [](const Leg* a, const Leg* b) { return a->lane < b->lane; });
  for (Leg* leg : fronts_) {
    const Terminal to = wiring_.channels[leg->channel].to;
    if (to.kind == Terminal::Kind::nic) {
      ports_[to.unit].pool_waiting.push_back(leg);
      full_pools_.push_back(to.unit);
    } else {
      // One processor routes in software, a header at a time.
      std::int64_t& free_ps = processor_free_ps_[to.unit];
      free_ps = std::max(free_ps, queue_.now_ps()) + wiring_.switches[to.unit].rules.routing.count();
      leg->request_at_ps = free_ps;
      schedule(k_request, *leg, free_ps);
    }
  }
  fronts_.clear();
  std::sort(full_pools_.begin(), full_pools_.end());
  for (std::size_t i = 0; i < full_pools_.size(); ++i) admit_in_transit(full_pools_[i]);
  full_pools_.clear();
}

void Network::admit_in_transit(int nic) {
  const NicRules& rules = wiring_.nics[nic].rules;
  NicPort& port = ports_[nic];
  while (!port.pool_waiting.empty()) {
    Leg& leg = *port.pool_waiting.front();
    const bool fits = port.pool_used + leg.length <= rules.pool_flits;
    if (!fits && !rules.drop_when_full) return;
    port.pool_waiting.pop_front();
    if (!fits) {
      discard(leg);
      continue;
    }
    port.pool_used += leg.length;
    flow_->drain(leg);
    // Several may be admitted in one instant: they are detected in the order in which they were.
    queue_.schedule({.ps = queue_.now_ps() + rules.detect.count(),
                     .handler = this,
                     .subject = &leg,
                     .serial = leg.serial,
                     .kind = k_detected,
                     .unit = admitted_++});
  }
}

void Network::request(Leg& leg) {
  const Layout::Channel& channel = layout_.channels[leg.channel];
  const Layout::Switch& unit = layout_.switches[channel.to];
  Crossbar& crossbar = crossbars_[channel.to];
  const Packet& packet = *leg.packet;
  Request wanted{.leg = &leg, .in_port = channel.to_port, .since_ps = queue_.now_ps()};
  const auto steps = static_cast<std::int32_t>(packet.route.steps.size());
  if (leg.step >= steps && !unit.repeater && packet.descend) {
    const auto [first, count] = packet.descend(channel.to);
    wanted.first_output = first;
    leg.open_branches = count;
    leg.branch_count = static_cast<std::uint32_t>(count);
    for (int i = 0; i < count; ++i, ++wanted.first_output) crossbar.add(wanted);
    wake_switch(channel.to);
    return;
  }
  if (!unit.repeater) {
    if (leg.step >= steps)
      throw UserError(wiring_.switches[channel.to].name,
                      "the route of packet " + std::to_string(packet.id) + " ends in this switch",
                      "give one output port per switch");
    const topologies::Step& step = packet.route.steps[leg.step];
    wanted.first_output = step.port;
    wanted.outputs = step.ports;
    wanted.preferred = step.preferred;
    wanted.vc = step.vc;
    if (step.port + step.ports > unit.ports)
      throw UserError(wiring_.switches[channel.to].name,
                      "a route names port " + std::to_string(step.port + step.ports - 1),
                      "ports go from 0 to " + std::to_string(unit.ports - 1));
  }
  if (!crossbar.reachable(wanted)) {
    discard(leg);
    return;
  }
  crossbar.add(wanted);
  wake_switch(channel.to);
}

void Network::serve(int unit) {
  grants_.clear();
  crossbars_[unit].grant(queue_.now_ps(), grants_);
  for (const Grant& one : grants_) grant(unit, one);
}

void Network::grant(int unit, const Grant& grant) {
  const Layout::Switch& at = layout_.switches[unit];
  Leg& up = *grant.request.leg;
  Packet& packet = *up.packet;
  Leg& leg = make_leg(packet, layout_.out(unit, grant.output), grant.vc);
  const std::int64_t now_ps = queue_.now_ps();
  leg.up = &up;
  leg.requested_ps = grant.request.since_ps;
  leg.step = up.step;
  leg.length = up.length;
  leg.data_length = up.data_length;
  bool in_transit = false;
  if (const auto steps = static_cast<std::int32_t>(packet.route.steps.size()); !at.repeater && up.step < steps) {
    const topologies::Step& step = packet.route.steps[up.step];
    ++leg.step;
    leg.strip = step.strip;
    leg.prepend = step.prepend;
    leg.length += step.prepend - step.strip;
    leg.data_length += step.prepend - step.strip;
    in_transit = step.in_transit;
    if (leg.data_length < 1)
      throw UserError(wiring_.switches[unit].name,
                      "packet " + std::to_string(packet.id) + " has no flits left after header deletion",
                      "make packets longer than their headers");
  }
  if (up.branch_count > 0)
    up.branches.push_back(&leg);
  else
    up.down = &leg;
  leg.last = layout_.channels[leg.channel].to_nic && !in_transit;

  ChannelStatistics& statistics = statistics_[leg.channel];
  const std::int64_t waited = now_ps - grant.request.since_ps;
  statistics.wait_ps += waited;
  statistics.longest_wait_ps = std::max(statistics.longest_wait_ps, waited);
  if (up.header_arrival_ps >= 0) statistics.head_blocking_ps += now_ps - up.header_arrival_ps;
  last_progress_ps_ = now_ps;
  begin(leg, now_ps + at.setup_ps);
}

void Network::discard(Leg& leg) {
  leg.packet->lost = true;
  ++lost_;
  flow_->drain(leg);
}

// ---- ends

void Network::tail_over(Leg& leg, std::int64_t ps) {
  if (leg.release_at_ps == ps) return;
  leg.release_at_ps = ps;
  if (ps >= 0) schedule(k_released, leg, ps);
}

void Network::release(Leg& leg) {
  const Layout::Channel& channel = layout_.channels[leg.channel];
  const std::int64_t now_ps = queue_.now_ps();
  owners_[leg.lane] = nullptr;
  last_progress_ps_ = now_ps;
  ChannelStatistics& statistics = statistics_[leg.channel];
  ++statistics.packets;
  statistics.flits += static_cast<std::uint64_t>(leg.length);
  statistics.busy_ps += (leg.length - 1) * channel.flit_ps + channel.tail_ps;
  statistics.held_ps += now_ps - leg.granted_ps;
  if (observer_ != nullptr) observer_->leg_over(leg, now());

  if (channel.from_nic) {
    NicPort& port = ports_[channel.from];
    port.owned &= ~(1U << leg.vc);
    --port.busy_slots;
    next_after(channel.from, NicRules::GapFrom::tail_end);
    wake_nic(channel.from);
    if (!leg.reinjected) {
      if (port.endpoint != nullptr) port.endpoint->sent(*leg.packet);
    } else {
      port.pool_used -= leg.length;
      if (!port.pool_waiting.empty()) full_pools_.push_back(channel.from);
    }
  } else {
    Crossbar& crossbar = crossbars_[channel.from];
    crossbar.release(channel.from_port, leg.vc);
    if (!crossbar.waiting().empty()) wake_switch(channel.from);
  }
  if (Leg* up = std::exchange(leg.up, nullptr); up != nullptr && --up->open_branches == 0) end_loose(*up);
  end_loose(leg);
}

void Network::data_arrived(Leg& leg, std::int64_t ps) {
  if (leg.arrive_at_ps == ps) return;
  leg.arrive_at_ps = ps;
  if (ps >= 0) schedule(k_arrived, leg, ps);
}

void Network::deliver(Leg& leg) {
  Packet& packet = *leg.packet;
  const Wiring::Channel& channel = wiring_.channels[leg.channel];
  const int host = channel.to.unit;
  last_progress_ps_ = queue_.now_ps();
  packet.delivered = now();
  --packet.branches;
  if (leg.intact < 1) packet.corrupt |= bit_errors_[host].uniform() >= leg.intact;
  if (!packet.lost) ++delivered_;
  if (ports_[host].endpoint != nullptr) ports_[host].endpoint->delivered(packet, host);
  if (leg.length != leg.data_length)
    acknowledge_from(leg);
  else
    end_loose(leg);
}

void Network::drained(Leg& leg, std::int64_t ps) {
  // An in-transit packet ends here only for the lane; a packet without EOP ends with its delivery.
  if (leg.last ? leg.length == leg.data_length : !leg.packet->lost) return;
  if (leg.drained_at_ps == ps) return;
  leg.drained_at_ps = ps;
  if (ps >= 0) schedule(k_drained, leg, ps);
}

void Network::acknowledge_from(Leg& last) {
  std::int64_t ps = queue_.now_ps() + wiring_.nics[wiring_.channels[last.channel].to.unit].rules.acknowledge.count();
  Leg* leg = &last;
  for (;;) {
    const Wiring::Channel& channel = wiring_.channels[leg->channel];
    if (channel.reverse >= 0) ps += wiring_.channels[channel.reverse].rules.control_hop.count();
    Leg* up = leg->up;
    if (up == nullptr) break;
    if (up->branch_count > 0) {
      // The acknowledgements of a broadcast are combined on their way back: the last one counts.
      up->ack_ps = std::max(up->ack_ps, ps);
      if (++up->acks < static_cast<std::int32_t>(up->branch_count)) return;
      ps = up->ack_ps;
    }
    leg = up;
  }
  schedule(k_acknowledged, *leg, ps);
}

void Network::fail(int channel) {
  wiring_.channels[channel].failed = true;
  const Terminal from = wiring_.channels[channel].from;
  if (from.kind == Terminal::Kind::switch_) crossbars_[from.unit].fail(from.port);
}

std::int64_t Network::occupancy(int channel) const {
  std::int64_t flits = 0;
  for (int lane = first_lane_[channel]; lane < first_lane_[channel + 1]; ++lane) flits += flow_->occupancy(lane);
  return flits;
}

void Network::clear_statistics() { statistics_.assign(statistics_.size(), {}); }

}  // namespace sanvp::net
