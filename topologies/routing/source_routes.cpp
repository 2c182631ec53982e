#include "topologies/routing/source_routes.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/routing/balance.hpp"

namespace sanvp::topologies {
namespace {

// Shortest paths are stored for every pair of switches at once; this is 32 times the Myrinet paper's largest network.
constexpr int most_switches = 2048;
/// All flows of a network choose among so many paths unless `paths` is given: some 10 s of set-up.
constexpr std::int64_t most_choices = std::int64_t{1} << 22;
constexpr std::int64_t fewest_paths = 2;  // one would leave nothing to balance

/// The switch and port that a host is plugged into.
struct Seat {
  int switch_ = -1;  ///< -1: the host has no switch
  int port = -1;     ///< of the switch
  int host_port = 0;
  int rank = 0;  ///< number among the hosts of its switch
};

/// The hosts of a graph, by switch.
struct Seating {
  explicit Seating(const Graph& graph) : ports(graph.switch_count()) {
    for (int host = 0; host < graph.host_count(); ++host) {
      Seat seat;
      const int host_ports = static_cast<int>(graph.hosts()[host].link_at.size());
      for (; seat.host_port < host_ports && seat.switch_ < 0; ++seat.host_port)
        if (const End end = graph.peer(End::host(host, seat.host_port)); end.is_switch())
          seat = {end.index, end.port, seat.host_port - 1, static_cast<int>(ports[end.index].size())};
      if (seat.switch_ >= 0) ports[seat.switch_].push_back(seat.port);
      seats.push_back(seat);
    }
  }

  std::vector<Seat> seats;              ///< per host
  std::vector<std::vector<int>> ports;  ///< per switch: ports that lead to its hosts
};

/// Whether the worm goes up after it went down, at each hop of a path: there it needs an in-transit host.
std::vector<bool> violations(std::span<const int> path, const Orientation& orientation) {
  std::vector<bool> violating;
  bool down = false;
  for (const int channel : path) {
    violating.push_back(down && orientation.up(channel));
    down = !orientation.up(channel);
  }
  return violating;
}

/// The pairs of hosts of one pair of switches share out so many paths.
int flows_of(std::size_t hosts_from, std::size_t hosts_to, int choices) {
  return static_cast<int>(std::min<std::size_t>(hosts_from * hosts_to, choices));
}

/// The path of every pair of hosts under one rule.
class PathSet {
 public:
  PathSet(const Graph& graph, const Orientation& orientation, const Seating& seating, const SourceRouteOptions& options,
          const RouteSet& set)
      : random_(options.seed, "routing." + set.name),
        seating_(seating),
        switches_(graph.switch_count()),
        choices_(options.choices),
        first_flow_(static_cast<std::size_t>(switches_) * switches_, no_flow) {
    std::vector<PathList> alternatives(first_flow_.size());  // per pair of switches
    std::vector<Flow> flows;
    for (int to = 0; to < switches_; ++to) {
      if (seating.ports[to].empty()) continue;
      const ShortestPaths shortest(graph, orientation, set.violation, to);
      for (int from = 0; from < switches_; ++from) {
        const int pairs = static_cast<int>(seating.ports[from].size() * seating.ports[to].size());
        if (pairs == 0) continue;
        const PathList& paths = alternatives[index(from, to)] = PathList(shortest.from(from, options.paths, random_));
        if (paths.empty()) continue;
        first_flow_[index(from, to)] = flows.size();
        const int count = flows_of(seating.ports[from].size(), seating.ports[to].size(), choices_);
        for (int i = 0; i < count; ++i) flows.push_back({&paths, pairs / count + (i < pairs % count ? 1 : 0)});
      }
    }
    std::function<int(std::span<const int>)> in_transit_hosts;
    if (options.drop == SourceRouteOptions::Drop::most_in_transit)
      in_transit_hosts = [&](std::span<const int> path) {
        const auto violating = violations(path, orientation);
        return static_cast<int>(std::count(violating.begin(), violating.end(), true));
      };
    std::vector<int> chosen(flows.size(), 0);
    if (options.balanced) chosen = balance(flows, graph.channel_count(), random_, in_transit_hosts);
    for (std::size_t flow = 0; flow < flows.size(); ++flow) paths_.append((*flows[flow].paths)[chosen[flow]]);
    in_transit_host_ = options.in_transit_host;
    turn_.assign(switches_, 0);
  }

  /// The path between two hosts, if there is one.
  std::optional<std::span<const int>> path(const Seat& from, const Seat& to) const {
    const std::size_t first = first_flow_[index(from.switch_, to.switch_)];
    if (first == no_flow) return std::nullopt;
    const auto hosts_from = seating_.ports[from.switch_].size();
    const auto hosts_to = seating_.ports[to.switch_].size();
    return paths_[first + (from.rank * hosts_to + to.rank) % flows_of(hosts_from, hosts_to, choices_)];
  }

  /// The port of the in-transit host for the next worm that must not go straight on at this switch.
  int in_transit_port(int at) {
    const auto& local = seating_.ports[at];
    switch (in_transit_host_) {
      case SourceRouteOptions::InTransitHost::first:
        return local.front();
      case SourceRouteOptions::InTransitHost::rotate:
        return local[turn_[at]++ % local.size()];
      case SourceRouteOptions::InTransitHost::random:
        break;
    }
    return local[random_.below(local.size())];
  }

