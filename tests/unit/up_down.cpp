#include "topologies/routing/up_down.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <set>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "tests/unit/core_support.hpp"
#include "tests/unit/network_support.hpp"
#include "topologies/irregular.hpp"
#include "topologies/routing/balance.hpp"
#include "topologies/routing/check.hpp"
#include "topologies/routing/in_transit.hpp"

using namespace sanvp;
using namespace sanvp::test;
using Catch::Matchers::Contains;

namespace {

/// The hops of a route between switches, followed by hand.
struct Trip {
  int links = 0;          ///< between switches
  int in_transit = 0;     ///< hosts passed
  bool legal = true;      ///< never up after down but after an in-transit host
  bool needless = false;  ///< an in-transit host where the path was legal without
  std::vector<int> channels;
};

Trip follow(const Graph& graph, const Orientation& orientation, int source, const Route& route) {
  Trip trip;
  End at = graph.peer(End::host(source));
  bool down = false, was_down = false, fresh = false;
  for (const Step& step : route.steps) {
    const End out = End::switch_(at.index, step.port);
    const End next = graph.peer(out);
    if (step.in_transit) {
      REQUIRE(next.is_host());
      ++trip.in_transit;
      was_down = down;
      down = false;
      fresh = true;
      continue;
    }
    if (next.is_switch()) {
      const bool up = orientation.up(graph.channel_from(out));
      if (up && down) trip.legal = false;
      if (fresh && !(up && was_down)) trip.needless = true;
      down = !up;
      ++trip.links;
      trip.channels.push_back(graph.channel_from(out));
    }
    fresh = false;
    at = next;
  }
  return trip;
}

/// Links and violations of all paths from `source` to `destination` without passing a switch twice: an independent,
/// slow search.
void all_paths(const Graph& graph, int source, int destination, int most,
               const std::function<void(const std::vector<int>&)>& visit) {
  std::vector<int> channels;
  std::set<int> passed{source};
  const std::function<void(int)> go = [&](int at) {
    if (at == destination) return visit(channels);
    if (static_cast<int>(channels.size()) == most) return;
    for (int port = 0; port < static_cast<int>(graph.switches()[at].link_at.size()); ++port) {
      const End next = graph.peer(End::switch_(at, port));
      if (!next.is_switch() || !passed.insert(next.index).second) continue;
      channels.push_back(graph.channel_from(End::switch_(at, port)));
      go(next.index);
      channels.pop_back();
      passed.erase(next.index);
    }
  };
  go(source);
}

int violations(const Orientation& orientation, const std::vector<int>& channels) {
  int count = 0;
  for (std::size_t i = 1; i < channels.size(); ++i)
    count += orientation.up(channels[i]) && !orientation.up(channels[i - 1]) ? 1 : 0;
  return count;
}

Trip trip(const Graph& graph, const Routing& routing, int source, int destination, int alternative = 0) {
  Route route;
  routing.route(source, destination, alternative, route);
  return follow(graph, Orientation(graph, 0), source, route);
}

}  // namespace

TEST_CASE("up leads towards the root and on one level to the smaller switch") {
  const Graph ring = row(5, true);  // levels 0 1 2 2 1
  const Orientation orientation(ring, 0);
  const std::vector<int> levels{0, 1, 2, 2, 1};
  for (int s = 0; s < 5; ++s) CHECK(orientation.level(s) == levels[s]);
  const auto up = [&](int from, int port) { return orientation.up(ring.channel_from(End::switch_(from, port))); };
  CHECK_FALSE(up(0, 2));
  CHECK_FALSE(up(1, 2));
  CHECK_FALSE(up(2, 2));  // 2 -> 3, one level: down to the greater number
  CHECK(up(3, 1));
  CHECK(up(3, 2));
  CHECK(up(4, 2));
  CHECK_FALSE(Orientation(ring, 2).up(ring.channel_from(End::switch_(2, 2))));
  CHECK(Orientation(ring, 2).up(ring.channel_from(End::switch_(1, 2))));
}

TEST_CASE("a switch that the root does not reach has a tree of its own") {
  Graph ring = row(5, true);  // ports 1 and 2 of a switch lead back and on
  for (const int port : {1, 2}) ring.unplug(ring.switches()[0].link_at[port]);  // leaves the row 1 2 3 4
  const Orientation orientation(ring, 0);
  const std::vector<int> levels{0, 0, 1, 2, 3};
  for (int s = 0; s < 5; ++s) CHECK(orientation.level(s) == levels[s]);
  CHECK(orientation.up(ring.channel_from(End::switch_(3, 1))));
}

