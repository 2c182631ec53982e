/// From the rules of up*/down* to the tables that the NICs hold: shortest paths, balanced, split at violations.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platform/core/parameters.hpp"
#include "topologies/routing/route_table.hpp"
#include "topologies/routing/shortest_paths.hpp"

namespace sanvp::topologies {

struct SourceRouteOptions {
  /// Root switch. The lowest number stands for an arbitrary one: a central root overshoots the Myrinet paper's
  /// factors (TIMING.md).
  int root = 0;
  /// Shortest paths considered per pair of switches; sampled where there are more.
  int paths = 32;
  /// Different paths that the pairs of hosts of one pair of switches may take: 1, one for all; 16, one for each pair
  /// of hosts where switches have four hosts, which is the Myrinet paper's one path per pair of hosts.
  int choices = 16;
  /// Whether the paths are shared out so that no channel is crossed by many more than others; else each pair takes the
  /// first that was found, which is a random one.
  bool balanced = true;
  /// Which of a switch's hosts takes in the worms that go by way of it.
  enum class InTransitHost : std::uint8_t {
    random,  ///< drawn for each pair
    rotate,  ///< in turn, from one pair to the next
    first,   ///< always the one at the lowest port
  };
  InTransitHost in_transit_host = InTransitHost::random;
  std::uint64_t seed = 1;
};

/// Reads the options from section [routing].
SourceRouteOptions source_route_options(const Parameters& parameters, std::uint64_t seed);

/// One set of routes of a table: the rule, and the name that its random numbers hang on, so that a set is the same
/// alone and beside others.
struct RouteSet {
  std::string name;
  Violation violation;
};

/// One route per pair of hosts and set, with the set's index as id. At a violation the worm goes by way of a local
/// host of that switch (SourceRouteOptions::InTransitHost). Pairs without a path get no route.
std::unique_ptr<RouteTable> source_routes(const Graph& graph, const SourceRouteOptions& options,
                                          const std::vector<RouteSet>& sets);

}  // namespace sanvp::topologies
