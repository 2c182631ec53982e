/// At the far end of a leg: headers request outputs, switches grant them, in-transit NICs admit packets.

#include <algorithm>
#include <memory>

#include "models/net/network.hpp"
#include "platform/core/error.hpp"

namespace sanvp::net {

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
    if (!fits && rules.full_pool == FullPool::holds_back) return;
    port.pool_waiting.pop_front();
    if (!fits && rules.full_pool == FullPool::drops) {
      discard(leg);
      continue;
    }
    port.pool_used += leg.length;
    port.spilled += fits ? 0 : 1;
    port.pool_most = std::max(port.pool_most, port.pool_used);
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
    // It goes all ways or none: to wait for one that has failed would hold the others for ever.
    for (Request branch = wanted; branch.first_output < first + count; ++branch.first_output)
      if (!crossbar.reachable(branch.first_output, branch.outputs, branch.vc)) return discard(leg);
    leg.open_branches = count;
    leg.fork = std::make_unique<Fork>();
    leg.fork->count = static_cast<std::uint32_t>(count);
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
  if (!crossbar.reachable(wanted.first_output, wanted.outputs, wanted.vc)) {
    discard(leg);
    return;
  }
  crossbar.add(wanted);
  wake_switch(channel.to);
}

void Network::serve(int unit) {
  grants_.clear();
  awaited_.clear();
  crossbars_[unit].grant(queue_.now_ps(), grants_, awaited_);
  for (const Grant& one : grants_) grant(unit, one);
  for (Leg* holder : awaited_) {
    holder->quiet = false;
    schedule(k_released, *holder, holder->release_at_ps);
  }
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
    if (step.strip > 0 && step.prepend == 0 && step.strip >= assured_flits(wiring_.channels[up.channel].rules.flow))
      throw UserError(wiring_.channels[up.channel].name,
                      "the switch deletes " + std::to_string(step.strip) +
                          " header flits, and the buffer cannot hold them with the one behind them",
                      "enlarge the buffer");
    if (leg.data_length < 1)
      throw UserError(wiring_.switches[unit].name,
                      "packet " + std::to_string(packet.id) + " has no flits left after header deletion",
                      "make packets longer than their headers");
  }
  if (up.fork != nullptr)
    up.fork->branches.push_back(&leg);
  else
    up.down = &leg;
  Layout::Channel& channel = layout_.channels[leg.channel];
  leg.last = channel.to_nic && !in_transit;
  if (!channel.to_nic) fetch_ahead(leg);

  const std::int64_t waited = now_ps - grant.request.since_ps;
  channel.counters.wait_ps += waited;
  channel.counters.longest_wait_ps = std::max(channel.counters.longest_wait_ps, waited);
  if (up.header_arrival_ps >= 0) channel.counters.head_blocking_ps += now_ps - up.header_arrival_ps;
  ++progress_;
  begin(leg, now_ps + at.setup_ps);
}

/// The header will be at the next switch soon: of a large network that has left the cache. Where there is one way on,
/// the channel is known, too.
void Network::fetch_ahead(const Leg& leg) const {
  const int unit = layout_.channels[leg.channel].to;
  __builtin_prefetch(&crossbars_[unit]);
  const Layout::Switch& next = layout_.switches[unit];
  const std::vector<topologies::Step>& steps = leg.packet->route.steps;
  if (next.repeater || leg.step >= static_cast<std::int32_t>(steps.size())) return;
  const topologies::Step& step = steps[leg.step];
  if (step.port >= next.ports) return;  // request() will say so
  const std::size_t output = layout_.output(unit, step.port);
  __builtin_prefetch(&outputs_[output]);
  const std::int32_t out = layout_.outs[output];
  if (step.ports != 1 || out < 0) return;
  __builtin_prefetch(&layout_.channels[out]);
  flow_->fetch(out, first_lane_[out]);
}

void Network::discard(Leg& leg) {
  leg.discarded = true;
  count_loss(*leg.packet, leg.channel, leg.step);
  flow_->drain(leg);
  // A circuit's source must hear of it, or it would hold the path for ever.
  if (leg.length != leg.data_length) acknowledge_from(leg);
}

}  // namespace sanvp::net