TEST_CASE("up*/down* serves the rest of the network when its root has failed") {
  const Graph ring = row(5, true);
  const Failures root_failed{.links = {}, .switches = {0}};
  const Graph left = working_part(ring, root_failed);
  const auto ud = up_down(left);
  const CheckReport report = check(ring, *ud, {.failures = root_failed});
  CHECK(report.deadlock_free());
  CHECK(report.pairs_unserved == 5 * 4 - 4 * 3);  // one host on each switch
}

TEST_CASE("up*/down* goes the long way round a ring where the short one is not legal") {
  const Graph ring = row(5, true);
  const auto ud = up_down(ring);
  // 2 -> 3 -> 4 and 4 -> 3 -> 2 would go down and up again at 3; all other shortest paths are legal.
  for (int from = 0; from < 5; ++from)
    for (int dest = 0; dest < 5; ++dest) {
      if (from == dest) continue;
      const int around = std::min((dest - from + 5) % 5, (from - dest + 5) % 5);
      const bool forbidden = (from == 2 && dest == 4) || (from == 4 && dest == 2);
      const Trip taken = trip(ring, *ud, from, dest);
      CHECK(taken.links == (forbidden ? 3 : around));
      CHECK(taken.legal);
      CHECK(taken.in_transit == 0);
    }
  CHECK(check(ring, *ud).passed());
}

TEST_CASE("an in-transit host makes the short way round a ring legal") {
  const Graph ring = row(5, true);
  for (const auto& routing : {ud_mitb(ring), ud_itb(ring)}) {
    Route route;
    routing->route(2, 4, 0, route);
    CHECK(route.steps == std::vector{to(2), in_transit(0), to(2), to(0)});
    routing->route(4, 2, 0, route);
    CHECK(route.steps == std::vector{to(1), in_transit(0), to(1), to(0)});
    const CheckReport report = check(ring, *routing);
    CHECK(report.passed());
    CHECK(report.lengths().in_transit_hosts == 2);
  }
}

TEST_CASE("a switch without hosts cannot break a path") {
  Graph ring = row(5, true);
  Graph bare;  // the same ring, but switch 3 has no host
  for (int s = 0; s < 5; ++s) bare.add_switch("s" + std::to_string(s), 3);
  for (int h = 0; h < 4; ++h)
    bare.connect(End::host(bare.add_host("h" + std::to_string(h))), End::switch_(h == 3 ? 4 : h, 0));
  for (int s = 0; s < 5; ++s) bare.connect(End::switch_(s, 2), End::switch_((s + 1) % 5, 1));
  const auto routing = ud_itb(bare);
  CHECK(trip(bare, *routing, 2, 3).links == 3);
  CHECK(trip(bare, *routing, 2, 3).in_transit == 0);
  CHECK(check(bare, *routing).passed());
}

TEST_CASE("routes of irregular networks are as short and as legal as an exhaustive search says") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Graph graph = irregular({.switches = 8}, seed);
    const Orientation orientation(graph, 0);
    const auto routes = myrinet(graph, {.seed = seed});
    for (int from = 0; from < 8; ++from) {
      for (int dest = 0; dest < 8; ++dest) {
        if (from == dest) continue;
        int shortest = 99, shortest_legal = 99, fewest = 99;
        all_paths(graph, from, dest, 7, [&](const std::vector<int>& channels) {
          const int links = static_cast<int>(channels.size());
          const int broken = violations(orientation, channels);
          if (broken == 0) shortest_legal = std::min(shortest_legal, links);
          fewest = links < shortest ? broken : links == shortest ? std::min(fewest, broken) : fewest;
          shortest = std::min(shortest, links);
        });
        for (int pair = 0; pair < 16; ++pair) {
          const int source = 4 * from + pair / 4, destination = 4 * dest + pair % 4;
          const Trip ud = trip(graph, *routes, source, destination, ud_route);
          const Trip mitb = trip(graph, *routes, source, destination, ud_mitb_route);
          const Trip itb = trip(graph, *routes, source, destination, ud_itb_route);
          REQUIRE(ud.links == shortest_legal);
          REQUIRE(ud.in_transit == 0);
          REQUIRE(mitb.links == shortest);
          REQUIRE(mitb.in_transit == fewest);
          REQUIRE(itb.links == shortest);
          REQUIRE(itb.in_transit == violations(orientation, itb.channels));
          REQUIRE((ud.legal && mitb.legal && itb.legal));
          REQUIRE_FALSE((mitb.needless || itb.needless));
        }
      }
    }
  }
}

