/// From up*/down* rules to the route tables of the NICs: shortest paths, balanced, split at violations.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "topologies/routing/route_table.hpp"
#include "topologies/routing/shortest_paths.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::topologies {

struct SourceRouteOptions {
  /// Root switch. The lowest number is an arbitrary choice; with a central root the improvement factors exceed those of
  /// the Myrinet paper (TIMING.md).
  int root = 0;
  /// Number of shortest paths considered per pair of switches; if there are more, a random sample.
  int paths = 32;
  /// Number of different paths for the pairs of hosts of one pair of switches. 1: all take the same path. 16: each pair
  /// of hosts its own, with four hosts per switch, which is the Myrinet paper's one path per pair of hosts.
  int choices = 16;
  /// Whether paths are chosen to balance the load over channels; otherwise each pair takes the first path found, which
  /// is a random one.
  bool balanced = true;
  /// Which path through the most crossed channel is dropped first.
  enum class Drop : std::uint8_t {
    random,           ///< any of them
    most_in_transit,  ///< one with the most in-transit hosts
  };
  Drop drop = Drop::random;
  /// Which of a switch's hosts is the in-transit host.
  enum class InTransitHost : std::uint8_t {
    random,  ///< drawn at random for each pair
    rotate,  ///< in rotation, from one pair to the next
    first,   ///< always the host at the lowest port
  };
  InTransitHost in_transit_host = InTransitHost::random;
  std::uint64_t seed = 1;
};

/// Reads the options from section [routing]. The default of `paths` is smaller for a graph of many pairs of hosts.
SourceRouteOptions source_route_options(const Graph& graph, const Parameters& parameters, std::uint64_t seed);

/// One set of routes of a table: the rule, and the name that selects its random numbers. A set is therefore the same
/// alone and beside others.
struct RouteSet {
  std::string name;
  Violation violation;
};

/// One route per pair of hosts and set, with the set's index as id. At a violation the worm passes a local host of that
/// switch (SourceRouteOptions::InTransitHost). Pairs without a path get no route.
std::unique_ptr<RouteTable> source_routes(const Graph& graph, const SourceRouteOptions& options,
                                          const std::vector<RouteSet>& sets);

}  // namespace sanvp::topologies