 private:
  static constexpr std::size_t no_flow = std::numeric_limits<std::size_t>::max();

  std::size_t index(int from, int to) const { return static_cast<std::size_t>(from) * switches_ + to; }

  Random random_;
  const Seating& seating_;
  int switches_;
  int choices_;
  std::vector<std::size_t> first_flow_;  ///< per pair of switches
  PathList paths_;                       ///< per flow
  SourceRouteOptions::InTransitHost in_transit_host_ = SourceRouteOptions::InTransitHost::random;
  std::vector<std::size_t> turn_;  ///< per switch: the next host, for `rotate`
};

/// `paths`, or fewer in a network that has so many flows that set-up would take minutes.
std::int64_t paths_within_bounds(const Graph& graph, int choices, int paths) {
  std::map<std::size_t, std::int64_t> switches;  // by number of hosts
  for (const auto& ports : Seating(graph).ports) ++switches[ports.size()];
  std::int64_t flows = 0;
  for (const auto& [hosts_from, from] : switches)
    for (const auto& [hosts_to, to] : switches) flows += from * to * flows_of(hosts_from, hosts_to, choices);
  return flows == 0
             ? paths
             : std::clamp<std::int64_t>(most_choices / flows, std::min<std::int64_t>(fewest_paths, paths), paths);
}

}  // namespace

SourceRouteOptions source_route_options(const Graph& graph, const Parameters& parameters, std::uint64_t seed) {
  constexpr const char* source = "FACTS.md 2.4, TIMING.md";
  constexpr int most = std::numeric_limits<int>::max();
  SourceRouteOptions options;
  options.seed = seed;
  options.root = static_cast<int>(
      parameters.count("root", options.root, "root switch of the up*/down* orientation", source, 0, most));
  options.choices = static_cast<int>(parameters.count(
      "choices", options.choices, "paths that the host pairs of a switch pair may share out (1: all take one)",
      "Myrinet paper 4.1: one path per pair of hosts, 4 x 4 hosts", 1, 1024));
  options.paths = static_cast<int>(
      parameters.count("paths", paths_within_bounds(graph, options.choices, options.paths),
                       "shortest paths considered per pair of switches: 32, or fewer in a large network",
                       "a bound on set-up time: 4 million paths in all, some 10 s", 1, 1024));
  options.balanced = parameters.flag("balanced", options.balanced,
                                     "whether the paths are chosen so that channels are crossed evenly", "TIMING.md");
  const std::string drop =
      parameters.choice("drop", "random", {"random", "most-in-transit"},
                        "which path through the most crossed channel is dropped first, for balance",
                        "assumed: the Myrinet paper only says that traffic is balanced");
  options.drop = drop == "random" ? SourceRouteOptions::Drop::random : SourceRouteOptions::Drop::most_in_transit;
  using Host = SourceRouteOptions::InTransitHost;
  const std::string host =
      parameters.choice("in_transit_host", "random", {"random", "rotate", "first"},
                        "which host of a switch is the in-transit host", "TIMING.md: a random local one");
  options.in_transit_host = host == "rotate" ? Host::rotate : host == "first" ? Host::first : Host::random;
  return options;
}

std::unique_ptr<RouteTable> source_routes(const Graph& graph, const SourceRouteOptions& options,
                                          const std::vector<RouteSet>& sets) {
  if (graph.switch_count() > most_switches)
    throw UserError("up*/down* routing", "tables for " + std::to_string(graph.switch_count()) + " switches",
                    "use it for at most " + std::to_string(most_switches));
  const Orientation orientation(graph, options.root);
  const Seating seating(graph);
  std::vector<PathSet> path_sets;
  for (const RouteSet& set : sets) path_sets.emplace_back(graph, orientation, seating, options, set);

  auto table = std::make_unique<RouteTable>();
  std::vector<Step> hops;
  const auto append = [&](int source, int destination, int id) {
    const Seat& from = seating.seats[source];
    const Seat& to = seating.seats[destination];
    if (source == destination || from.switch_ < 0 || to.switch_ < 0) return;
    const auto path = path_sets[id].path(from, to);
    if (!path) return;
    hops.clear();
    const auto violating = violations(*path, orientation);
    for (std::size_t i = 0; i < path->size(); ++i) {
      const End out = graph.channel_source((*path)[i]);
      if (violating[i])
        hops.push_back(
            {.port = static_cast<std::uint16_t>(path_sets[id].in_transit_port(out.index)), .in_transit = true});
      hops.push_back({.port = static_cast<std::uint16_t>(out.port)});
    }
    hops.push_back({.port = static_cast<std::uint16_t>(to.port)});
    table->append(source, destination, id, hops, from.host_port);
  };
  for (int source = 0; source < graph.host_count(); ++source)
    for (int destination = 0; destination < graph.host_count(); ++destination)
      for (int id = 0; id < static_cast<int>(sets.size()); ++id) append(source, destination, id);
  return table;
}

}  // namespace sanvp::topologies