TEST_CASE("every route of large irregular networks is legal and the tables together are free from deadlock") {
  for (const int switches : {16, 64}) {
    const Graph graph = irregular({.switches = switches}, 11);
    const auto routes = myrinet(graph);
    const CheckReport report = check(graph, *routes);
    CHECK(report.passed());
    CHECK(report.routes_broken == 0);
    CHECK(report.routes_checked == 3 * report.pairs);
    REQUIRE(report.by_alternative.size() == 3);
    CHECK(report.by_alternative[ud_route].in_transit_hosts == 0);
    CHECK(report.by_alternative[ud_mitb_route].in_transit_hosts < report.by_alternative[ud_itb_route].in_transit_hosts);
    const auto switch_links = [&](int a) {
      return report.by_alternative[a].mean() - 2 * report.by_alternative[a].mean_in_transit_hosts();
    };
    CHECK(switch_links(ud_mitb_route) == Approx(switch_links(ud_itb_route)));
    CHECK(switch_links(ud_mitb_route) < switch_links(ud_route));
  }
}

TEST_CASE("shortest paths without in-transit hosts deadlock on an irregular network") {
  // The counter-proof: the same UD_ITB routes with the in-transit hosts taken out must be refused.
  const Graph graph = irregular({.switches = 16}, 11);
  const auto routes = ud_itb(graph);
  ListedRouting uncut;
  Route route;
  for (int source = 0; source < graph.host_count(); ++source)
    for (int destination = 0; destination < graph.host_count(); ++destination) {
      if (source == destination) continue;
      routes->route(source, destination, 0, route);
      std::erase_if(route.steps, [](const Step& step) { return step.in_transit; });
      uncut.add(source, destination, route.steps);
    }
  const CheckReport report = check(graph, uncut);
  CHECK(report.pairs_unserved == 0);
  CHECK_FALSE(report.deadlock_free());
}

TEST_CASE("the combined table holds the same routes as the single ones") {
  const Graph graph = irregular({.switches = 8}, 3);
  const SourceRouteOptions options{.seed = 5};
  const auto all = myrinet(graph, options);
  const std::vector single{up_down(graph, options).release(), ud_mitb(graph, options).release(),
                           ud_itb(graph, options).release()};
  Route expected, found;
  for (int id = 0; id < 3; ++id) {
    for (int source = 0; source < 32; ++source)
      for (int destination = 0; destination < 32; ++destination) {
        if (source == destination) continue;
        REQUIRE(all->route_id(source, destination, id) == id);
        single[id]->route(source, destination, 0, expected);
        all->route(source, destination, id, found);
        REQUIRE(found == expected);
      }
    delete single[id];
  }
}

TEST_CASE("route tables depend only on the seed and use all local hosts in transit") {
  const Graph graph = irregular({.switches = 16}, 1);
  const auto used = [&](std::uint64_t seed) {
    const auto routes = ud_itb(graph, {.seed = seed});
    std::vector<std::vector<Step>> steps;
    Route route;
    for (int source = 0; source < 64; ++source)
      for (int destination = 0; destination < 64; ++destination)
        if (source != destination) {
          routes->route(source, destination, 0, route);
          steps.push_back(route.steps);
        }
    return steps;
  };
  CHECK(used(1) == used(1));
  CHECK(used(1) != used(2));
  std::set<int> ports;
  for (const auto& steps : used(1))
    for (const Step& step : steps)
      if (step.in_transit) ports.insert(step.port);
  CHECK(ports == std::set{0, 1, 2, 3});
}

