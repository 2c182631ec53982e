/// Adaptive routing on a dragonfly that weighs the shortest way against a detour through a group that the sender draws:
///   progressive  at each switch of the source's group, as long as the packet is on the shortest way (PAR: Jiang, Kim,
///                Dally, Indirect Adaptive Routing on Large Scale Interconnection Networks, ISCA 2009)
///   global       once, at the source's switch, by the queues of the global cables that both ways take, wherever these
///                are in the group (UGAL-G: Kim, Dally, Scott, Abts, ISCA 2008, section 4)
/// UGAL-L, which knows the source's switch alone, is `dragonfly` with `paths = adaptive`.
///
/// A packet uses its channels in the order local 0, local 1, global 0, local 2, global 1, local 3, each for at most one
/// hop, where local v is a cable in a group on virtual channel v; the shortest way leaves out what it does not need.
#include <algorithm>
#include <array>

#include "platform/core/parameters.hpp"
#include "topologies/dragonfly.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/relation.hpp"

namespace sanvp::topologies {
namespace {

class DragonflyAdaptive : public RelationRouting {
 public:
  DragonflyAdaptive(const Graph& graph, bool global, std::int64_t threshold)
      : net_(Dragonfly::of(graph, "routing dragonfly_adaptive")), global_(global), threshold_(threshold) {}

  int virtual_channels() const override { return 4; }
  bool looks_at_queues() const override { return true; }
  std::int64_t detour_threshold() const override { return threshold_; }
  bool random_alternative() const override { return true; }

  int alternatives(int source, int destination) const override {
    if (source == destination) return 0;
    const bool same = group_of_host(source) == group_of_host(destination);
    return same || net_.groups() < 3 ? 1 : net_.groups() - 2;
  }

  void candidates(const Header& header, std::vector<Candidate>& to) const override {
    const int there = net_.switch_of(header.destination);
    const Phase phase = phase_of(header.state);
    const int here_group = net_.group_of(header.switch_);
    const int goal_group = net_.group_of(there);
    if (header.switch_ == there) {
      to.push_back({.port = static_cast<std::uint16_t>(net_.host_port(header.destination)), .state = header.state});
    } else if (here_group == goal_group) {
      to.push_back(local(header.switch_, there, phase == Phase::undecided ? 0 : last_local, header.state));
    } else if (phase == Phase::detour && here_group != between(header.state)) {
      to.push_back(towards(header, between(header.state), Phase::detour, 1, 0));
    } else if (phase == Phase::detour) {
      to.push_back(towards(header, goal_group, Phase::decided, 2, 1));
    } else {
      const bool decides = phase == Phase::undecided && between(header.state) != goal_group;
      const Phase next = global_ || !decides ? Phase::decided : Phase::undecided;
      Candidate shortest = towards(header, goal_group, next, 0, 1);
      if (!decides) {
        to.push_back(shortest);
        return;
      }
      Candidate detour = towards(header, between(header.state), Phase::detour, 1, 0);
      shortest.links = static_cast<std::uint8_t>(links_to(header.switch_, goal_group, there));
      detour.links = static_cast<std::uint8_t>(links_by(header.switch_, between(header.state), goal_group, there));
      if (global_) {
        watch_global(header, goal_group, shortest);
        watch_global(header, between(header.state), detour);
      }
      to.push_back(shortest);
      to.push_back(detour);
    }
  }

 protected:
  /// The group of the detour; the destination's if the pair has no detour.
  std::uint32_t first_state(int source, int destination, int alternative) const override {
    const int from = group_of_host(source);
    const int to = group_of_host(destination);
    if (from == to || net_.groups() < 3) return state(Phase::undecided, to);
    int group = alternative;
    for (const int taken : std::array{std::min(from, to), std::max(from, to)}) group += group >= taken ? 1 : 0;
    return state(Phase::undecided, group);
  }

 private:
  enum class Phase : std::uint8_t {
    undecided,  ///< on the shortest way, and may leave it
    decided,    ///< on the way to the destination's group
    detour,     ///< on the way to, or in, the group between
  };
  static constexpr int last_local = 3;  ///< virtual channel in the destination's group
  static constexpr int phase_bits = 2;

