#include "topologies/routing/up_down_tables.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "topologies/routing/orientation.hpp"

namespace sanvp::topologies {
namespace {

constexpr int none = -1;

/// Between switches, by port; with what was plugged in where a cable has failed.
struct Port {
  int next = none;  ///< the switch at the other end
  bool works = false;
  bool up = false;
};

using Ports = std::vector<std::vector<Port>>;  ///< per switch

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

/// Switches from the nearest one with hosts on, whether or not cables work: levels are where a switch was built in.
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

void point_away_from_hosts(const std::vector<int>& levels, Ports& ports) {
  const auto height = [&](int switch_) { return std::pair(levels[switch_], switch_); };
  for (std::size_t at = 0; at < ports.size(); ++at)
    for (Port& port : ports[at])
      if (port.next != none) port.up = height(port.next) > height(static_cast<int>(at));
}

void point_to_roots(const Graph& graph, Ports& ports) {
  const Orientation orientation(graph, 0);
  const auto depth = [&](int switch_) { return std::pair(orientation.level(switch_), switch_); };
  for (std::size_t at = 0; at < ports.size(); ++at)
    for (Port& port : ports[at])
      if (port.next != none) port.up = depth(port.next) < depth(static_cast<int>(at));
}

/// What one switch does with packets to the hosts of another.
struct Entry {
  int first = none;  ///< port of the group; none: no way leads there
  int count = 0;
  int next = none;  ///< behind one of its ports that works
  int steps = none;  ///< number of this and all following steps; the same where they are the same
};

class Tables {
 public:
  Tables(const Graph& graph, Ports ports, const UpDownTableOptions& options)
      : graph_(graph), ports_(std::move(ports)), options_(options) {
    sort_downwards();
    for (int to = 0; to < graph.switch_count(); ++to)
      if (hosts_at(to)) add_column(to);
  }

  const Entry& entry(int at, int to) const { return columns_.at(to)[at]; }

  /// Whether all switches with hosts that cables join lead to each other.
  bool serve_what_is_joined() const {
    std::vector<int> part(ports_.size(), none);
    for (std::size_t begin = 0; begin < ports_.size(); ++begin) {
      if (part[begin] != none) continue;
      std::vector<int> reached{static_cast<int>(begin)};
      part[begin] = static_cast<int>(begin);
      for (std::size_t i = 0; i < reached.size(); ++i)
        for (const Port& port : ports_[reached[i]])
          if (port.works && std::exchange(part[port.next], static_cast<int>(begin)) == none) reached.push_back(port.next);
    }
    for (const auto& [to, column] : columns_)
      for (const auto& [from, unused] : columns_)
        if (from != to && part[from] == part[to] && column[from].first == none) return false;
    return true;
  }

 private:
  static constexpr int unreached = INT32_MAX;

  bool hosts_at(int switch_) const {
    const auto& links = graph_.switches()[switch_].link_at;
    for (int port = 0; port < static_cast<int>(links.size()); ++port)
      if (graph_.peer(End::switch_(switch_, port)).is_host()) return true;
    return false;
  }

  /// The highest first.
  void sort_downwards() {
    std::vector<int> ups_left(ports_.size(), 0);
    for (std::size_t at = 0; at < ports_.size(); ++at) {
      ups_left[at] = static_cast<int>(std::ranges::count_if(ports_[at], [](const Port& p) { return p.next != none && p.up; }));
      if (ups_left[at] == 0) order_.push_back(static_cast<int>(at));
    }
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (const Port& port : ports_[order_[i]])
        if (port.next != none && !port.up && --ups_left[port.next] == 0) order_.push_back(port.next);
  }

  void add_column(int to) {
    std::vector<Entry>& column = columns_[to];
    column.resize(ports_.size());
    std::vector<int> distance(ports_.size(), unreached);
    distance[to] = 0;
    for (auto at = order_.rbegin(); at != order_.rend(); ++at)  // the lowest first: what goes down
      if (*at != to) enter(*at, to, false, distance, column);
    for (const int at : order_)
      if (distance[at] == unreached) enter(at, to, true, distance, column);
  }

  void enter(int at, int to, bool up, std::vector<int>& distance, std::vector<Entry>& column) {
    int shortest = unreached;
    for (const Port& port : ports_[at])
      if (port.works && port.up == up) shortest = std::min(shortest, distance[port.next]);
    if (shortest == unreached) return;
    distance[at] = shortest + 1;
    const auto is_good = [&](const Port& port) {
      return port.works && port.up == up && distance[port.next] == shortest;
    };
    column[at] = best_group(at, to, up, is_good, column);
  }

