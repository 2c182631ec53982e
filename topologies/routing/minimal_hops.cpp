/// All shortest ways on any graph. The virtual channel is the number of switches passed, so that a packet only ever
/// waits for a higher one, and no cycle closes (Guenther 1981; Merlin and Schweitzer 1980; Besta and Hoefler, Slim Fly,
/// SC 2014, section IV.D). It needs as many virtual channels as the network's diameter.
#include <algorithm>

#include "topologies/parts.hpp"
#include "topologies/routing/distances.hpp"
#include "topologies/routing/relation.hpp"

namespace sanvp::topologies {
namespace {

std::vector<std::vector<int>> switches_next(const std::vector<std::vector<Neighbour>>& neighbours) {
  std::vector<std::vector<int>> next(neighbours.size());
  for (std::size_t at = 0; at < neighbours.size(); ++at)
    for (const Neighbour& neighbour : neighbours[at]) next[at].push_back(neighbour.switch_);
  return next;
}

class MinimalHops : public RelationRouting {
 public:
  explicit MinimalHops(const Graph& graph)
      : graph_(graph), neighbours_(neighbours(graph)), distances_(switches_next(neighbours_)) {
    std::vector<int> with_hosts;
    for (int host = 0; host < graph.host_count(); ++host)
      if (const End seat = graph.peer(End::host(host)); seat.is_switch()) with_hosts.push_back(seat.index);
    std::ranges::sort(with_hosts);
    with_hosts.erase(std::unique(with_hosts.begin(), with_hosts.end()), with_hosts.end());
    for (const int from : with_hosts)
      for (const int to : with_hosts)
        if (const int hops = distances_.between(from, to); hops != Distances::unreached)
          longest_ = std::max(longest_, hops);
  }

  int virtual_channels() const override { return longest_; }
  std::string about_failures() const override {
    return graph_.whole() ? std::string() : "pairs take the shortest ways over what works";
  }

  int alternatives(int source, int destination) const override {
    const End from = graph_.peer(End::host(source));
    const End to = graph_.peer(End::host(destination));
    if (source == destination || !from.is_switch() || !to.is_switch()) return 0;
    return distances_.between(from.index, to.index) == Distances::unreached ? 0 : 1;
  }

  /// The state is the number of cables between switches passed.
  void candidates(const Header& header, std::vector<Candidate>& to) const override {
    const End seat = graph_.peer(End::host(header.destination));
    if (seat.index == header.switch_) {
      to.push_back({.port = static_cast<std::uint16_t>(seat.port), .state = header.state});
      return;
    }
    const int left = distances_.between(header.switch_, seat.index);
    for (const Neighbour& neighbour : neighbours_[header.switch_])
      if (distances_.between(neighbour.switch_, seat.index) == left - 1)
        to.push_back({.port = static_cast<std::uint16_t>(neighbour.port),
                      .vc = static_cast<std::uint8_t>(header.state),
                      .state = header.state + 1});
  }

 private:
  const Graph& graph_;
  std::vector<std::vector<Neighbour>> neighbours_;
  Distances distances_;
  int longest_ = 1;  ///< distance between two switches with hosts
};

const Registration<RoutingPart> registration{
    {.name = "minimal_hops",
     .summary = "any network: all shortest ways, by the switches' queues; the virtual channel is the number of hops",
     .build = [](const Graph& graph, const Parameters&, const RoutingContext&) -> std::unique_ptr<Routing> {
       return std::make_unique<MinimalHops>(graph);
     },
     .avoids_failures = true}};

}  // namespace
}  // namespace sanvp::topologies
