#include "models/nic/stc104/driver_tables.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "topologies/routing/up_down_tables.hpp"

namespace sanvp::nic::stc104 {
namespace {

using topologies::End;
using topologies::Graph;
using topologies::Route;
using topologies::Routing;
using topologies::Step;

constexpr int links = STC104_LINKS;
constexpr int nowhere = std::numeric_limits<int>::max();

/// Ports of a switch to one destination.
struct Ways {
  int first = 0;
  int count = 0;            ///< 0: none
  bool shared_out = false;  ///< each link has a share of the destinations with these ways
  bool operator==(const Ways&) const = default;
};

/// The ends at the other end of each switch's links, by port.
using Neighbours = std::vector<std::array<End, links>>;

Neighbours neighbours_of(const Graph& graph) {
  Neighbours neighbours(static_cast<std::size_t>(graph.switch_count()));
  for (int at = 0; at < graph.switch_count(); ++at)
    for (int port = 0; port < links; ++port) neighbours[at][port] = graph.peer(End::switch_(at, port));
  return neighbours;
}

/// Distances of all switches from the nearest of `from`.
std::vector<int> spread(const Neighbours& neighbours, std::vector<int> from) {
  std::vector<int> distance(neighbours.size(), nowhere);
  for (const int start : from) distance[start] = 0;
  for (std::size_t i = 0; i < from.size(); ++i)
    for (const End& next : neighbours[from[i]]) {
      if (!next.is_switch() || distance[next.index] != nowhere) continue;
      distance[next.index] = distance[from[i]] + 1;
      from.push_back(next.index);
    }
  return distance;
}

/// The rule of sw/ds_linkdrv/labelling.c: shortest ways; away from hosts by any link, else to the neighbour with the
/// most distant number.
class Labelling {
 public:
  Labelling(const Graph& graph, stc104_uplinks uplinks)
      : neighbours_(neighbours_of(graph)), fixed_(uplinks == STC104_UPLINKS_FIXED) {
    std::set<int> with_hosts;
    for (int host = 0; host < graph.host_count(); ++host) {
      homes_.push_back(graph.peer(End::host(host)));
      with_hosts.insert(homes_.back().index);
    }
    level_ = spread(neighbours_, {with_hosts.begin(), with_hosts.end()});
    distance_.resize(level_.size());
    for (const int target : with_hosts) distance_[target] = spread(neighbours_, {target});
  }

  /// From switch `at`, by host. Hosts of one switch have the same ways, except at that switch.
  std::vector<Ways> to_hosts(int at) const {
    std::vector<std::optional<Ways>> to_switches(neighbours_.size());
    std::vector<Ways> ways;
    for (const End& home : homes_) {
      std::optional<Ways>& to = to_switches[home.index];
      if (!to && home.index != at) to = to_switch(at, home.index);
      ways.push_back(home.index == at ? Ways{.first = home.port, .count = 1} : *to);
    }
    return ways;
  }

 private:
  Ways to_switch(int at, int target) const {
    const std::vector<int>& distance = distance_[target];
    Ways ways;
    int furthest = 0;
    for (int port = 0; port < links; ++port) {
      const End& next = neighbours_[at][port];
      if (!next.is_switch() || distance[next.index] == nowhere || distance[next.index] + 1 != distance[at]) continue;
      const int far = level_[next.index] > level_[at] ? nowhere : std::abs(next.index - at);
      if (ways.count > 0 && far < furthest) continue;
      if (far > furthest || ways.count == 0) ways = {.first = port};
      furthest = far;
      ways.count = port - ways.first + 1;
      ways.shared_out = fixed_ && level_[next.index] >= level_[at];
    }
    return ways;
  }

  Neighbours neighbours_;
  bool fixed_;
  std::vector<End> homes_;                  ///< by host
  std::vector<int> level_;                  ///< switches to the nearest host
  std::vector<std::vector<int>> distance_;  ///< by target, where that has hosts
};

/// The table of one switch, the same for each of its links.
class Table {
 public:
  Table(const Labelling& labelling, int at, int hosts) {
    const std::vector<Ways> ways = labelling.to_hosts(at);
    std::vector<int> rank;
    std::array<int, links> totals{};  // of destinations by first link
    for (const Ways& to : ways) rank.push_back(totals[to.first]++);
    std::array<bool, links> grouped{};  // a link with the one before it
    for (int host = 0; host < hosts; ++host) {
      const Ways& to = ways[host];
      outputs_.push_back(to.shared_out ? to.first + rank[host] * to.count / totals[to.first] : to.first);
      if (to.count > 0 && (intervals_ == 0 || outputs_.back() != last_)) ++intervals_;
      if (to.count > 0) last_ = outputs_.back();
      for (int i = 1; !to.shared_out && i < to.count; ++i) grouped[to.first + i] = true;
    }
    for (int port = links - 1; port >= 0; --port)
      group_[port] = static_cast<std::uint16_t>(port + 1 < links && grouped[port + 1] ? group_[port + 1] + 1 : 1);
  }

  int intervals() const { return intervals_; }

  Step step(int host) const {
    return {.port = static_cast<std::uint16_t>(outputs_[host]), .ports = group_[outputs_[host]]};
  }

 private:
  std::vector<int> outputs_;                  ///< by host
  std::array<std::uint16_t, links> group_{};  ///< links of a group, by its first one
  int intervals_ = 0;
  int last_ = 0;
};

class DriverTables {
 public:
  DriverTables(const NicNetwork& network, stc104_uplinks uplinks)
      : network_(network),
        neighbours_(neighbours_of(network.graph)),
        working_neighbours_(neighbours_of(network.working_graph)) {
    const Labelling labelling(network.graph, uplinks);
    for (int at = 0; at < network.graph.switch_count(); ++at)
      tables_.emplace_back(labelling, at, network.graph.host_count());
  }

