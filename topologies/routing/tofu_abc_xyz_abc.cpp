#include "topologies/routing/tofu_abc_xyz_abc.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "platform/core/error.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/dimension_order.hpp"
#include "topologies/tofu.hpp"

namespace sanvp::topologies {

namespace {

/// The axes in the order taken; the first three again by their last phase.
constexpr std::string_view itinerary = "abcxyzabc";
constexpr int legs = static_cast<int>(itinerary.size());
constexpr int first_phase_legs = 3;
constexpr int last_phase_begin = 6;
/// The last abc phase lies above the first phase's two virtual channels.
constexpr std::uint8_t last_phase_vc = 2;

class TofuRouting : public Routing {
 public:
  TofuRouting(const Graph& graph, const TofuChoices& choices)
      : lattice_(Lattice::of(graph, "routing tofu_abc_xyz_abc")), random_via_(choices.random_via) {
    if (graph.family != "tofu")
      throw UserError("routing tofu_abc_xyz_abc", "the topology '" + graph.family + "' has no abc groups",
                      "use it on tofu, or choose routing dimension_order");
    for (int leg = 0; leg < legs; ++leg) axes_[leg] = lattice_.axis(itinerary[leg]);
    if (!choices.faulty_nodes.empty()) faulty_.resize(lattice_.switch_count(), false);
    for (const std::int64_t node : choices.faulty_nodes) {
      if (node < 0 || node >= lattice_.switch_count())
        throw UserError(choices.faults_place, "there is no node " + std::to_string(node) + " to be faulty",
                        "nodes go from 0 to " + std::to_string(lattice_.switch_count() - 1));
      faulty_[node] = true;
    }
  }

  int alternatives(int source, int destination) const override {
    if (source == destination) return 0;
    if (faulty_.empty()) return tofu_group_nodes;
    int count = 0;
    for (int turn = 0; turn < tofu_group_nodes; ++turn) count += is_sound(source, destination, turn);
    return count;
  }

  bool random_alternative() const override { return random_via_; }

  void route(int source, int destination, int alternative, Route& route) const override {
    route.steps.clear();
    route.source_port = 0;
    route.source_vc = Step::any_vc;
    for_each_run(source, destination, turn_of(source, destination, alternative), [&](int leg, const Run& run) {
      append(lattice_, axes_[leg], run, Step{}, leg < last_phase_begin ? 0 : last_phase_vc, route);
    });
    Step arrive;
    arrive.port = static_cast<std::uint16_t>(lattice_.host_port(destination));
    route.steps.push_back(arrive);
  }

 private:
  /// Calls visit(leg, run) for each axis on which the path moves, in order.
  /// @param turn  how many points after the source's own the via point is
  template <class Visit>
  void for_each_run(int source, int destination, int turn, Visit visit) const {
    const int from = lattice_.switch_of(source);
    const int to = lattice_.switch_of(destination);
    const int own = from % tofu_group_nodes;
    // Switches are numbered group by group, so the via point differs from the source in the last digits only.
    const int via = from - own + (own + turn) % tofu_group_nodes;
    const Run::Way tie = source % 2 == 0 ? Run::Way::up : Run::Way::down;
    for (int leg = turn == 0 ? first_phase_legs : 0; leg < legs; ++leg) {
      const int begin = lattice_.coordinate(leg < first_phase_legs ? from : via, axes_[leg]);
      const int end = lattice_.coordinate(leg < first_phase_legs ? via : to, axes_[leg]);
      if (begin != end) visit(leg, lattice_.run(axes_[leg], begin, end, Wrap::shortest, tie));
    }
  }

  /// @return whether all nodes of the path are sound, its ends among them
  bool is_sound(int source, int destination, int turn) const {
    int at = lattice_.switch_of(source);
    bool sound = !faulty_[at];
    for_each_run(source, destination, turn, [&](int leg, const Run& run) {
      for (int hop = 0; sound && hop < run.hops; ++hop) {
        at = lattice_.neighbour(at, axes_[leg], run.way);
        sound = !faulty_[at];
      }
    });
    return sound;
  }

  int turn_of(int source, int destination, int alternative) const {
    if (faulty_.empty()) return alternative;
    for (int turn = 0; turn < tofu_group_nodes; ++turn)
      if (is_sound(source, destination, turn) && alternative-- == 0) return turn;
    throw UserError("routing tofu_abc_xyz_abc",
                    "every path from host " + std::to_string(source) + " to host " + std::to_string(destination) +
                        " meets a faulty node",
                    "ask for no more routes than alternatives() names, or repair a node");
  }

  Lattice lattice_;
  std::array<int, legs> axes_{};
  std::vector<bool> faulty_;  ///< per switch; empty where all are sound, which spares the search
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