  static std::uint32_t state(Phase phase, int group) {
    return static_cast<std::uint32_t>(group) << phase_bits | static_cast<std::uint32_t>(phase);
  }
  static Phase phase_of(std::uint32_t state) { return static_cast<Phase>(state & ((1U << phase_bits) - 1)); }
  static int between(std::uint32_t state) { return static_cast<int>(state >> phase_bits); }

  int group_of_host(int host) const { return net_.group_of(net_.switch_of(host)); }

  /// The cable that the destination's number selects, so that all switches of a group choose the same.
  Dragonfly::Gateway gateway(const Header& header, int from_group, int group) const {
    return net_.gateway(from_group, group, header.destination % net_.cables_between_groups());
  }

  Candidate local(int from, int to, int vc, std::uint32_t state) const {
    return {.port = static_cast<std::uint16_t>(net_.local_port(from, to)),
            .vc = static_cast<std::uint8_t>(vc),
            .state = state};
  }

  /// One hop nearer to a group: to the switch with the cable, or over it.
  /// @param next  the phase after the hop; in another group than the source's the packet has decided
  Candidate towards(const Header& header, int group, Phase next, int local_vc, int global_vc) const {
    const Dragonfly::Gateway way = gateway(header, net_.group_of(header.switch_), group);
    const int detour = between(header.state);
    if (way.switch_ != header.switch_) {
      const bool leaves_between = next == Phase::decided && phase_of(header.state) == Phase::detour;
      return local(header.switch_, way.switch_, local_vc, state(leaves_between ? Phase::detour : next, detour));
    }
    return {.port = static_cast<std::uint16_t>(way.port),
            .vc = static_cast<std::uint8_t>(global_vc),
            .state = state(next == Phase::undecided ? Phase::decided : next, detour)};
  }

  void watch_global(const Header& header, int group, Candidate& candidate) const {
    const Dragonfly::Gateway way = gateway(header, net_.group_of(header.switch_), group);
    candidate.watched_switch = way.switch_;
    candidate.watched_port = static_cast<std::uint16_t>(way.port);
  }

  int links_to(int from, int group, int to) const {
    const Dragonfly::Gateway way = net_.gateway(net_.group_of(from), group, 0);
    return (way.switch_ != from ? 1 : 0) + 1 + (way.far_switch != to ? 1 : 0);
  }
  int links_by(int from, int group, int goal_group, int to) const {
    const Dragonfly::Gateway way = net_.gateway(net_.group_of(from), group, 0);
    return (way.switch_ != from ? 1 : 0) + 1 + links_to(way.far_switch, goal_group, to);
  }

  Dragonfly net_;
  bool global_;
  std::int64_t threshold_;
};

const Registration<RoutingPart> registration{
    {.name = "dragonfly_adaptive",
     .summary =
         "dragonfly: the shortest way or a detour, weighed at each switch of the source's group (PAR), or once by "
         "the queues of the global cables (UGAL-G)",
     .build = [](const Graph& graph, const Parameters& parameters, const RoutingContext&) -> std::unique_ptr<Routing> {
       const bool global =
           parameters.choice(
               "weighs", "progressive", {"progressive", "global"},
               "where a packet decides: at each switch of its source's group by that switch's queues, or at "
               "the first one by the queues of the group's global cables",
               "PAR: Jiang et al., ISCA 2009; UGAL-G: Kim et al., ISCA 2008, section 4") == "global";
       const std::int64_t threshold = parameters.count(
           "threshold", 30,
           "flits times cables by which the queue of a detour must be shorter than that of the shortest way; a queue "
           "is "
           "what waits for a way's output, in flits over all its virtual channels, and counts times the cables left",
           "BookSim2, networks/dragonfly.cpp: adaptive_threshold", 0, INT32_MAX);
       return std::make_unique<DragonflyAdaptive>(graph, global, threshold);
     }}};

}  // namespace
}  // namespace sanvp::topologies
