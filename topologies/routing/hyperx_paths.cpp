/// Routing on a HyperX: one hop along each axis in which source and destination differ, axis after axis; with Valiant's
/// detours through any switch (Ahn et al., SC 2009, section 4).
///
/// A phase uses each axis once and in order, so its channels form no cycle. The two phases of a detour have virtual
/// channels 0 and 1; minimal paths have any.
#include <memory>

#include "platform/core/parameters.hpp"
#include "topologies/hyperx.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/detoured_paths.hpp"
#include "topologies/routing/detours_apart.hpp"

namespace sanvp::topologies {
namespace {

class HyperXPaths : public PathFamily {
 public:
  HyperXPaths(const Graph& graph, Paths paths)
      : net_(HyperX::of(graph, "routing hyperx")), only_phase_(paths == Paths::minimal ? Step::any_vc : second_phase) {}

  void minimal(int source, int destination, Route& route) const override {
    travel(net_.switch_of(source), net_.switch_of(destination), destination, only_phase_, route);
    arrive(destination, route);
  }

  /// Through each switch except the two ends, which would be the minimal path.
  int detours(int source, int destination) const override {
    return net_.switch_count() - (stays_minimal(source, destination) ? 1 : 2);
  }

  void detour(int source, int destination, int number, Route& route) const override {
    const int from = net_.switch_of(source);
    const int to = net_.switch_of(destination);
    const int between = place_between(from, to, number);
    travel(from, between, destination, first_phase, route);
    travel(between, to, destination, second_phase, route);
    arrive(destination, route);
  }

  bool stays_minimal(int source, int destination) const override {
    return net_.switch_of(source) == net_.switch_of(destination);
  }

  int virtual_channels(Paths paths) const override { return paths == Paths::minimal ? 1 : 2; }

 private:
  static constexpr std::uint8_t first_phase = 0;   ///< its virtual channel
  static constexpr std::uint8_t second_phase = 1;  ///< the same

  /// Any free one of the cables between two switches; the destination's number selects the preferred one.
  void travel(int at, int to, int destination, std::uint8_t vc, Route& route) const {
    for (int axis = 0; axis < net_.axes(); ++axis) {
      const int there = net_.coordinate(to, axis);
      if (net_.coordinate(at, axis) == there) continue;
      route.steps.push_back({.port = static_cast<std::uint16_t>(net_.port(at, axis, there)),
                             .ports = static_cast<std::uint16_t>(net_.cables()),
                             .preferred = static_cast<std::uint16_t>(destination % net_.cables()),
                             .vc = vc});
      at = net_.moved(at, axis, there);
    }
  }

  void arrive(int destination, Route& route) const {
    route.steps.push_back({.port = static_cast<std::uint16_t>(net_.host_port(destination))});
  }

  HyperX net_;
  std::uint8_t only_phase_;  ///< virtual channel of minimal paths
};

const Registration<RoutingPart> registration{
    {.name = "hyperx",
     .summary = "HyperX: one hop along each axis, in order; on request Valiant's detours by way of any switch, or the "
                "shorter queue of both",
     .build =
         [](const Graph& graph, const Parameters& parameters, const RoutingContext& context) {
           const PathChoice choice = read_paths(parameters);
           return detoured_paths(graph, std::make_unique<HyperXPaths>(graph, choice.paths), choice, context);
         },
     .avoids_failures = true,
     .detours = detour_choices()}};

}  // namespace
}  // namespace sanvp::topologies
