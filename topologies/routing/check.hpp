/// The proof before time 0: every pair is served, and no worms can ever wait for each other in a circle.
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

/// A route that will be used.
struct RouteUse {
  static constexpr int every = -1;

  int source = 0;
  int destination = 0;
  int alternative = every;

  /// By destination first: what is known of the way to one is kept while the next leads there too.
  friend auto operator<=>(const RouteUse& a, const RouteUse& b) {
    return std::tie(a.destination, a.source, a.alternative) <=> std::tie(b.destination, b.source, b.alternative);
  }
  bool operator==(const RouteUse&) const = default;
};

struct CheckOptions {
  int virtual_channels = 1;  ///< of every channel; Step::any_vc means all of them
  Failures failures{};
  /// Steps looked at, over all routes, after which no new destination is taken up: a few seconds. Every pair of the
  /// 1024-node trees and Clos networks stays below it; larger machines are sampled by destination.
  std::int64_t work = 250'000'000;
  /// An in-transit host whose pool is full lets worms wait in the network, instead of taking every one out of it.
  bool pools_hold_back = false;
  std::uint64_t seed = 1;  ///< of the sample
  /// The dependencies of these routes alone are looked at, and nothing is said about pairs; empty: all routes.
  std::vector<RouteUse> only{};
  /// Only pairs within one of these groups of hosts are looked at; empty: all.
  std::vector<std::vector<int>> groups{};
  /// Called now and then: pairs looked at, and what share of the work that is.
  std::function<void(std::int64_t pairs, double share)> progress{};
};

/// Lengths of the routes that are in use, in links from host to host; the way in and out of an in-transit host is two.
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

  std::int64_t pairs = 0;          ///< of different hosts, in order; of CheckOptions::groups, where there are some
  std::int64_t pairs_checked = 0;  ///< fewer than `pairs`: a sample
  std::int64_t pairs_unserved = 0;
  std::int64_t routes_checked = 0;
  std::int64_t routes_broken = 0;     ///< those with a permitted port that does not lead to the destination
  std::vector<std::string> examples;  ///< the first unserved pairs and broken routes, with the reason
  int most_alternatives = 0;
  bool random_alternative = false;

  /// By number of the alternative. Where choices of an adaptive route differ in length, the shortest counts.
  std::vector<PathLengths> by_alternative;
  /// What senders use when nothing is chosen: alternative 0, or all where one is drawn at random per packet.
  PathLengths lengths() const;

  std::int64_t dependencies = 0;  ///< of one channel on another, virtual channels apart
  /// A circle of channels, each of which can wait for the next: "switch 0 port 1 -> switch 1 port 2, vc 0".
  /// Empty: proved free from deadlock (for the pairs checked).
  std::vector<std::string> cycle;
  /// The same, where some of them wait for in-transit hosts whose pools are full (CheckOptions::pools_hold_back).
  std::vector<std::string> pool_cycle;

  bool sampled() const { return pairs_checked < pairs; }
  bool deadlock_free() const { return cycle.empty(); }
  bool passed() const { return deadlock_free() && pairs_unserved == 0; }
  /// "deadlock-free", "deadlock-free while pools have room", "pairs not served" or "deadlock"; what is worst.
  std::string verdict() const;
  /// The circle for people, a channel on each line; empty where there is none.
  std::string circle() const;
  std::string pool_circle() const;
};

/// Follows every route over every port that its steps permit.
/// A pair is served if a route leads to the destination whatever permitted ports are taken: with failures one of the
/// sender's alternatives is enough, else, and where the sender draws one at random, all must. The dependency graph
/// joins (channel, virtual channel) to what the worm may ask for next; an in-transit host, which takes the whole worm,
/// cuts it, or where full pools hold back, makes the freedom from deadlock depend on there being room.
CheckReport check(const Graph& graph, const Routing& routing, const CheckOptions& options = {});

/// The report as lines for people, without the circle.
std::string to_text(const CheckReport& report);

}  // namespace sanvp::topologies
