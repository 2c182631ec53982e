#include "topologies/routing/dimension_order.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/text.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/detours_apart.hpp"
#include "topologies/routing/split_routes.hpp"
#include "topologies/routing/up_down_tables.hpp"

namespace sanvp::topologies {

void append(const Lattice& lattice, int axis, const Run& run, Step step, std::uint8_t vc, Route& route) {
  step.port = static_cast<std::uint16_t>(step.port + lattice.port(axis, run.way));
  for (int hop = 0; hop < run.hops; ++hop) {
    step.vc = vc == Step::any_vc ? vc : static_cast<std::uint8_t>(vc + (hop >= run.hops_before_wrap));
    route.steps.push_back(step);
  }
}

namespace {

/// A ring needs two virtual channels: one before its wrap cable (the dateline), one from there on.
constexpr int dateline_vcs = 2;

class DimensionOrderRouting : public Routing, public SplitRoutes {
 public:
  DimensionOrderRouting(const Graph& graph, const DimensionOrder& choices)
      : lattice_(Lattice::of(graph, "routing dimension_order")), choices_(choices) {
    std::string names;
    for (const Axis& axis : lattice_.axes()) names += axis.name;
    std::sort(names.begin(), names.end());
    const std::string& order = choices.order.empty() ? names : choices.order;
    std::string given = order;
    std::sort(given.begin(), given.end());
    if (given != names)
      throw UserError(choices.order_place, "the order " + in_quotes(order) + " does not name each axis once",
                      "give all of '" + names + "'");
    for (const char name : order) order_.push_back(lattice_.axis(name));

    if (choices.universal == Universal::link_sets)
      for (const Axis& axis : lattice_.axes())
        if (axis.cables < 2)
          throw UserError(
              "routing dimension_order",
              "universal routing finds only one cable along " + std::string(1, axis.name) + " for two link sets",
              "give two cables or more per direction, or choose virtual-channels");
    for (int axis = 0; axis < lattice_.axis_count(); ++axis) any_dateline_ |= has_dateline(axis);
  }

  int alternatives(int source, int destination) const override {
    if (source == destination) return 0;
    return choices_.universal == Universal::none ? 1 : lattice_.switch_count();
  }

  bool random_alternative() const override { return choices_.universal != Universal::none; }

  int virtual_channels() const override {
    return (any_dateline_ ? dateline_vcs : 1) * (choices_.universal == Universal::virtual_channels ? 2 : 1);
  }

  void route(int source, int destination, int alternative, Route& route) const override {
    route.steps.clear();
    route.source_port = 0;
    route.source_vc = Step::any_vc;
    const int from = lattice_.switch_of(source);
    const int to = lattice_.switch_of(destination);
    std::size_t second_phase = 0;
    if (choices_.universal == Universal::none) {
      travel(source, destination, from, to, 0, route);
    } else {
      travel(source, destination, from, alternative, 0, route);
      second_phase = route.steps.size();
      travel(source, destination, alternative, to, 1, route);
    }
    Step arrive;
    arrive.port = static_cast<std::uint16_t>(lattice_.host_port(destination));
    route.steps.push_back(arrive);
    if (second_phase > 0) {
      route.steps.front().prepend = static_cast<std::uint8_t>(choices_.random_header_flits);
      route.steps[second_phase].strip = static_cast<std::uint8_t>(choices_.random_header_flits);
    }
  }

  /// The head ends at the intermediate switch. From there on, only ties between the two ways around a ring depend on
  /// the source.
  int split(int source, int alternative, Route& head) const override {
    if (choices_.universal == Universal::none || choices_.cables == Cables::fixed) return -1;
    head.steps.clear();
    head.source_port = 0;
    head.source_vc = Step::any_vc;
    travel(source, source, lattice_.switch_of(source), alternative, 0, head);
    return 2 * alternative + source % 2;
  }

  /// Whether each direction that a route may take still has a working cable.
  bool leads_everywhere(const Graph& working) const {
    const bool any_cable_will_do = choices_.cables == Cables::grouped && choices_.universal != Universal::link_sets;
    return any_cable_will_do ? lattice_.joined_by_one(working) : lattice_.joined_by_all(working);
  }

 private:
  void travel(int source, int destination, int from, int to, int phase, Route& route) const {
    const Run::Way tie = source % 2 == 0 ? Run::Way::up : Run::Way::down;
    for (const int axis : order_) {
      const int begin = lattice_.coordinate(from, axis);
      const int end = lattice_.coordinate(to, axis);
      if (begin == end) continue;
      Run run = lattice_.run(axis, begin, end, choices_.wrap, tie);
      if (choices_.dateline == Dateline::packet && run.hops_before_wrap < run.hops) run.hops_before_wrap = 0;
      append(lattice_, axis, run, cables(axis, destination, phase), first_vc(axis, phase), route);
    }
  }

