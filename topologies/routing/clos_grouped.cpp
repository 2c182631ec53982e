#include "topologies/routing/clos_grouped.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/clos.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/up_down_tables.hpp"

namespace sanvp::topologies {
namespace {

Step to_port(int port, int ports = 1) {
  Step step;
  step.port = static_cast<std::uint16_t>(port);
  step.ports = static_cast<std::uint16_t>(ports);
  return step;
}

/// The labels below one switch, first..first+count-1, and how its uplinks share the labels outside.
struct Below {
  int first;
  int count;

  static Below leaf(const ClosSizes& sizes, int leaf) { return {leaf * sizes.up, sizes.up}; }
  static Below pod(const ClosSizes& sizes, int pod) { return {pod * sizes.up * sizes.up, sizes.up * sizes.up}; }

  /// Labels outside per uplink. It divides evenly: the number of hosts is a multiple of `count`, which is a multiple of
  /// `up`.
  int share(const ClosSizes& sizes) const { return (sizes.hosts() - count) / sizes.up; }
  /// The uplink for a label outside: uplinks serve equal shares of these labels, in ascending order.
  int uplink(const ClosSizes& sizes, int label) const { return (label < first ? label : label - count) / share(sizes); }
};

/// Number of labels that one group of a centre's cables leads to: a leaf's, or a pod's. It is a multiple of the cables.
int labels_below_centre(const ClosSizes& sizes) { return sizes.up * (sizes.has_middles() ? sizes.up : 1); }

class ClosGrouped : public Routing {
 public:
  /// @param centres  the centres that universal routing draws from
  ClosGrouped(const ClosSizes& sizes, const ClosRoutingOptions& options, std::vector<int> centres)
      : sizes_(sizes), options_(options), centres_(std::move(centres)) {}

  int alternatives(int source, int destination) const override {
    if (source == destination) return 0;
    return random_alternative() ? static_cast<int>(centres_.size()) : 1;
  }

  bool random_alternative() const override { return options_.up == ClosUp::universal; }

  void route(int source, int destination, int alternative, Route& route) const override {
    route.steps.clear();
    route.source_port = 0;
    route.source_vc = Step::any_vc;
    if (options_.up == ClosUp::universal)
      append_way_to_centre(centres_[alternative], route);
    else
      append_way_up(source, destination, route);
    append_way_down(source, destination, route);
    if (options_.delete_header) route.steps.back().strip = static_cast<std::uint8_t>(options_.header_bytes);
  }

 private:
  Step up(const Below& below, int destination) const {
    if (options_.up == ClosUp::adaptive) return to_port(sizes_.up, sizes_.up);
    return to_port(sizes_.up + below.uplink(sizes_, destination));
  }

  void append_way_up(int source, int destination, Route& route) const {
    const int leaf = sizes_.leaf_of(source);
    const int pod = sizes_.pod_of(source);
    if (leaf == sizes_.leaf_of(destination)) return;
    route.steps.push_back(up(Below::leaf(sizes_, leaf), destination));
    if (sizes_.has_middles() && pod != sizes_.pod_of(destination))
      route.steps.push_back(up(Below::pod(sizes_, pod), destination));
  }

  void append_way_to_centre(int centre, Route& route) const {
    const int plane = centre / sizes_.centres_above();
    if (sizes_.has_middles()) route.steps.push_back(to_port(sizes_.up + plane));
    route.steps.push_back(to_port(sizes_.up_port(centre % sizes_.centres_above()), sizes_.cables));
    route.steps.front().prepend = static_cast<std::uint8_t>(options_.header_bytes);
  }

  /// @param below  the leaf or pod that the cables lead to
  Step from_centre(int below, int destination) const {
    const int port = sizes_.centre_port(below);
    if (!options_.fixed_down) return to_port(port, sizes_.cables);
    return to_port(port + destination % labels_below_centre(sizes_) * sizes_.cables / labels_below_centre(sizes_));
  }