  /// The largest group; of several as large, one by the destination, so that not all take the same.
  template <class IsGood>
  Entry best_group(int at, int to, bool up, IsGood is_good, const std::vector<Entry>& column) {
    const std::vector<Port>& ports = ports_[at];
    const bool grouped = up ? options_.grouped_up : options_.grouped_down;
    std::vector<std::pair<int, Entry>> groups;  // with how many ports of them work
    for (int port = 0; port < static_cast<int>(ports.size()); ++port) {
      if (!is_good(ports[port])) continue;
      const int steps_behind = column[ports[port].next].steps;
      if (grouped && !groups.empty() && column[groups.back().second.next].steps == steps_behind &&
          all_parallel(ports, groups.back().second, port)) {
        ++groups.back().first;
        groups.back().second.count = port - groups.back().second.first + 1;
      } else {
        groups.push_back({1, {.first = port, .count = 1, .next = ports[port].next}});
      }
    }
    const int most = std::ranges::max_element(groups, {}, [](const auto& group) { return group.first; })->first;
    std::erase_if(groups, [&](const auto& group) { return group.first < most; });
    Entry entry = groups[to % groups.size()].second;
    if (grouped) spread_over_failed(ports, entry);
    const int behind = column[entry.next].steps;
    entry.steps = static_cast<int>(
        steps_.try_emplace({entry.first, entry.count, behind}, static_cast<int>(steps_.size())).first->second);
    return entry;
  }

  /// Whether nothing but failed cables lies between a group and a port behind it.
  static bool all_parallel(const std::vector<Port>& ports, const Entry& group, int port) {
    for (int between = group.first + group.count; between < port; ++between)
      if (ports[between].next == none || ports[between].works) return false;
    return true;
  }

  /// Takes in failed cables at both ends that lie beside working ones to the same switch: the group is then the one
  /// that it was before they failed, and equal to those of switches where other cables have failed.
  static void spread_over_failed(const std::vector<Port>& ports, Entry& group) {
    const auto belongs = [&](int port) {
      if (port < 0 || port >= static_cast<int>(ports.size()) || ports[port].next == none || ports[port].works)
        return false;
      for (int of_group = group.first; of_group < group.first + group.count; ++of_group)
        if (ports[of_group].works && ports[of_group].next == ports[port].next) return true;
      return false;
    };
    while (belongs(group.first - 1)) --group.first, ++group.count;
    while (belongs(group.first + group.count)) ++group.count;
  }

  const Graph& graph_;
  Ports ports_;
  UpDownTableOptions options_;
  std::vector<int> order_;  ///< switches, the highest first
  std::map<int, std::vector<Entry>> columns_;  ///< per switch with hosts, of all switches
  std::map<std::tuple<int, int, int>, int> steps_;
};

class UpDownTables : public Routing {
 public:
  UpDownTables(const Graph& graph, Tables tables, int strip_at_host)
      : graph_(graph), tables_(std::move(tables)), strip_at_host_(strip_at_host) {}

  int alternatives(int source, int destination) const override {
    if (source == destination) return 0;
    const End from = graph_.peer(End::host(source));
    const End to = graph_.peer(End::host(destination));
    if (to == End::host(source)) return 1;
    if (!from.is_switch() || !to.is_switch()) return 0;
    return from.index == to.index || tables_.entry(from.index, to.index).first != none ? 1 : 0;
  }

  void route(int source, int destination, int, Route& route) const override {
    route.steps.clear();
    route.source_port = 0;
    route.source_vc = Step::any_vc;
    const End to = graph_.peer(End::host(destination));
    for (int at = graph_.peer(End::host(source)).index; at != to.index;) {
      const Entry& entry = tables_.entry(at, to.index);
      Step step;
      step.port = static_cast<std::uint16_t>(entry.first);
      step.ports = static_cast<std::uint16_t>(entry.count);
      step.preferred = static_cast<std::uint16_t>(destination % entry.count);
      route.steps.push_back(step);
      at = entry.next;
    }
    Step arrive;
    arrive.port = static_cast<std::uint16_t>(to.port);
    arrive.strip = static_cast<std::uint8_t>(strip_at_host_);
    route.steps.push_back(arrive);
  }

 private:
  const Graph& graph_;
  Tables tables_;
  int strip_at_host_;
};

Tables make_tables(const Graph& graph, const UpDownTableOptions& options) {
  Ports ports = ports_between_switches(graph);
  if (const std::vector<int> levels = levels_above_hosts(graph, ports); std::ranges::max(levels) > 0) {
    point_away_from_hosts(levels, ports);
    Tables tables(graph, ports, options);
    if (tables.serve_what_is_joined()) return tables;
  }
  point_to_roots(graph, ports);
  return {graph, std::move(ports), options};
}

}  // namespace

std::unique_ptr<Routing> up_down_tables(const Graph& working, const UpDownTableOptions& options) {
  return std::make_unique<UpDownTables>(working, make_tables(working, options), options.strip_at_host);
}

}  // namespace sanvp::topologies
