/// What a switch decides by its queues when a header requests: which of two paths a packet keeps (UGAL-L: Singh,
/// thesis, Stanford 2005; Kim, Dally, Scott, Abts, ISCA 2008, section 4), and which candidates of a relation it asks
/// for. TIMING.md, "Queues", "Two paths" and "Relations".
#include "models/net/network_choice.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "platform/core/error.hpp"

namespace sanvp::net {
namespace {

using topologies::Candidate;
using topologies::VcSet;

/// Cables between switches; the last step leads to the host.
std::int64_t cables_of(std::span<const topologies::Step> path) { return std::ssize(path) - 1; }

bool overlap(const Request& request, int first_port, int ports) {
  bool found = false;
  request.for_each_output([&](int output) { found |= output >= first_port && output < first_port + ports; });
  return found;
}

}  // namespace

void Network::require_queues() const {
  if (!wiring_->looks_at_queues) throw std::logic_error("a packet's way depends on queues, which Wiring does not say");
}

/// Leaves the packet one of its two paths: the first if its queue length times its number of cables does not exceed
/// that of the second and the threshold; or the one that works. If both begin with the same output, the queues of their
/// virtual channels are compared.
void Network::choose_path(Packet& packet, int unit, Crossbar& crossbar) {
  require_queues();
  topologies::Route& route = packet.route;
  const topologies::Step& first = route.first_path().front();
  const topologies::Step& second = route.second_path().front();
  const auto works = [&](const topologies::Step& step) {
    return crossbar.reachable(step.port, step.ports, vc_set(step));
  };
  bool takes_first = works(first);
  if (takes_first && works(second)) {
    const bool of_vc = first.port == second.port;
    const auto queue = [&](const topologies::Step& step) {
      return queue_at(unit, step.port, step.ports, of_vc ? vc_set(step) : topologies::all_vcs);
    };
    // With several outputs the mean counts: each side is multiplied by the number of the other's.
    takes_first = queue(first) * cables_of(route.first_path()) * second.ports <=
                  (queue(second) * cables_of(route.second_path()) +
                   wiring_->switches[unit].rules.detour_threshold * second.ports) *
                      first.ports;
  }
  const auto middle = route.steps.begin() + route.second;
  if (takes_first)
    route.steps.erase(middle, route.steps.end());
  else
    route.steps.erase(route.steps.begin(), middle);
  route.second = 0;
}

/// The header asks for the outputs that its relation permits.
void Network::request_by_relation(Packet& packet, Hop& hop, Request wanted) {
  const Layout::Channel& channel = layout_.channels[hop.channel];
  const int unit = channel.to;
  Crossbar& crossbar = crossbars_[unit];
  candidates_.clear();
  packet.route.relation->candidates({.switch_ = unit,
                                     .in_port = channel.to_port,
                                     .vc = hop.vc,
                                     .destination = packet.destination,
                                     .state = packet.route.state},
                                    candidates_);
  std::erase_if(candidates_, [&](const Candidate& one) {
    return !crossbar.reachable(one.port, one.ports, topologies::vc_set(one.vc, one.vcs));
  });
  if (candidates_.empty()) return discard(hop);
  if (candidates_.front().links > 0) keep_shortest(unit);
  options_.clear();
  for (const Candidate& one : candidates_)
    for (int port = one.port; port < one.port + one.ports; ++port)
      if (const VcSet vcs = topologies::vc_set(one.vc, one.vcs); crossbar.reachable(port, 1, vcs))
        options_.push_back({.output = port, .vcs = vcs, .rank = one.rank, .state = one.state});
  crossbar.add(wanted, options_);
  wake_switch(unit);  // serve() in the update phase of this instant
}

/// Keeps the candidate whose queue times links is least; the first one if its own does not exceed that of any other and
/// the threshold.
void Network::keep_shortest(int unit) {
  require_queues();
  const auto cost = [&](const Candidate& one) {
    const bool watches = one.watched_switch >= 0;
    return queue_at(watches ? one.watched_switch : unit, watches ? one.watched_port : one.port, watches ? 1 : one.ports,
                    topologies::all_vcs) *
           one.links / (watches ? 1 : one.ports);
  };
  const int usual = candidates_.front().links;
  std::int64_t least = cost(candidates_.front()) - wiring_->switches[unit].rules.detour_threshold;
  Candidate best = candidates_.front();
  for (const Candidate& one : candidates_)
    if (const std::int64_t other =
            cost(one) - (one.links == usual ? wiring_->switches[unit].rules.detour_threshold : 0);
        other < least) {
      least = other;
      best = one;
    }
  candidates_.assign(1, best);
}

/// Flits that a header would wait behind at these outputs of a switch: in the buffers at their far ends, and those of
/// headers that have waited for one of them since an earlier instant.
std::int64_t Network::queue_at(int unit, int first_port, int ports, VcSet vcs) const {
  const QueuesOf queues(*this, unit);
  std::int64_t flits = 0;
  const int end = std::min(first_port + ports, int{layout_.switches[unit].ports});
  for (int port = first_port; port < end; ++port) {
    const int channel = layout_.out(unit, port);
    if (channel < 0) continue;
    for (int vc = 0; vc < first_vc_[channel + 1] - first_vc_[channel]; ++vc)
      if ((vcs >> vc & 1U) != 0) flits += queues.buffered(port, vc);
  }
  for (const Request& request : crossbars_[unit].waiting())
    if (request.since_ps < queue_.now_ps() && overlap(request, first_port, ports) && (request.vcs & vcs) != 0)
      flits += request.hop->length;
  return flits;
}

}  // namespace sanvp::net