  bool has_dateline(int axis) const {
    return choices_.wrap == Wrap::shortest && lattice_.axes()[axis].kind == Axis::Kind::ring;
  }

  std::uint8_t first_vc(int axis, int phase) const {
    if (choices_.universal == Universal::virtual_channels)
      return static_cast<std::uint8_t>(phase * (any_dateline_ ? dateline_vcs : 1));
    return has_dateline(axis) ? 0 : Step::any_vc;
  }

  /// The permitted cables of a direction, as offsets from its first port.
  Step cables(int axis, int destination, int phase) const {
    int first = 0;
    int count = lattice_.axes()[axis].cables;
    if (choices_.universal == Universal::link_sets) {
      const int half = count / 2;
      first = phase == 0 ? 0 : half;
      count = phase == 0 ? half : count - half;
    }
    const int selected = destination % count;
    Step step;
    const bool grouped = choices_.cables == Cables::grouped;
    step.port = static_cast<std::uint16_t>(grouped ? first : first + selected);
    step.ports = static_cast<std::uint16_t>(grouped ? count : 1);
    step.preferred = static_cast<std::uint16_t>(grouped ? selected : 0);
    return step;
  }

  Lattice lattice_;
  DimensionOrder choices_;
  std::vector<int> order_;  ///< axes in the order taken
  bool any_dateline_ = false;
};

std::unique_ptr<Routing> build(const Graph& graph, const Parameters& parameters, const RoutingContext& context) {
  DimensionOrder choices;
  choices.order = parameters.text("order", "", "all axes in the order taken, such as xy or yx; empty: alphabetical",
                                  "Mesh of Clos paper 2.1 (XY), TOFU paper 4.3 (x first)");
  choices.order_place = parameters.place("order");
  const std::string wrap = parameters.choice(
      "wrap", "shortest", {"shortest", "first-hop", "never"},
      "wrap cables a route may use: any (two virtual channels), only as the first hop along an axis, or none",
      "FACTS 3.2: with one virtual channel a torus routes as a mesh");
  choices.wrap = wrap == "shortest" ? Wrap::shortest : wrap == "never" ? Wrap::never : Wrap::first_hop;
  choices.cables = parameters.choice("cables", "grouped", {"grouped", "fixed"},
                                     "any free cable of a direction, or the one that the destination selects",
                                     "FACTS 3.2: grouped adaptive links") == "fixed"
                       ? Cables::fixed
                       : Cables::grouped;
  choices.dateline =
      parameters.choice(
          "dateline", "cable", {"cable", "packet"},
          "where wrap = shortest: a packet takes the second virtual channel from the wrap cable on, or, if "
          "it passes one, on its whole way along that axis",
          "Dally, Seitz, IEEE Trans. Computers C-36(5), 1987; packet: BookSim2, routefunc.cpp") == "packet"
          ? Dateline::packet
          : Dateline::cable;
  const std::string universal = parameters.choice("universal", "none", {"none", "virtual-channels", "link-sets"},
                                                  "two-phase random routing, and what keeps its phases apart",
                                                  "FACTS 3.2: needs separate link sets");
  choices.universal = universal == "none"               ? Universal::none
                      : universal == "virtual-channels" ? Universal::virtual_channels
                                                        : Universal::link_sets;
  choices.random_header_flits = static_cast<int>(
      parameters.count("random_header", 2, "flits of the random header of universal routing", "FACTS 3.1", 0, 255));
  auto routing = std::make_unique<DimensionOrderRouting>(graph, choices);
  if (routing->leads_everywhere(graph)) return routing;
  const bool has_spare = context.virtual_channels > routing->virtual_channels();
  if (context.detours == "apart" || (context.detours != "up-down" && has_spare))
    return with_detours(graph, std::move(routing), context);
  return dimension_order(graph, choices);
}

const Registration<RoutingPart> registration{
    {.name = "dimension_order",
     .summary = "one axis after the other (XY, XYZ) on grids, tori and TOFU; universal routing on request",
     .build = build,
     .avoids_failures = true,
     .detours = detour_choices()}};

}  // namespace

std::unique_ptr<Routing> dimension_order(const Graph& graph, const DimensionOrder& choices) {
  auto routing = std::make_unique<DimensionOrderRouting>(graph, choices);
  if (!choices.detours || routing->leads_everywhere(graph)) return routing;
  const bool grouped = choices.cables == Cables::grouped;
  return up_down_tables(graph, {.grouped_up = grouped, .grouped_down = grouped});
}

}  // namespace sanvp::topologies