  /// A switch whose table is longer than an STC104's, or -1.
  int overfull() const {
    const auto found = std::ranges::find_if(
        tables_, [](const Table& table) { return table.intervals() > static_cast<int>(STC104_INTERVALS); });
    return found == tables_.end() ? -1 : static_cast<int>(found - tables_.begin());
  }

  void route(int source, int destination, Route& route) const {
    route.steps.clear();  // the rest of it stays as it is constructed
    End at = network_.graph.peer(End::host(source));
    while (at.is_switch() && static_cast<int>(route.steps.size()) < network_.graph.switch_count()) {
      route.steps.push_back(tables_[at.index].step(destination));
      at = behind(at.index, route.steps.back());
    }
  }

 private:
  /// By the first cable of the group that works.
  End behind(int at, const Step& step) const {
    for (int port = step.port; port < step.port + step.ports; ++port)
      if (const End& peer = working_neighbours_[at][port]) return peer;
    return neighbours_[at][step.port];
  }

  const NicNetwork& network_;
  Neighbours neighbours_;
  Neighbours working_neighbours_;
  std::vector<Table> tables_;
};

/// Whether a cable has failed that the tables cannot pass over by another one beside it (sw/ds_linkdrv/detours.c).
bool needs_detours(const NicNetwork& network, stc104_uplinks uplinks) {
  for (int at = 0; at < network.graph.switch_count(); ++at)
    for (int port = 0; port < links; ++port) {
      const End next = network.graph.peer(End::switch_(at, port));
      if (!next.is_switch() || network.working_graph.peer(End::switch_(at, port))) continue;
      bool beside = false;
      for (int other = 0; other < links; ++other) {
        const End peer = network.working_graph.peer(End::switch_(at, other));
        beside = beside || (peer.is_switch() && peer.index == next.index);
      }
      if (uplinks == STC104_UPLINKS_FIXED || !beside) return true;
    }
  return false;
}

/// Whether one of the pair's routes is that of the tables. Header deletion does not change the path.
bool permits(const Routing& routing, int source, int destination, Route& of_tables, Route& permitted) {
  for (int i = 0; i < routing.alternatives(source, destination); ++i) {
    routing.route(source, destination, i, permitted);
    if (!permitted.steps.empty() && !of_tables.steps.empty())
      of_tables.steps.back().strip = permitted.steps.back().strip;
    if (permitted == of_tables) return true;
  }
  return false;
}

/// @param find  writes the tables' route between two hosts
template <class Find>
std::string first_difference(const NicNetwork& network, Find find) {
  Route of_tables;
  Route permitted;
  const int hosts = network.graph.host_count();
  for (int source = 0; source < hosts; ++source)
    for (int destination = 0; destination < hosts; ++destination) {
      if (source == destination || network.routing.alternatives(source, destination) == 0) continue;
      find(source, destination, of_tables);
      if (!permits(network.routing, source, destination, of_tables, permitted))
        return "the tables that node 0 loads lead from node " + std::to_string(source) + " to node " +
               std::to_string(destination) + " another way than [routing], for which the proof was made";
    }
  return {};
}

}  // namespace

/// Uses the first steps of the longest existing path.
stc104_uplinks uplinks_of(const Graph& graph, const Routing& routing) {
  if (routing.random_alternative()) return STC104_UPLINKS_UNIVERSAL;
  Route longest;
  for (int destination = graph.host_count() - 1; destination > 0; --destination) {
    if (routing.alternatives(0, destination) == 0) continue;
    Route route;
    routing.route(0, destination, 0, route);
    if (route.steps.size() > longest.steps.size()) longest = std::move(route);
  }
  return !longest.steps.empty() && longest.steps.front().ports > 1 ? STC104_UPLINKS_GROUPED : STC104_UPLINKS_FIXED;
}

std::string why_tables_differ(const NicNetwork& network) {
  for (const auto& node : network.graph.switches())
    if (node.link_at.size() > STC104_LINKS)
      return "switch " + node.name + " has " + std::to_string(node.link_at.size()) + " links, and an STC104 has 32";
  for (int host = 0; host < network.graph.host_count(); ++host)
    if (!network.graph.peer(End::host(host)).is_switch()) return network.graph.hosts()[host].name + " is on no switch";
  const stc104_uplinks uplinks = uplinks_of(network.graph, network.routing);
  if (uplinks == STC104_UPLINKS_UNIVERSAL)
    return network.graph.family == "clos" ? "" : "node 0 loads tables for universal routing into a Clos network only";
  if (needs_detours(network, uplinks)) {
    const auto detours =
        topologies::up_down_tables(network.working_graph, {.grouped_up = uplinks == STC104_UPLINKS_GROUPED});
    return first_difference(network, [&](int source, int destination, Route& route) {
      route = {};
      if (detours->alternatives(source, destination) > 0) detours->route(source, destination, 0, route);
    });
  }
  const DriverTables tables(network, uplinks);
  if (const int full = tables.overfull(); full >= 0)
    return "the table of " + network.graph.switches()[full].name + " needs more than the " +
           std::to_string(STC104_INTERVALS) + " intervals of an STC104";
  return first_difference(network,
                          [&](int source, int destination, Route& route) { tables.route(source, destination, route); });
}

}  // namespace sanvp::nic::stc104
