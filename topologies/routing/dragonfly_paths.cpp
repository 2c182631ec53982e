/// Routing on a dragonfly: a hop in the group, a global hop, a hop in the far group; with Valiant's detours through a
/// third group (Kim et al., ISCA 2008, section 4).
///
/// A packet's virtual channel is the number of global cables that it has passed. The classes of channels are thus used
/// in the order local 0, global 0, local 1, global 1, local 2, each for at most one hop, and no cycle of waiting can
/// form: 2 virtual channels suffice for minimal paths, 3 with detours. If a switch chooses between both, the minimal
/// path begins with local 1, as if it came from a detour, so that its queue differs from that of a detour by the same
/// cable.
#include <memory>

#include "platform/core/parameters.hpp"
#include "topologies/dragonfly.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/detoured_paths.hpp"
#include "topologies/routing/detours_apart.hpp"

namespace sanvp::topologies {
namespace {

/// The two groups at the ends of a path, through which no detour goes.
constexpr int ends_in_other_groups = 2;
constexpr int ends_in_one_group = 1;

class DragonflyPaths : public PathFamily {
 public:
  DragonflyPaths(const Graph& graph, Paths paths)
      : net_(Dragonfly::of(graph, "routing dragonfly")), first_minimal_vc_(paths == Paths::adaptive ? 1 : 0) {}

  void minimal(int source, int destination, Route& route) const override {
    const int to = net_.switch_of(destination);
    int vc = first_minimal_vc_;
    const int at = to_group(net_.switch_of(source), to, net_.group_of(to), destination, vc, route);
    arrive(at, destination, vc, route);
  }

  int detours(int source, int destination) const override {
    return net_.groups() - (stays_minimal(source, destination) ? ends_in_one_group : ends_in_other_groups);
  }

  void detour(int source, int destination, int number, Route& route) const override {
    const int to = net_.switch_of(destination);
    int vc = 0;
    const int between = place_between(net_.group_of(net_.switch_of(source)), net_.group_of(to), number);
    const int half_way = to_group(net_.switch_of(source), to, between, destination, vc, route);
    const int at = to_group(half_way, to, net_.group_of(to), destination, vc, route);
    arrive(at, destination, vc, route);
  }

  bool stays_minimal(int source, int destination) const override {
    return net_.group_of(net_.switch_of(source)) == net_.group_of(net_.switch_of(destination));
  }

  int virtual_channels(Paths paths) const override { return paths != Paths::minimal ? 3 : net_.groups() > 1 ? 2 : 1; }

 private:
  /// Appends the path from switch `at` to a group, by the cable with the fewest hops to switch `to`; the destination's
  /// number breaks ties. The global cable raises the virtual channel.
  /// @return the switch where it arrives
  int to_group(int at, int to, int group, int destination, int& vc, Route& route) const {
    const int from_group = net_.group_of(at);
    if (from_group == group) return at;
    const int cables = net_.cables_between_groups();
    Dragonfly::Gateway best = net_.gateway(from_group, group, destination % cables);
    const auto local_hops = [&](const Dragonfly::Gateway& way) {
      return (way.switch_ != at ? 1 : 0) + (way.far_switch != to ? 1 : 0);
    };
    for (int i = 1; i < cables; ++i) {
      const Dragonfly::Gateway way = net_.gateway(from_group, group, (destination + i) % cables);
      if (local_hops(way) < local_hops(best)) best = way;
    }
    hop_within_group(at, best.switch_, vc, route);
    append(best.port, vc, route);
    ++vc;
    return best.far_switch;
  }

  void arrive(int at, int destination, int vc, Route& route) const {
    hop_within_group(at, net_.switch_of(destination), vc, route);
    append(net_.host_port(destination), Step::any_vc, route);
  }

  void hop_within_group(int from, int to, int vc, Route& route) const {
    if (from != to) append(net_.local_port(from, to), vc, route);
  }

  static void append(int port, int vc, Route& route) {
    route.steps.push_back({.port = static_cast<std::uint16_t>(port), .vc = static_cast<std::uint8_t>(vc)});
  }

  Dragonfly net_;
  int first_minimal_vc_;
};

const Registration<RoutingPart> registration{
    {.name = "dragonfly",
     .summary =
         "dragonfly: at most one hop in a group, one between groups, one in the next; on request Valiant's detours, or "
         "the shorter queue of both",
     .build =
         [](const Graph& graph, const Parameters& parameters, const RoutingContext& context) {
           const PathChoice choice = read_paths(parameters);
           return detoured_paths(graph, std::make_unique<DragonflyPaths>(graph, choice.paths), choice, context);
         },
     .avoids_failures = true,
     .detours = detour_choices()}};

}  // namespace
}  // namespace sanvp::topologies
