/// Packets with two paths: the first switch chooses by the queues at its outputs, which is all that it knows (UGAL-L:
/// Singh, thesis, Stanford 2005; Kim, Dally, Scott, Abts, ISCA 2008, section 4). TIMING.md, "Two paths".
///
/// The queue of an output's virtual channel counts the flits of packets that were granted it and have not been granted
/// another output since: packets in the buffer at its far end or on the way there. Both fidelities know grants at the
/// same instants. Queues are counted from the first packet that has a choice on.
#include <algorithm>
#include <span>
#include <vector>

#include "models/net/network.hpp"

namespace sanvp::net {
namespace {

/// Cables between switches; the last step leads to the host.
std::int64_t cables_of(std::span<const topologies::Step> path) { return std::ssize(path) - 1; }

bool overlap(const Request& request, const topologies::Step& step) {
  return request.first_output < step.port + step.ports && step.port < request.first_output + request.outputs;
}

}  // namespace

/// Leaves the packet one of its two paths: the first if its queue length times its number of cables does not exceed
/// that of the second; or the one that works. If both begin with the same output, the queues of their virtual channels
/// are compared.
void Network::choose_path(Packet& packet, int unit, Crossbar& crossbar) {
  if (queues_.empty()) queues_.resize(static_cast<std::size_t>(first_vc_.back()));
  topologies::Route& route = packet.route;
  const topologies::Step& first = route.first_path().front();
  const topologies::Step& second = route.second_path().front();
  const auto works = [&](const topologies::Step& step) { return crossbar.reachable(step.port, step.ports, step.vc); };
  bool takes_first = works(first);
  if (takes_first && works(second)) {
    const bool of_vc = first.port == second.port;
    // With several outputs the mean counts: each side is multiplied by the number of the other's.
    takes_first = queue_at(unit, crossbar, first, of_vc) * cables_of(route.first_path()) * second.ports <=
                  queue_at(unit, crossbar, second, of_vc) * cables_of(route.second_path()) * first.ports;
  }
  const auto middle = route.steps.begin() + route.second;
  if (takes_first)
    route.steps.erase(middle, route.steps.end());
  else
    route.steps.erase(route.steps.begin(), middle);
  route.second = 0;
}

/// Flits that a header with this step would wait behind: the queues of its outputs, and headers that have waited for
/// one of them since an earlier instant. @param of_vc  only those with its virtual channel
std::int64_t Network::queue_at(int unit, const Crossbar& crossbar, const topologies::Step& step, bool of_vc) const {
  constexpr int any_vc = topologies::Step::any_vc;
  const auto counts = [&](int vc) { return !of_vc || step.vc == any_vc || vc == any_vc || vc == step.vc; };
  std::int64_t flits = 0;
  const int end = std::min(step.port + step.ports, int{layout_.switches[unit].ports});
  for (int port = step.port; port < end; ++port) {
    const int channel = layout_.out(unit, port);
    if (channel < 0) continue;
    for (int vc = first_vc_[channel]; vc < first_vc_[channel + 1]; ++vc)
      if (counts(vc - first_vc_[channel])) flits += queues_[vc];
  }
  for (const Request& request : crossbar.waiting())
    if (request.since_ps < queue_.now_ps() && overlap(request, step) && counts(request.vc))
      flits += request.hop->length;
  return flits;
}

void Network::join_queue(Hop& hop) {
  hop.queued = true;
  queues_[hop.vc_index] += hop.length;
}

/// Its header has got another output, or its way ends here.
void Network::leave_queue(Hop& hop) {
  hop.queued = false;
  queues_[hop.vc_index] -= hop.length;
}

}  // namespace sanvp::net
