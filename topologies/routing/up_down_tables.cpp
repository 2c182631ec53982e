#include "topologies/routing/up_down_tables.hpp"

#include <algorithm>
#include <climits>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "topologies/routing/orientation.hpp"

namespace sanvp::topologies {
namespace {

constexpr int none = -1;

/// A port that leads to another switch.
struct Port {
  int next = none;  ///< the switch at the other end of the cable, even if the cable has failed
  bool works = false;
};

using Ports = std::vector<std::vector<Port>>;  ///< per switch and port

Ports ports_between_switches(const Graph& graph) {
  Ports ports;
  for (const Graph::Node& node : graph.switches()) ports.emplace_back(node.link_at.size());
  for (int link = 0; link < graph.link_count(); ++link) {
    const Link& cable = graph.links()[link];
    if (!cable.a.is_switch() || !cable.b.is_switch()) continue;
    const bool works = graph.plugged(link);
    ports[cable.a.index][cable.a.port] = {cable.b.index, works};
    ports[cable.b.index][cable.b.port] = {cable.a.index, works};
  }
  return ports;
}

/// Distance of each switch from the nearest switch with hosts. Failed cables count, so levels stay those of the whole
/// network.
std::vector<int> levels_above_hosts(const Graph& graph, const Ports& ports) {
  std::vector<int> levels(ports.size(), none);
  std::vector<int> order;
  for (const Link& cable : graph.links())
    for (const auto& [host, at] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)})
      if (host.is_host() && at.is_switch() && std::exchange(levels[at.index], 0) == none) order.push_back(at.index);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const Port& port : ports[order[i]])
      if (port.next != none && levels[port.next] == none) {
        levels[port.next] = levels[order[i]] + 1;
        order.push_back(port.next);
      }
  return levels;
}

/// Position of each switch in the order in which packets go up; no two are equal.
using Ranks = std::vector<int>;

Ranks away_from_hosts(const std::vector<int>& levels) {
  const int switches = static_cast<int>(levels.size());
  Ranks ranks;
  for (int at = 0; at < switches; ++at) ranks.push_back(levels[at] * switches + at);
  return ranks;
}

Ranks towards_roots(const Graph& graph) {
  const Orientation orientation(graph, 0);
  const int switches = graph.switch_count();
  Ranks ranks;
  for (int at = 0; at < switches; ++at) ranks.push_back((switches - orientation.level(at)) * switches - at);
  return ranks;
}

/// Adjacent ports of a switch, which are one group for all destinations.
struct Group {
  int first = none;
  int count = 0;
  int working = 0;
};

class Tables {
 public:
  /// @param targets  the switches with hosts, even if their cables have failed
  Tables(const Ports& ports, const std::vector<int>& targets, Ranks ranks, const UpDownTableOptions& options)
      : ports_(ports),
        targets_(targets),
        ranks_(std::move(ranks)),
        options_(options),
        columns_(ports.size()),
        groups_(ports.size()) {
    for (int at = 0; at < switches(); ++at) order_.push_back(at);
    std::ranges::sort(order_, std::greater{}, [&](int at) { return ranks_[at]; });
    for (const int to : targets_) add_column(to);
    for (const int at : order_) make_groups(at);
  }

  /// Whether there is a route between every two switches with hosts that working cables connect.
  bool serve_what_is_joined() const {
    for (const int to : targets_) {
      std::vector<bool> joined(ports_.size());
      joined[to] = true;
      std::vector<int> reached{to};
      for (std::size_t i = 0; i < reached.size(); ++i)
        for (const Port& port : ports_[reached[i]])
          if (port.works && !joined[port.next]) {
            joined[port.next] = true;
            reached.push_back(port.next);
          }
      for (const int from : targets_)
        if (joined[from] && columns_[to].distance[from] == unreached) return false;
    }
    return true;
  }