  /// Appends the descent from the last switch of the ascent.
  void append_way_down(int source, int destination, Route& route) const {
    const int leaf = sizes_.leaf_of(destination);
    const int pod = sizes_.pod_of(destination);
    const bool universal = options_.up == ClosUp::universal;
    const bool same_leaf = sizes_.leaf_of(source) == leaf;
    const bool same_pod = sizes_.has_middles() && sizes_.pod_of(source) == pod;
    if (universal || !(same_leaf || same_pod)) {
      route.steps.push_back(from_centre(sizes_.has_middles() ? pod : leaf, destination));
      if (universal) route.steps.back().strip = static_cast<std::uint8_t>(options_.header_bytes);
    }
    if (sizes_.has_middles() && (universal || !same_leaf)) route.steps.push_back(to_port(leaf % sizes_.up));
    route.steps.push_back(to_port(destination % sizes_.up));
  }

  ClosSizes sizes_;
  ClosRoutingOptions options_;
  std::vector<int> centres_;
};

/// Whether the group of a switch's ports that starts at `first` has a working cable.
bool has_cable(const Graph& working, int switch_, int first, int cables) {
  for (int port = first; port < first + cables; ++port)
    if (working.peer(End::switch_(switch_, port))) return true;
  return false;
}

/// Whether a centre still leads to all leaves.
bool leads_everywhere(const Graph& working, const ClosSizes& sizes, int centre) {
  for (int below = 0; below < (sizes.has_middles() ? sizes.pods : sizes.leaves); ++below) {
    if (!has_cable(working, sizes.first_centre() + centre, sizes.centre_port(below), sizes.cables)) return false;
    if (!sizes.has_middles()) continue;
    const int middle = sizes.first_middle() + below * sizes.up + centre / sizes.centres_above();
    for (int port = 0; port < sizes.up; ++port)
      if (!has_cable(working, middle, port, 1)) return false;
  }
  return true;
}

/// The centres that lead to all leaves; empty if none does or if universal routing is not used.
std::vector<int> centres_to_draw_from(const Graph& working, const ClosSizes& sizes, ClosUp up) {
  std::vector<int> centres;
  for (int centre = 0; up == ClosUp::universal && centre < sizes.centres; ++centre)
    if (leads_everywhere(working, sizes, centre)) centres.push_back(centre);
  return centres;
}

/// Adds the labels outside with ranks rank..end-1; `shift` is the difference between a label and its rank.
void add_up(const ClosSizes& sizes, const Below& below, ClosUp up, int rank, int end, int shift, IntervalTable& table) {
  if (up == ClosUp::adaptive) {
    table.add({rank + shift, end + shift, sizes.up, sizes.up});
    return;
  }
  const int share = below.share(sizes);
  while (rank < end) {
    const int uplink = rank / share;
    const int next = std::min((uplink + 1) * share, end);
    table.add({rank + shift, next + shift, sizes.up + uplink});
    rank = next;
  }
}

/// Down ports share the labels below equally; all other labels go up.
IntervalTable table_of(const ClosSizes& sizes, const Below& below, ClosUp up, int strip) {
  IntervalTable table;
  add_up(sizes, below, up, 0, below.first, 0, table);
  const int labels_per_port = below.count / sizes.up;
  for (int port = 0; port < sizes.up; ++port) {
    const int label = below.first + port * labels_per_port;
    table.add({label, label + labels_per_port, port, 1, strip});
  }
  add_up(sizes, below, up, below.first, sizes.hosts() - below.count, below.count, table);
  return table;
}

ClosRoutingOptions read_options(const Parameters& parameters) {
  const std::string up = parameters.choice(
      "up", "adaptive", {"adaptive", "fixed", "universal"},
      "what chooses the uplink: the switch, the destination's label, or the source at random (two-phase routing)",
      "STC104, FACTS.md 3.2; a group reproduces the Macrame paper's 60 % (TIMING.md)");
  ClosRoutingOptions options;
  options.up = up == "adaptive" ? ClosUp::adaptive : up == "fixed" ? ClosUp::fixed : ClosUp::universal;
  options.fixed_down = parameters.choice("down", "grouped", {"grouped", "fixed"},
                                         "the cables from a centre to one switch: one group, or each serves a share of "
                                         "the labels (for traffic; hosts' software makes tables with groups)",
                                         "FACTS.md 3.2: groups") == "fixed";
  options.header_bytes = static_cast<int>(
      parameters.count("header_bytes", 2, "header bytes prepended or deleted at once", "FACTS.md 3.1 (1 or 2)", 1, 2));
  options.delete_header = parameters.flag("delete_header", false, "whether the last switch deletes the header",
                                          "STC104 header deletion, FACTS.md 3.2");
  return options;
}

const Registration<RoutingPart> registration{
    {.name = "clos_grouped",
     .summary = "folded Clos: grouped adaptive, fixed or universal (two-phase random) way up, grouped cables down",
     .build = [](const Graph& graph, const Parameters& parameters,
                 std::uint64_t) { return clos_grouped(graph, read_options(parameters)); },
     .avoids_failures = true}};

const Registration<IntervalLabeller> labeller{
    {"clos", "host numbers as labels; one group of uplinks, or a share of the labels for each",
     [](const Graph& graph, const Parameters& parameters) { return clos_intervals(graph, read_options(parameters)); }}};

}  // namespace

std::unique_ptr<Routing> clos_grouped(const Graph& graph, const ClosRoutingOptions& options) {
  const ClosSizes sizes = clos_sizes(graph, "routing clos_grouped");
  std::vector<int> centres = centres_to_draw_from(graph, sizes, options.up);
  // A group skips its failed cables.
  const bool any_cable_will_do = options.up == ClosUp::adaptive && !options.fixed_down;
  if (options.up == ClosUp::universal ? !centres.empty() : any_cable_will_do ? graph.joined_as_built() : graph.whole())
    return std::make_unique<ClosGrouped>(sizes, options, std::move(centres));
  return up_down_tables(graph, {.grouped_up = options.up != ClosUp::fixed,
                                .grouped_down = !options.fixed_down,
                                .strip_at_host = options.delete_header ? options.header_bytes : 0});
}

IntervalLabelling clos_intervals(const Graph& graph, const ClosRoutingOptions& options) {
  if (options.up == ClosUp::universal)
    throw UserError("routing interval", "universal routing has no one table per switch",
                    "choose up = adaptive or fixed, or routing clos_grouped");
  const ClosSizes sizes = clos_sizes(graph, "routing interval");
  const int strip = options.delete_header ? options.header_bytes : 0;
  IntervalLabelling labelling;
  for (int host = 0; host < sizes.hosts(); ++host) labelling.labels.push_back(host);
  for (int leaf = 0; leaf < sizes.leaves; ++leaf)
    labelling.tables.push_back(table_of(sizes, Below::leaf(sizes, leaf), options.up, strip));
  for (int middle = 0; middle < sizes.middles(); ++middle)
    labelling.tables.push_back(table_of(sizes, Below::pod(sizes, middle / sizes.up), options.up, 0));
  IntervalTable centre;
  const int below_centre = sizes.has_middles() ? sizes.pods : sizes.leaves;
  const int ports = options.fixed_down ? sizes.cables : 1;  // with one interval per port
  const int labels = labels_below_centre(sizes) / ports;
  for (int below = 0, label = 0; below < below_centre; ++below)
    for (int port = 0; port < ports; ++port, label += labels)
      centre.add({label, label + labels, sizes.centre_port(below) + port, sizes.cables / ports});
  labelling.tables.resize(sizes.switches(), centre);
  return labelling;
}

}  // namespace sanvp::topologies
