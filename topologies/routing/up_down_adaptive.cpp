/// Up*/down* as a relation: at each switch all cables that lie on a shortest legal way, by the switches' queues (Silla
/// and Duato, High-Performance Routing in Networks of Workstations with Irregular Topology, IEEE Trans. Parallel
/// Distrib. Syst. 11(7), 2000). A packet that went down never goes up again.
#include <algorithm>

#include "topologies/parts.hpp"
#include "topologies/routing/distances.hpp"
#include "topologies/routing/orientation.hpp"
#include "topologies/routing/relation.hpp"

namespace sanvp::topologies {
namespace {

class UpDownAdaptive : public RelationRouting {
 public:
  explicit UpDownAdaptive(const Graph& graph)
      : graph_(graph), orientation_(graph, 0), neighbours_(neighbours(graph)), distances_(legal_hops()) {}

  std::string about_failures() const override {
    return graph_.whole() ? std::string() : "up*/down* on a new map of what works";
  }

  int alternatives(int source, int destination) const override {
    const End from = graph_.peer(End::host(source));
    const End to = graph_.peer(End::host(destination));
    if (source == destination || !from.is_switch() || !to.is_switch()) return 0;
    return left(from.index, still_up, to.index) == Distances::unreached ? 0 : 1;
  }

  void candidates(const Header& header, std::vector<Candidate>& to) const override {
    const End seat = graph_.peer(End::host(header.destination));
    if (seat.index == header.switch_) {
      to.push_back({.port = static_cast<std::uint16_t>(seat.port), .state = header.state});
      return;
    }
    const int now = left(header.switch_, header.state, seat.index);
    for (const Neighbour& neighbour : neighbours_[header.switch_]) {
      const std::uint32_t state = is_up(header.switch_, neighbour) ? still_up : went_down;
      if (state < header.state || left(neighbour.switch_, state, seat.index) >= now) continue;
      to.push_back({.port = static_cast<std::uint16_t>(neighbour.port), .state = state});
    }
  }

 private:
  static constexpr std::uint32_t still_up = 0;
  static constexpr std::uint32_t went_down = 1;

  static int vertex(int switch_, std::uint32_t state) { return 2 * switch_ + static_cast<int>(state); }

  bool is_up(int at, const Neighbour& neighbour) const {
    return orientation_.up(graph_.channel_from(End::switch_(at, neighbour.port)));
  }

  std::vector<std::vector<int>> legal_hops() const {
    std::vector<std::vector<int>> next(2 * neighbours_.size());
    for (int at = 0; at < graph_.switch_count(); ++at)
      for (const Neighbour& neighbour : neighbours_[at]) {
        const bool up = is_up(at, neighbour);
        next[vertex(at, still_up)].push_back(vertex(neighbour.switch_, up ? still_up : went_down));
        if (!up) next[vertex(at, went_down)].push_back(vertex(neighbour.switch_, went_down));
      }
    return next;
  }

  /// Hops to a switch, in whichever state the packet gets there.
  int left(int at, std::uint32_t state, int to) const {
    return std::min(distances_.between(vertex(at, state), vertex(to, still_up)),
                    distances_.between(vertex(at, state), vertex(to, went_down)));
  }

  const Graph& graph_;
  Orientation orientation_;
  std::vector<std::vector<Neighbour>> neighbours_;
  Distances distances_;
};

const Registration<RoutingPart> registration{
    {.name = "ud_adaptive",
     .summary = "any network: all shortest up*/down* ways, by the switches' queues",
     .build = [](const Graph& graph, const Parameters&, const RoutingContext&) -> std::unique_ptr<Routing> {
       return std::make_unique<UpDownAdaptive>(graph);
     },
     .avoids_failures = true}};

}  // namespace
}  // namespace sanvp::topologies