TEST_CASE("in-transit hosts are drawn, taken in turn, or always the first") {
  using Host = SourceRouteOptions::InTransitHost;
  const Graph graph = irregular({.switches = 16}, 1);
  // How often each host port of a switch takes in a worm.
  const auto uses = [&](Host host) {
    std::map<std::pair<int, int>, int> count;
    for (int s = 0; s < graph.switch_count(); ++s)
      for (int port = 0; port < 4; ++port) count[{s, port}] = 0;
    const auto routes = ud_itb(graph, {.in_transit_host = host});
    Route route;
    for (int source = 0; source < graph.host_count(); ++source)
      for (int destination = 0; destination < graph.host_count(); ++destination) {
        if (source == destination) continue;
        routes->route(source, destination, 0, route);
        End at = graph.peer(End::host(source));
        for (const Step& step : route.steps) {
          if (step.in_transit)
            ++count[{at.index, step.port}];
          else
            at = graph.peer(End::switch_(at.index, step.port));
        }
      }
    return count;
  };
  const auto first = uses(Host::first);
  const auto rotated = uses(Host::rotate);
  int taken_in = 0;
  for (int s = 0; s < graph.switch_count(); ++s) {
    int all = 0;
    for (int port = 0; port < 4; ++port) all += rotated.at({s, port});
    taken_in += all;
    CHECK(first.at({s, 0}) == all);  // the paths are the same, so as many worms go by way of the switch
    for (int port = 0; port < 4; ++port) {
      CHECK(rotated.at({s, port}) >= all / 4);
      CHECK(rotated.at({s, port}) <= all / 4 + 1);
    }
  }
  CHECK(taken_in > 0);
  CHECK(uses(Host::random) != rotated);
}

TEST_CASE("paths that are not balanced are as short") {
  const Graph graph = irregular({.switches = 16}, 1);
  const auto even = ud_itb(graph), as_found = ud_itb(graph, {.balanced = false});
  Route a, b;
  int others = 0;
  for (int source = 0; source < graph.host_count(); ++source)
    for (int destination = 0; destination < graph.host_count(); ++destination) {
      if (source == destination) continue;
      even->route(source, destination, 0, a);
      as_found->route(source, destination, 0, b);
      const auto links = [](const Route& route) {
        return std::count_if(route.steps.begin(), route.steps.end(), [](const Step& step) { return !step.in_transit; });
      };
      CHECK(links(a) == links(b));
      others += a.steps != b.steps ? 1 : 0;
    }
  CHECK(others > 0);
}

TEST_CASE("with one choice all hosts of a pair of switches share a path") {
  const Graph graph = irregular({.switches = 16}, 1);
  const auto shared = ud_itb(graph, {.choices = 1});
  const auto apart = ud_itb(graph, {.choices = 16});
  bool differs = false;
  for (int from = 0; from < 16; ++from)
    for (int dest = 0; dest < 16; ++dest) {
      if (from == dest) continue;
      for (int pair = 1; pair < 16; ++pair) {
        const int source = 4 * from + pair / 4, destination = 4 * dest + pair % 4;
        REQUIRE(trip(graph, *shared, source, destination).channels ==
                trip(graph, *shared, 4 * from, 4 * dest).channels);
        differs = differs ||
                  trip(graph, *apart, source, destination).channels != trip(graph, *apart, 4 * from, 4 * dest).channels;
      }
    }
  CHECK(differs);
}

TEST_CASE("balance spreads flows over channels") {
  Random random(1, "test");
  const PathList either({{0}, {1}}), first_only({SwitchPath{0}});
  SECTION("two flows, two channels: one each") {
    const auto chosen = balance({{&either}, {&either}}, 2, random);
    CHECK(chosen[0] != chosen[1]);
  }
  SECTION("a flow avoids the channel of one that has no choice") {
    CHECK(balance({{&first_only}, {&either}}, 2, random) == std::vector{0, 1});
  }
  SECTION("weights count") {
    CHECK(balance({{&first_only, 3}, {&either}, {&either}}, 2, random) == std::vector{0, 1, 1});
  }
  SECTION("sixteen flows over four channels: four each") {
    const PathList four({{0}, {1}, {2}, {3}});
    std::vector<int> load(4);
    for (const int path : balance(std::vector<Flow>(16, {&four}), 4, random)) ++load[path];
    CHECK(load == std::vector{4, 4, 4, 4});
  }
  SECTION("of a channel's paths the one with the highest cost is dropped first") {
    const PathList low({{0}, {1}}), high({{0, 2}, {1, 2}});
    const auto length = [](std::span<const int> path) { return static_cast<int>(path.size()); };
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random drawn(seed, "test");
      CHECK(balance({{&low}, {&high}}, 3, drawn, length) == std::vector{0, 1});
    }
  }
}

