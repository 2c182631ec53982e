#include "topologies/routing/tofu_abc_xyz_abc.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/dimension_order.hpp"
#include "topologies/routing/split_routes.hpp"
#include "topologies/tofu.hpp"
#include "topologies/unsuitable.hpp"

namespace sanvp::topologies {

namespace {

/// The axes in the order taken, one per segment of a path; the first three come again as the last phase.
constexpr std::string_view itinerary = "abcxyzabc";
constexpr int segments = static_cast<int>(itinerary.size());
constexpr int first_phase_segments = 3;
constexpr int last_phase_begin = 6;
/// The last abc phase uses the virtual channels above the two of the first phase.
constexpr std::uint8_t last_phase_vc = 2;

class TofuRouting : public Routing, public SplitRoutes {
 public:
  TofuRouting(const Graph& graph, const TofuChoices& choices)
      : lattice_(Lattice::of(graph, "routing tofu_abc_xyz_abc")), random_via_(choices.random_via) {
    if (graph.family != "tofu")
      throw UnsuitableGraph("routing tofu_abc_xyz_abc", "the topology '" + graph.family + "' has no abc groups",
                            "use it on tofu, or choose routing dimension_order");
    for (int segment = 0; segment < segments; ++segment) axes_[segment] = lattice_.axis(itinerary[segment]);
    if (!choices.faulty_nodes.empty()) faulty_.resize(lattice_.switch_count(), false);
    for (const std::int64_t node : choices.faulty_nodes) {
      if (node < 0 || node >= lattice_.switch_count())
        throw UserError(choices.faults_place, "there is no node " + std::to_string(node) + " to be faulty",
                        "nodes go from 0 to " + std::to_string(lattice_.switch_count() - 1));
      faulty_[node] = true;
    }
  }

  int virtual_channels() const override { return 4; }

  int alternatives(int source, int destination) const override {
    if (source == destination) return 0;
    if (faulty_.empty()) return tofu_group_nodes;
    int count = 0;
    for (int turn = 0; turn < tofu_group_nodes; ++turn) count += works(source, destination, turn);
    return count;
  }

  bool random_alternative() const override { return random_via_; }

  void route(int source, int destination, int alternative, Route& route) const override {
    append_runs(source, destination, turn_of(source, destination, alternative), segments, route);
    Step arrive;
    arrive.port = static_cast<std::uint16_t>(lattice_.host_port(destination));
    route.steps.push_back(arrive);
  }

  /// The head ends at the via point. From there on, only ties between the two ways around a ring depend on the source.
  int split(int source, int alternative, Route& head) const override {
    if (!faulty_.empty()) return -1;  // which turns work depends on the destination
    append_runs(source, source, alternative, first_phase_segments, head);
    return 2 * via_of(lattice_.switch_of(source), alternative) + static_cast<int>(tie_of(source));
  }

 private:
  static Run::Way tie_of(int source) { return source % 2 == 0 ? Run::Way::up : Run::Way::down; }

  /// @param turn  distance of the via point from the source's own point, in the cyclic order of points
  static int via_of(int from, int turn) {
    // Switches are numbered group by group, so the via point and the source differ only within the group.
    const int own = from % tofu_group_nodes;
    return from - own + (own + turn) % tofu_group_nodes;
  }

  /// Writes the runs of the first `end` segments.
  void append_runs(int source, int destination, int turn, int end, Route& route) const {
    route.steps.clear();
    route.source_port = 0;
    route.source_vc = Step::any_vc;
    for_each_run(source, destination, turn, end, [&](int segment, const Run& run) {
      append(lattice_, axes_[segment], run, Step{}, segment < last_phase_begin ? 0 : last_phase_vc, route);
    });
  }

  /// Calls visit(segment, run) for each axis along which the path moves in its first `end` segments, in order.
  template <class Visit>
  void for_each_run(int source, int destination, int turn, int end, Visit visit) const {
    const int from = lattice_.switch_of(source);
    const int to = lattice_.switch_of(destination);
    const int via = via_of(from, turn);
    const Run::Way tie = tie_of(source);
    for (int segment = turn == 0 ? first_phase_segments : 0; segment < end; ++segment) {
      const int begin = lattice_.coordinate(segment < first_phase_segments ? from : via, axes_[segment]);
      const int target = lattice_.coordinate(segment < first_phase_segments ? via : to, axes_[segment]);
      if (begin != target) visit(segment, lattice_.run(axes_[segment], begin, target, Wrap::shortest, tie));
    }
  }

  /// @return whether all nodes of the path work, including both ends
  bool works(int source, int destination, int turn) const {
    int at = lattice_.switch_of(source);
    bool works = !faulty_[at];
    for_each_run(source, destination, turn, segments, [&](int segment, const Run& run) {
      for (int hop = 0; works && hop < run.hops; ++hop) {
        at = lattice_.neighbour(at, axes_[segment], run.way);
        works = !faulty_[at];
      }
    });
    return works;
  }

  int turn_of(int source, int destination, int alternative) const {
    if (faulty_.empty()) return alternative;
    for (int turn = 0; turn < tofu_group_nodes; ++turn)
      if (works(source, destination, turn) && alternative-- == 0) return turn;
    throw UserError("routing tofu_abc_xyz_abc",
                    "every path from host " + std::to_string(source) + " to host " + std::to_string(destination) +
                        " meets a faulty node",
                    "ask for no more routes than alternatives() names, or repair a node");
  }

  Lattice lattice_;
  std::array<int, segments> axes_{};
  std::vector<bool> faulty_;  ///< per switch; empty if all work, which skips the search
  bool random_via_;
};

std::unique_ptr<Routing> build(const Graph& graph, const Parameters& parameters, std::uint64_t) {
  TofuChoices choices;
  const std::string faults =
      parameters.text("faults", "", "numbers of faulty nodes, such as 5,17, that routes detour", "TOFU paper 3");
  choices.faults_place = parameters.place("faults");
  for (std::size_t begin = 0; begin < faults.size();) {
    const std::size_t end = std::min(faults.find(',', begin), faults.size());
    choices.faulty_nodes.push_back(parse_count(faults.substr(begin, end - begin), choices.faults_place));
    begin = end + 1;
  }
  choices.random_via = parameters.flag("random_via", false, "draw the first abc point per packet, not the source's own",
                                       "TOFU paper 3: multipath");
  return tofu_abc_xyz_abc(graph, choices);
}

const Registration<RoutingPart> registration{
    {"tofu_abc_xyz_abc", "TOFU: abc, then xyz, then abc, with a choice of the first abc point that detours faults",
     build}};

}  // namespace

std::unique_ptr<Routing> tofu_abc_xyz_abc(const Graph& graph, const TofuChoices& choices) {
  return std::make_unique<TofuRouting>(graph, choices);
}

}  // namespace sanvp::topologies