  /// The largest of the groups whose ports all lead to the hosts of `to`. Among equally large groups `to` selects one,
  /// so that destinations are spread over them. Empty if there is no such group.
  Group group(int at, int to) const {
    std::vector<Group> best;
    for (const Group& group : groups_[at]) {
      if (!leads(at, group, to)) continue;
      if (!best.empty() && group.working < best.front().working) continue;
      if (!best.empty() && group.working > best.front().working) best.clear();
      best.push_back(group);
    }
    return best.empty() ? Group{} : best[to % best.size()];
  }

  /// The switch behind the first working port of a group.
  int next(int at, const Group& group) const {
    int port = group.first;
    while (!ports_[at][port].works) ++port;
    return ports_[at][port].next;
  }

 private:
  static constexpr int unreached = INT_MAX;

  /// The paths of all switches to one destination switch.
  struct Column {
    std::vector<int> distance;
    std::vector<bool> goes_up;
  };

  int switches() const { return static_cast<int>(ports_.size()); }
  bool is_up(int at, const Port& port) const { return port.next != none && ranks_[port.next] > ranks_[at]; }

  void add_column(int to) {
    Column& column = columns_[to];
    column = {.distance = std::vector<int>(ports_.size(), unreached), .goes_up = std::vector<bool>(ports_.size())};
    column.distance[to] = 0;
    for (auto at = order_.rbegin(); at != order_.rend(); ++at)  // ascending: paths that only go down
      if (*at != to) enter(*at, false, column);
    for (const int at : order_)
      if (column.distance[at] == unreached) enter(at, true, column);
  }

  void enter(int at, bool up, Column& column) {
    int shortest = unreached;
    for (const Port& port : ports_[at])
      if (port.works && is_up(at, port) == up) shortest = std::min(shortest, column.distance[port.next]);
    if (shortest == unreached) return;
    column.distance[at] = shortest + 1;
    column.goes_up[at] = up;
  }

  bool is_good(int at, const Port& port, int to) const {
    const Column& column = columns_[to];
    if (!port.works || is_up(at, port) != column.goes_up[at]) return false;
    if (!column.goes_up[at] && column.goes_up[port.next]) return false;  // never up after down
    return column.distance[port.next] != unreached && column.distance[port.next] + 1 == column.distance[at];
  }

  bool leads(int at, const Group& group, int to) const {
    for (int port = group.first; port < group.first + group.count; ++port)
      if (ports_[at][port].works && !is_good(at, ports_[at][port], to)) return false;
    return group.working > 0;
  }

  /// Whether an up port is good for all destinations that require going up from here.
  bool serves_all(int at, const Port& port) const {
    return std::ranges::all_of(targets_, [&](int to) {
      const Column& column = columns_[to];
      return column.distance[at] == unreached || !column.goes_up[at] || is_good(at, port, to);
    });
  }

  /// Whether packets that go up from here take the same further steps from either of two switches above.
  bool do_the_same(int at, int one, int other) const {
    return std::ranges::all_of(targets_, [&](int to) {
      const Column& column = columns_[to];
      return column.distance[at] == unreached || !column.goes_up[at] || same_steps(one, other, to);
    });
  }

  bool same_steps(int one, int other, int to) const {
    while (one != other) {
      if (one == to || other == to) return false;
      const Group a = group(one, to);
      const Group b = group(other, to);
      if (a.first != b.first || a.count != b.count) return false;
      one = next(one, a);
      other = next(other, b);
    }
    return true;
  }

  /// The longest run of adjacent up ports that serve all destinations above and lead to the same further steps. Failed
  /// ports in between belong to it, because a switch skips them.
  Group common_way_up(int at) const {
    Group longest;
    const std::vector<Port>& ports = ports_[at];
    for (int first = 0; first < static_cast<int>(ports.size()); ++first) {
      Group run{.first = first};
      int before = none;  // the switch behind the last working port
      for (int port = first; port < static_cast<int>(ports.size()) && is_up(at, ports[port]); ++port, ++run.count) {
        if (!ports[port].works) continue;
        if (!serves_all(at, ports[port])) break;
        if (before != none && !do_the_same(at, before, ports[port].next)) break;
        before = ports[port].next;
        ++run.working;
      }
      if (run.working > longest.working) longest = run;
    }
    return longest;
  }

