/// The proof before time 0: every pair is served, and worms can never wait for each other in a cycle.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "topologies/failures.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// A route that a run will use.
struct RouteUse {
  static constexpr int every = -1;

  int source = 0;
  int destination = 0;
  int alternative = every;

  /// Ordered by destination first: routes to one destination share results that are kept until the next destination.
  friend auto operator<=>(const RouteUse& a, const RouteUse& b) {
    return std::tie(a.destination, a.source, a.alternative) <=> std::tie(b.destination, b.source, b.alternative);
  }
  bool operator==(const RouteUse&) const = default;
};

struct CheckOptions {
  int virtual_channels = 1;  ///< per channel; Step::any_vc means all of them
  Failures failures{};
  /// Limit on the steps examined, over all routes: above it no new destination is started (a few seconds of work).
  /// Every pair of the 1024-node trees and Clos networks fits; on larger machines `check` samples destinations.
  std::int64_t work = 250'000'000;
  /// Whether an in-transit host with a full pool lets worms wait in the network. Otherwise it always takes them out of
  /// it.
  bool pools_hold_back = false;
  std::uint64_t seed = 1;  ///< for the order in which destinations are sampled
  /// Only the dependencies of these routes are examined, and no statement is made about pairs; empty: all routes.
  std::vector<RouteUse> only{};
  /// Only pairs within one of these groups of hosts are examined; empty: all pairs.
  std::vector<std::vector<int>> groups{};
  /// Called at intervals with the number of pairs examined and the share of the work done.
  std::function<void(std::int64_t pairs, double share)> progress{};
};

/// Lengths of the used routes in links, from host to host. An in-transit host adds two links, one in and one out.
struct PathLengths {
  std::vector<std::int64_t> histogram;  ///< routes by number of links
  std::int64_t in_transit_hosts = 0;    ///< over all routes

  std::int64_t routes() const;
  int diameter() const;
  double mean() const;
  double mean_in_transit_hosts() const;
};

struct CheckReport {
  int hosts = 0;
  int switches = 0;
  int links = 0;

  std::int64_t pairs = 0;          ///< ordered pairs of different hosts, within CheckOptions::groups if given
  std::int64_t pairs_checked = 0;  ///< less than `pairs` if sampled
  std::int64_t pairs_unserved = 0;
  std::int64_t routes_checked = 0;
  std::int64_t routes_broken = 0;     ///< routes with a permitted port that does not lead to the destination
  std::vector<std::string> examples;  ///< the first unserved pairs and broken routes, with the reason
  int most_alternatives = 0;
  bool random_alternative = false;

  /// Indexed by alternative. If the choices of an adaptive route differ in length, the shortest counts.
  std::vector<PathLengths> by_alternative;
  /// Second paths of routes with two, of which a switch takes one; for a relation the longest ways.
  PathLengths second_paths;
  /// Lengths of the routes that senders use by default: alternative 0, or all where one is drawn at random per packet.
  PathLengths lengths() const;

  std::int64_t dependencies = 0;  ///< between channels, each virtual channel counted separately
  /// Why there is no cycle, for a routing that decides at each switch.
  std::string proof;
  /// A cycle of channels, each of which can wait for the next: "switch 0 port 1 -> switch 1 port 2, vc 0".
  /// Empty: proved free from deadlock (for the pairs checked).
  std::vector<std::string> cycle;
  /// Such a cycle through in-transit hosts whose pools are full (CheckOptions::pools_hold_back).
  std::vector<std::string> pool_cycle;

  bool sampled() const { return pairs_checked < pairs; }
  bool deadlock_free() const { return cycle.empty(); }
  bool passed() const { return deadlock_free() && pairs_unserved == 0; }
  /// The worst that was found: "deadlock", "pairs not served", "deadlock-free while pools have room" or
  /// "deadlock-free".
  std::string verdict() const;
  /// The cycle as text for messages, one channel per line; empty if none exists.
  std::string cycle_text() const;
  std::string pool_cycle_text() const;
};

/// Follows every route over every port that its steps permit.
/// A pair is served if a route leads to the destination over any choice of the permitted ports. If the graph has
/// failures and the sender does not draw alternatives at random, one such alternative is enough; otherwise all
/// alternatives must lead there. The dependency graph joins each (channel, virtual channel) to those that the worm may
/// request next. An in-transit host takes the whole worm, which ends the dependency; if full pools hold worms back, the
/// proof is conditional on pools that are not full.
CheckReport check(const Graph& graph, const Routing& routing, const CheckOptions& options = {});

/// The report as text for the terminal, without the cycle.
std::string to_text(const CheckReport& report);

}  // namespace sanvp::topologies
