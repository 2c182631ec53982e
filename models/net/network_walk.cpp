/// The way of a packet through the network, from send() to deliver(), in the order in which it happens:
///
///   send -> start_packets -> start_packet -> start_hop -> Flow::start, which moves the flits
///        -> header_at_front -> request -> serve -> grant -> start_hop -> Flow::start ...       at each switch
///        -> data_arrived -> deliver                                                            at the last hop
///
/// An event is named after the function that handles it (Due in network.hpp). Off this path are packets in transit
/// (network_in_transit.cpp), the ends of tails (network_releases.cpp), circuits (network_circuits.cpp), losses and
/// failing channels (network_outages.cpp).

#include <bit>
#include <stdexcept>
#include <utility>

#include "models/net/network_choice.hpp"
#include "platform/core/error.hpp"

namespace sanvp::net {

// ---- At the source: the packet waits in its NIC's queue for a slot, the gap and a virtual channel.

void Network::send(Packet& packet) {
  const int nic = nic_of(packet);
  if (packet.source < 0 || packet.source >= hosts_ || nic >= static_cast<int>(ports_.size()))
    throw UserError("packet " + std::to_string(packet.id), "there is no host " + std::to_string(packet.source),
                    "hosts go from 0 to " + std::to_string(hosts_ - 1));
  if (packet.flits < 1)
    throw UserError("packet " + std::to_string(packet.id), "a packet has at least one flit", "give it a length");
  ports_[nic].queue.push_back(&packet);
  ++in_flight_;
  if (packet_observer_ != nullptr) packet_observer_->packet_sent(packet, now());
  wake_nic(nic);  // start_packets() in the update phase of this instant
}

/// Starts packets of the NIC, those in transit first, until one has to wait.
void Network::start_packets(int nic) {
  NicPort& port = ports_[nic];
  const Layout::Nic& at = layout_.nics[nic];
  while (port.has_waiting()) {
    free_slots_left_by(port, nic);
    const std::int64_t next_leaves_ps = port.leaving.empty() ? never.count() : port.leaving.front().ps;
    if (port.busy_slots >= at.slots) return wake_nic_at(nic, next_leaves_ps);
    if (port.ready_ps > queue_.now_ps()) return wake_nic_at(nic, port.ready_ps);
    if (!port.in_transit.empty()) {
      const auto [arriving, ready_ps] = port.in_transit.front();
      if (ready_ps > queue_.now_ps()) return;
      const int vc = free_vc(nic, topologies::Step::any_vc, *arriving->packet);
      if (vc < 0) return wake_nic_at(nic, next_leaves_ps);
      port.in_transit.pop_front();
      start_packet(*arriving->packet, nic, vc, arriving);
    } else if (Packet& packet = *port.queue.front(); at.out >= 0 && cannot_leave(at.out, packet)) {
      port.queue.pop_front();
      lose(packet);
      continue;
    } else {
      const int vc = free_vc(nic, packet.route.source_vc, packet);
      if (vc < 0) return wake_nic_at(nic, next_leaves_ps);
      port.queue.pop_front();
      start_packet(packet, nic, vc, nullptr);
    }
    if (at.gap_from == NicRules::GapFrom::start) port.ready_ps = queue_.now_ps() + at.gap_ps;
  }
}

/// The cable to the first switch takes no packets, or the sender knows no way.
bool Network::cannot_leave(int channel, const Packet& packet) const {
  if (layout_.channels[channel].special && wiring_->channels[channel].failed) return true;
  return packet.route.steps.empty() && packet.descend == nullptr && packet.route.relation == nullptr &&
         wiring_->channels[channel].to.kind == Terminal::Kind::switch_;
}

/// A virtual channel that the NIC's next packet may have, or -1. @param wanted  that one, or any_vc
int Network::free_vc(int nic, int wanted, const Packet& packet) const {
  const int channel = layout_.nics[nic].out;
  if (channel < 0) throw UserError(wiring_->nics[nic].name, "the host is not cabled", "connect it to a switch");
  const int virtual_channels = first_vc_[channel + 1] - first_vc_[channel];
  const std::uint32_t free = ~ports_[nic].owned & ((1U << virtual_channels) - 1);
  if (wanted != topologies::Step::any_vc) return (free >> wanted & 1U) != 0 ? wanted : -1;
  if ((free & (free - 1)) == 0) return free == 0 ? -1 : std::countr_zero(free);
  return wiring_->nics[nic].rules.vc_selection->select(
      {free, ports_[nic].next_vc, packet, QueuesOf::injection(*this, nic), 0});
}

/// The packet gets a slot and virtual channel `vc` of the NIC's injection channel: its first hop, or, in transit, the
/// one after `in_transit`.
void Network::start_packet(Packet& packet, int nic, int vc, Hop* in_transit) {
  NicPort& port = ports_[nic];
  const Layout::Nic& at = layout_.nics[nic];
  port.owned |= 1U << vc;
  port.next_vc = (vc + 1) % most_virtual_channels;
  ++port.busy_slots;
  ++progress_;

  Hop& hop = make_hop(packet, at.out, vc);
  if (in_transit == nullptr) {
    hop.data_length = packet.flits;
    hop.length = packet.flits + (at.circuit ? 1 : 0);
    packet.injected = now();
    // The next one waits for this one's last data flit, however many slots are free.
    if (at.gap_from == NicRules::GapFrom::data_end) port.ready_ps = never.count();
    if (port.endpoint != nullptr) port.endpoint->injected(packet);
  } else {
    hop.up = in_transit;
    in_transit->down = &hop;
    hop.reinjected = true;
    hop.step = in_transit->step;
    hop.data_length = in_transit->data_length;
    hop.length = in_transit->length;
  }
  hop.last = layout_.channels[at.out].to_nic;
  start_hop(packet, hop, queue_.now_ps());
}

// ---- On a channel: the flow moves the packet's flits, one by one (flit/) or as runs (worm/).

/// The packet owns the hop's virtual channel; its header may start at `earliest_ps`.
void Network::start_hop(Packet& packet, Hop& hop, std::int64_t earliest_ps) {
  if (hop.up != nullptr) {
    hop.intact = hop.up->intact;
    hop.cut = hop.up->cut;
  }
  if (layout_.channels[hop.channel].special) {
    if (unchanged_links_ > 0) take_new_times(hop.channel);
    const Wiring::Channel& channel = wiring_->channels[hop.channel];
    if (channel.failed) hop.cut = true;
    if (channel.rules.bit_error_rate > 0) earliest_ps = draw_bit_errors(hop, channel.rules, earliest_ps);
    require_that_it_fits(packet, hop, channel);
  }
  flow_->start(hop, earliest_ps);  // header_at_front() comes next; at the last hop data_arrived()
}

/// A switch that stores packets whole must have room for this one.
void Network::require_that_it_fits(const Packet& packet, const Hop& hop, const Wiring::Channel& channel) const {
  const bool whole =
      channel.to.kind == Terminal::Kind::switch_ && wiring_->switches[channel.to.unit].rules.store_and_forward;
  const int slots = buffer_flits(channel.rules.flow);
  if (!whole || hop.length <= slots) return;
  throw UserError(channel.name,
                  "packet " + std::to_string(packet.id) + " of " + std::to_string(hop.length) +
                      " flits cannot be stored in a buffer of " + std::to_string(slots),
                  "send shorter packets or enlarge the buffer");
}

// ---- At a switch: the header requests an output, is granted one, and the next hop begins.

/// Called by the flow. @param ps  when the header is, or will be, at the front of the buffer at the far end
void Network::header_at_front(Hop& hop, std::int64_t ps) {
  if (hop.last || hop.due.front_ps == ps) return;
  hop.due.front_ps = ps;
  const Layout::Channel& channel = layout_.channels[hop.channel];
  const bool in_order = channel.to_nic || layout_.switches[channel.to].software_router;
  const std::int64_t at = ps < 0 || in_order ? ps : ps + layout_.switches[channel.to].routing_ps;
  hop.due.request_ps = at;
  if (serves_fronts_ && in_order && !channel.to_nic && at == queue_.now_ps()) {  // behind one that has been discarded
    hop.due.request_ps = happened;
    return fronts_.push_back(&hop);
  }
  if (at >= 0) schedule(in_order ? Due::serve_front : Due::request, hop, at);
}

/// The header asks the switch at the far end of the hop for the outputs that its route permits.
void Network::request(Packet& packet, Hop& hop) {
  const Layout::Channel& channel = layout_.channels[hop.channel];
  const Layout::Switch& unit = layout_.switches[channel.to];
  Crossbar& crossbar = crossbars_[channel.to];
  if (packet.route.has_choice()) choose_path(packet, channel.to, crossbar);
  Request wanted{.hop = &hop, .in_port = channel.to_port, .since_ps = queue_.now_ps()};
  if (packet.route.relation != nullptr && !unit.repeater) return request_by_relation(packet, hop, wanted);
  const auto steps = static_cast<std::int32_t>(packet.route.steps.size());
  if (hop.step >= steps && !unit.repeater && packet.descend) return request_branches(packet, hop, wanted);
  if (!unit.repeater) {
    if (hop.step >= steps)
      throw UserError(wiring_->switches[channel.to].name,
                      "the route of packet " + std::to_string(packet.id) + " ends in this switch",
                      "give one output port per switch");
    const topologies::Step& step = packet.route.steps[hop.step];
    wanted.first_output = step.port;
    wanted.outputs = step.ports;
    wanted.preferred = step.preferred;
    wanted.vcs = topologies::vc_set(step);
    if (step.port + step.ports > unit.ports)
      throw UserError(wiring_->switches[channel.to].name,
                      "a route names port " + std::to_string(step.port + step.ports - 1),
                      "ports go from 0 to " + std::to_string(unit.ports - 1));
  }
  if (unit.repeater)
    wanted.vcs = topologies::VcSet{1} << hop.vc;  // what a route says of the output holds for its cable
  if (!crossbar.reachable(wanted.first_output, wanted.outputs, wanted.vcs)) return discard(hop);
  crossbar.add(wanted);
  wake_switch(channel.to);  // serve() in the update phase of this instant
}

/// For a broadcast: one request per output that the packet is copied to.
void Network::request_branches(Packet& packet, Hop& hop, Request wanted) {
  const int unit = layout_.channels[hop.channel].to;
  Crossbar& crossbar = crossbars_[unit];
  const auto [first, count] = packet.descend(unit);
  wanted.first_output = first;
  // All branches or none: waiting for a failed output would hold the other branches for ever.
  for (Request branch = wanted; branch.first_output < first + count; ++branch.first_output)
    if (!crossbar.reachable(branch.first_output, branch.outputs, branch.vcs)) return discard(hop);
  hop.open_branches = count;
  hop.fork = std::make_unique<Fork>();
  hop.fork->count = static_cast<std::uint32_t>(count);
  for (int i = 0; i < count; ++i, ++wanted.first_output) crossbar.add(wanted);
  wake_switch(unit);
}

/// The switch arbitrates among the headers that wait (crossbar.cpp).
void Network::serve(int unit) {
  grants_.clear();
  awaited_.clear();
  crossbars_[unit].grant(queue_.now_ps(), QueuesOf(*this, unit), grants_, awaited_);
  for (const Grant& one : grants_) grant(*one.request.hop->packet, unit, one);
  for (Hop* holder : awaited_) release_by_event(*holder);
}

/// The packet has got an output: its next hop.
void Network::grant(Packet& packet, int unit, const Grant& grant) {
  const Layout::Switch& at = layout_.switches[unit];
  Hop& up = *grant.request.hop;
  if (at.marks && is_congested(unit, grant)) packet.marked = true;
  Hop& hop = make_hop(packet, layout_.out(unit, grant.output), grant.vc);
  const std::int64_t now_ps = queue_.now_ps();
  hop.up = &up;
  hop.requested_ps = grant.request.since_ps;
  hop.step = up.step;
  hop.length = up.length;
  hop.data_length = up.data_length;
  bool in_transit = false;
  if (packet.route.relation != nullptr) {
    if (!at.repeater) {
      ++hop.step;
      packet.route.state = grant.state;
    }
  } else if (!at.repeater && up.step < static_cast<std::int32_t>(packet.route.steps.size())) {
    const topologies::Step& step = packet.route.steps[up.step];
    ++hop.step;
    change_header(packet, hop, step);
    in_transit = step.in_transit;
  }
  if (up.fork != nullptr)
    up.fork->branches.push_back(&hop);
  else
    up.down = &hop;
  Layout::Channel& channel = layout_.channels[hop.channel];
  hop.last = channel.to_nic && !in_transit;
  if (!channel.to_nic) fetch_ahead(hop);

  const std::int64_t waited = now_ps - grant.request.since_ps;
  channel.counters.wait_ps += waited;
  channel.counters.longest_wait_ps = std::max(channel.counters.longest_wait_ps, waited);
  if (up.header_arrival_ps >= 0) channel.counters.head_blocking_ps += now_ps - up.header_arrival_ps;
  ++progress_;
  start_hop(packet, hop, now_ps + at.setup_ps);
}

/// What the switch removes from, and puts before, the flits of `hop.up`.
void Network::change_header(const Packet& packet, Hop& hop, const topologies::Step& step) const {
  hop.strip = step.strip;
  hop.prepend = step.prepend;
  hop.length += step.prepend - step.strip;
  hop.data_length += step.prepend - step.strip;
  const Wiring::Channel& before = wiring_->channels[hop.up->channel];
  if (step.strip > 0 && step.prepend == 0 && step.strip >= assured_flits(before.rules.flow))
    throw UserError(before.name,
                    "the switch deletes " + std::to_string(step.strip) +
                        " header flits, and the buffer cannot hold them with the one behind them",
                    "enlarge the buffer");
  if (hop.data_length < 1)
    throw UserError(wiring_->switches[before.to.unit].name,
                    "packet " + std::to_string(packet.id) + " has no flits left after header deletion",
                    "make packets longer than their headers");
}

/// Prefetches what the header will need at the next switch, which in a large network has left the cache. If there is
/// only one way on, the channel is known, too.
void Network::fetch_ahead(const Hop& hop) const {
  const int unit = layout_.channels[hop.channel].to;
  __builtin_prefetch(&crossbars_[unit]);
  const Layout::Switch& next = layout_.switches[unit];
  const std::vector<topologies::Step>& steps = hop.packet->route.steps;
  if (next.repeater || hop.step >= static_cast<std::int32_t>(steps.size())) return;
  const topologies::Step& step = steps[hop.step];
  if (step.port >= next.ports) return;  // request() will say so
  const std::size_t output = layout_.output(unit, step.port);
  __builtin_prefetch(&outputs_[output]);
  const std::int32_t out = layout_.outs[output];
  if (step.ports != 1 || out < 0) return;
  __builtin_prefetch(&layout_.channels[out]);
  flow_->fetch(out, first_vc_[out]);
}

// ---- At the destination.

/// Called by the flow. @param ps  when the last data flit is, or will be, at the NIC that keeps the packet
void Network::data_arrived(Hop& hop, std::int64_t ps) {
  if (hop.due.arrival_ps == ps) return;
  hop.due.arrival_ps = ps;
  if (ps >= 0) schedule(Due::deliver, hop, ps);
}

/// The packet is whole at its destination, or one of them. @param hop  its last one
void Network::deliver(Packet& packet, Hop& hop) {
  account_for_release(hop, queue_.now_ps());
  const int nic = layout_.channels[hop.channel].to;
  ++progress_;
  --packet.branches;
  if (hop.cut) return find_spoilt(hop);
  packet.delivered = now();
  if (!packet.lost) ++delivered_;
  hand_over(packet, hop, nic);
  if (hop.length == hop.data_length)
    end_loose(hop);
  else if (layout_.nics[nic].answers && !packet.abandoned)
    ports_[nic].unanswered.push_back(&hop);
  else
    acknowledge_from(hop);
}

/// The receiving NIC gets its copy, in which a bit error may have left a wrong bit.
void Network::hand_over(Packet& packet, const Hop& hop, int nic) {
  const int host = nic < hosts_ ? nic : nic % hosts_;
  const bool hit = hop.intact < 1 && bit_errors_[nic].uniform() >= hop.intact;
  corrupt_ += hit ? 1 : 0;
  const bool others_hit = std::exchange(packet.corrupt, hit);
  const auto original = packet.payload;
  if (hit && original != nullptr && !original->empty()) packet.payload = damaged(*original, bit_errors_[nic]);
  if (packet_observer_ != nullptr) packet_observer_->packet_delivered(packet, host, now());
  if (ports_[nic].endpoint != nullptr && !packet.abandoned) ports_[nic].endpoint->delivered(packet, host);
  packet.corrupt |= others_hit;
  packet.payload = original;
}

}  // namespace sanvp::net