TEST_CASE("dropping paths with most in-transit hosts first leaves fewer of them, and paths as short") {
  const Graph graph = irregular({.switches = 16}, 1);
  const auto any = ud_itb(graph);
  const auto few = ud_itb(graph, {.drop = SourceRouteOptions::Drop::most_in_transit});
  int of_any = 0, of_few = 0;
  for (int source = 0; source < graph.host_count(); ++source)
    for (int destination = 0; destination < graph.host_count(); ++destination) {
      if (source == destination) continue;
      const Trip a = trip(graph, *any, source, destination), b = trip(graph, *few, source, destination);
      CHECK(a.links == b.links);
      CHECK(b.legal);
      of_any += a.in_transit;
      of_few += b.in_transit;
    }
  CHECK(of_few < of_any);
}

TEST_CASE("more shortest paths than wanted are sampled without duplicates") {
  // A ladder of n diamonds has 2^n shortest paths.
  Graph graph;
  constexpr int diamonds = 8;
  for (int i = 0; i < 3 * diamonds + 1; ++i) graph.add_switch("s" + std::to_string(i), 5);
  for (int i = 0; i < diamonds; ++i) {
    for (int side = 0; side < 2; ++side) {
      graph.connect(End::switch_(3 * i, 1 + side), End::switch_(3 * i + 1 + side, 0));
      graph.connect(End::switch_(3 * i + 1 + side, 1), End::switch_(3 * i + 3, 3 + side));
    }
  }
  const Orientation orientation(graph, 0);
  const ShortestPaths paths(graph, orientation, Violation::forbidden, 3 * diamonds);
  Random random(1, "test");
  const auto all = paths.from(0, 256, random);
  CHECK(std::set(all.begin(), all.end()).size() == 256);
  const auto some = paths.from(0, 32, random);
  CHECK(some.size() <= 32);
  CHECK(some.size() > 16);
  CHECK(std::set(some.begin(), some.end()).size() == some.size());
  for (const auto& path : some) CHECK(std::find(all.begin(), all.end(), path) != all.end());
}

TEST_CASE("in a network of many pairs of hosts fewer paths are considered, unless the user says how many") {
  const auto considered = [](const Graph& graph, const std::string& given) {
    ParameterSet set = ParameterSet::from_text("[routing]\n" + given, "test");
    return source_route_options(graph, {set, "routing"}, 1).paths;
  };
  const int hosts = 4, choices = 16;
  const auto crowded_row = [](int switches) {
    Graph graph;
    for (int s = 0; s < switches; ++s) graph.add_switch("s" + std::to_string(s), hosts + 2);
    for (int h = 0; h < hosts * switches; ++h) {
      graph.add_host("h" + std::to_string(h));
      graph.connect(End::host(h), End::switch_(h / hosts, h % hosts));
    }
    for (int s = 0; s + 1 < switches; ++s) graph.connect(End::switch_(s, hosts + 1), End::switch_(s + 1, hosts));
    return graph;
  };
  CHECK(considered(crowded_row(64), "") == 32);  // 64 * 64 * 16 * 32: 2^21 paths
  CHECK(considered(crowded_row(128), "") == (1 << 22) / (128 * 128 * choices));
  CHECK(considered(crowded_row(512), "") == 2);  // the least that leaves a choice
  CHECK(considered(crowded_row(512), "paths = 9\n") == 9);
}

TEST_CASE("hosts that no path joins get no route, and check says so") {
  Graph graph;
  for (int s = 0; s < 2; ++s) {
    graph.add_switch("s" + std::to_string(s), 2);
    for (int port = 0; port < 2; ++port) graph.connect(End::host(graph.add_host("h")), End::switch_(s, port));
  }
  const auto ud = up_down(graph);
  CHECK(ud->alternatives(0, 1) == 1);
  CHECK(ud->alternatives(0, 2) == 0);
  CHECK(check(graph, *ud).pairs_unserved == 8);
}

TEST_CASE("a root that does not exist is refused") {
  CHECK_THAT(complaint([] { up_down(row(3, false), {.root = 3}); }), Contains("no switch 3") && Contains("0..2"));
  CHECK_THAT(complaint([] { up_down(row(3, false), {.root = -1}); }), Contains("no switch -1"));
}