  /// The common way up forms one group; other groups are adjacent cables to one switch.
  void make_groups(int at) {
    const std::vector<Port>& ports = ports_[at];
    const Group all_up = options_.grouped_up ? common_way_up(at) : Group{};
    const auto in_common = [&](int port) { return port >= all_up.first && port < all_up.first + all_up.count; };
    for (int port = 0; port < static_cast<int>(ports.size()); ++port) {
      const bool grouped = is_up(at, ports[port]) ? options_.grouped_up : options_.grouped_down;
      const bool goes_on =
          port > 0 && (in_common(port) ? in_common(port - 1)
                                       : !in_common(port - 1) && grouped && ports[port].next == ports[port - 1].next);
      if (!goes_on) groups_[at].push_back({.first = port});
      ++groups_[at].back().count;
      groups_[at].back().working += ports[port].works ? 1 : 0;
    }
  }

  const Ports& ports_;
  const std::vector<int>& targets_;
  Ranks ranks_;
  UpDownTableOptions options_;
  std::vector<int> order_;  ///< switches in descending rank
  std::vector<Column> columns_;
  std::vector<std::vector<Group>> groups_;
};

class UpDownTables : public Routing {
 public:
  UpDownTables(const Graph& graph, const UpDownTableOptions& options)
      : graph_(graph), ports_(ports_between_switches(graph)), strip_at_host_(options.strip_at_host) {
    const std::vector<int> levels = levels_above_hosts(graph, ports_);
    for (int at = 0; at < graph.switch_count(); ++at)
      if (levels[at] == 0) targets_.push_back(at);
    const bool has_levels = std::ranges::max(levels) > 0;
    tables_.emplace(ports_, targets_, has_levels ? away_from_hosts(levels) : towards_roots(graph), options);
    if (has_levels && !tables_->serve_what_is_joined())
      tables_.emplace(ports_, targets_, towards_roots(graph), options);
  }

  std::string about_failures() const override {
    return graph_.whole() ? std::string() : "every pair takes up*/down* on what works";
  }

  int alternatives(int source, int destination) const override {
    const End from = graph_.peer(End::host(source));
    const End to = graph_.peer(End::host(destination));
    if (source == destination || !from.is_switch() || !to.is_switch()) return 0;
    return from.index == to.index || tables_->group(from.index, to.index).working > 0 ? 1 : 0;
  }

  void route(int source, int destination, int, Route& route) const override {
    route.steps.clear();
    if (alternatives(source, destination) == 0) return;
    route.source_port = 0;
    route.source_vc = Step::any_vc;
    const End to = graph_.peer(End::host(destination));
    for (int at = graph_.peer(End::host(source)).index; at != to.index;) {
      const Group group = tables_->group(at, to.index);
      Step step;
      step.port = static_cast<std::uint16_t>(group.first);
      step.ports = static_cast<std::uint16_t>(group.count);
      route.steps.push_back(step);
      at = tables_->next(at, group);
    }
    Step arrive;
    arrive.port = static_cast<std::uint16_t>(to.port);
    arrive.strip = static_cast<std::uint8_t>(strip_at_host_);
    route.steps.push_back(arrive);
  }

 private:
  const Graph& graph_;
  Ports ports_;
  std::vector<int> targets_;
  std::optional<Tables> tables_;
  int strip_at_host_;
};

}  // namespace

std::unique_ptr<Routing> up_down_tables(const Graph& working, const UpDownTableOptions& options) {
  return std::make_unique<UpDownTables>(working, options);
}

}  // namespace sanvp::topologies
