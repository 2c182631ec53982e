/// Minimal adaptive routing with an escape (Duato, A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks,
/// IEEE Trans. Parallel Distrib. Syst. 4(12), 1993): any shortest way on the adaptive virtual channels, or, if none of
/// them is free, dimension order on the escape channels. On meshes and tori, and on HyperX, on request with deroutes
/// (DAL: Ahn et al., SC 2009, section 4).
#include <algorithm>

#include "platform/core/parameters.hpp"
#include "topologies/hyperx.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/lattice_relation.hpp"

namespace sanvp::topologies {
namespace {

constexpr std::uint8_t adaptive_rank = 0;
constexpr std::uint8_t deroute_rank = 1;
constexpr std::uint8_t escape_rank = 2;

/// Virtual channels from `first` on.
Candidate adaptive_from(int first) {
  return {.vc = static_cast<std::uint8_t>(first), .vcs = Step::any_vc - 1, .rank = adaptive_rank};
}

class LatticeAdaptive : public LatticeRelation {
 public:
  explicit LatticeAdaptive(const Graph& graph)
      : LatticeRelation(graph, "routing minimal_adaptive", Rings::permitted),
        escapes_(std::ranges::any_of(lattice().axes(), [](const Axis& axis) { return axis.kind == Axis::Kind::ring; })
                     ? 2
                     : 1) {}

  int virtual_channels() const override { return escapes_ + 1; }
  bool uses_spare_vcs() const override { return true; }
  VcSet exclusive_vcs() const override { return all_vcs << escapes_; }

 protected:
  void travel(const Header& header, std::vector<Candidate>& to) const override {
    int first_axis = -1;
    for (int axis = 0; axis < lattice().axis_count(); ++axis) {
      const int hops = offset(header, axis);
      if (hops == 0) continue;
      if (first_axis < 0) first_axis = axis;
      append(header, axis, way(hops), to, adaptive_from(escapes_));
    }
    // Packets that have still to cross a ring's wrap cable use virtual channel 0, the others 1, so that neither closes.
    const bool before_wrap = escapes_ == 1 || will_wrap(header, first_axis);
    append(header, first_axis, way(offset(header, first_axis)), to,
           {.vc = static_cast<std::uint8_t>(before_wrap ? 0 : 1), .rank = escape_rank, .escape = true});
  }

 private:
  static Run::Way way(int hops) { return hops > 0 ? Run::Way::up : Run::Way::down; }

  int escapes_;  ///< virtual channels of the escape
};

class HyperXAdaptive : public RelationRouting {
 public:
  HyperXAdaptive(const Graph& graph, bool deroutes)
      : net_(HyperX::of(graph, "routing minimal_adaptive")), deroutes_(deroutes) {}

  int virtual_channels() const override { return 2; }
  bool uses_spare_vcs() const override { return true; }
  VcSet exclusive_vcs() const override { return all_vcs << 1; }

  /// The state has a bit for each axis along which the packet has been derouted.
  void candidates(const Header& header, std::vector<Candidate>& to) const override {
    const int there = net_.switch_of(header.destination);
    if (there == header.switch_) {
      to.push_back({.port = static_cast<std::uint16_t>(net_.host_port(header.destination)), .state = header.state});
      return;
    }
    int first_axis = -1;
    for (int axis = 0; axis < net_.axes(); ++axis) {
      if (aligned(header.switch_, there, axis)) continue;
      if (first_axis < 0) first_axis = axis;
      append(header, axis, net_.coordinate(there, axis), adaptive_from(1), header.state, to);
    }
    for (int axis = 0; deroutes_ && axis < net_.axes(); ++axis) {
      const std::uint32_t derouted = header.state | 1U << axis;
      if (derouted == header.state || aligned(header.switch_, there, axis)) continue;
      Candidate kind = adaptive_from(1);
      kind.rank = deroute_rank;
      for (int at = 0; at < net_.size(axis); ++at)
        if (at != net_.coordinate(header.switch_, axis) && at != net_.coordinate(there, axis))
          append(header, axis, at, kind, derouted, to);
    }
    append(header, first_axis, net_.coordinate(there, first_axis), {.vc = 0, .rank = escape_rank, .escape = true},
           header.state, to);
  }

 private:
  bool aligned(int one, int other, int axis) const {
    return net_.coordinate(one, axis) == net_.coordinate(other, axis);
  }

  void append(const Header& header, int axis, int at, const Candidate& kind, std::uint32_t state,
              std::vector<Candidate>& to) const {
    Candidate& one = to.emplace_back(kind);
    one.port = static_cast<std::uint16_t>(net_.port(header.switch_, axis, at));
    one.ports = static_cast<std::uint16_t>(net_.cables());
    one.state = state;
  }

  HyperX net_;
  bool deroutes_;
};

const Registration<RoutingPart> registration{
    {.name = "minimal_adaptive",
     .summary =
         "grids, tori, HyperX: any shortest way by the switches' queues, with dimension order as the escape (Duato); "
         "on request deroutes of a HyperX (DAL)",
     .build = [](const Graph& graph, const Parameters& parameters, const RoutingContext&) -> std::unique_ptr<Routing> {
       const bool deroutes = parameters.flag(
           "deroutes", false, "HyperX: one hop beside the shortest way along each axis, where no shortest one is free",
           "DAL: Ahn et al., SC 2009, section 4");
       if (graph.family == "hyperx") return std::make_unique<HyperXAdaptive>(graph, deroutes);
       return std::make_unique<LatticeAdaptive>(graph);
     }}};

}  // namespace
}  // namespace sanvp::topologies
