#include "topologies/routing/check.hpp"

#include <catch2/catch.hpp>

#include "platform/core/error.hpp"
#include "tests/unit/core_support.hpp"
#include "tests/unit/network_support.hpp"

using namespace sanvp;
using namespace sanvp::test;
using Catch::Matchers::Contains;

namespace {

/// Straight along a row of switches.
ListedRouting along(int switches) {
  ListedRouting routing;
  for (int from = 0; from < switches; ++from)
    for (int dest = 0; dest < switches; ++dest) {
      if (from == dest) continue;
      std::vector<Step> steps(std::abs(dest - from), to(dest > from ? 2 : 1));
      steps.push_back(to(0));
      routing.add(from, dest, steps);
    }
  return routing;
}

/// Clockwise around a ring; `hop` says how the worm leaves a switch, given that and whether it has passed switch 0.
template <class Hop>
ListedRouting clockwise(int switches, Hop hop) {
  ListedRouting routing;
  for (int from = 0; from < switches; ++from)
    for (int dest = 0; dest < switches; ++dest) {
      if (from == dest) continue;
      std::vector<Step> steps;
      for (int at = from; at != dest; at = (at + 1) % switches)
        for (const Step& step : hop(at, at < from)) steps.push_back(step);
      steps.push_back(to(0));
      routing.add(from, dest, steps);
    }
  return routing;
}

/// Hosts 0 and 1 at switches A and B, joined over two switches in the middle; A's ports 1 and 2 lead there.
struct Diamond {
  Graph graph;
  int a_to_upper, b_to_upper;

  Diamond() {
    const int a = graph.add_switch("A", 3), b = graph.add_switch("B", 3);
    const int upper = graph.add_switch("upper", 2), lower = graph.add_switch("lower", 2);
    for (const int s : {a, b}) graph.connect(End::host(graph.add_host("h" + std::to_string(s))), End::switch_(s, 0));
    a_to_upper = graph.connect(End::switch_(a, 1), End::switch_(upper, 0));
    b_to_upper = graph.connect(End::switch_(b, 1), End::switch_(upper, 1));
    graph.connect(End::switch_(a, 2), End::switch_(lower, 0));
    graph.connect(End::switch_(b, 2), End::switch_(lower, 1));
  }

  static ListedRouting adaptive() {
    ListedRouting routing;
    routing.add(0, 1, {one_of(1, 2), to(1), to(0)});
    routing.add(1, 0, {one_of(1, 2), to(0), to(0)});
    return routing;
  }
};

}  // namespace

TEST_CASE("check counts hosts, links and path lengths of a row of switches") {
  const CheckReport report = check(row(4, false), along(4));
  CHECK(report.hosts == 4);
  CHECK(report.switches == 4);
  CHECK(report.links == 7);
  CHECK(report.pairs == 12);
  CHECK(report.pairs_checked == 12);
  CHECK(report.routes_checked == 12);
  // d switches apart is d + 2 links; 2 (4 - d) ordered pairs are d apart.
  CHECK(report.lengths().histogram == std::vector<std::int64_t>{0, 0, 0, 6, 4, 2});
  CHECK(report.lengths().diameter() == 5);
  CHECK(report.lengths().mean() == Approx((6 * 3 + 4 * 4 + 2 * 5) / 12.0));
  CHECK(report.passed());
  CHECK(report.verdict() == "deadlock-free");
}

TEST_CASE("check counts the dependencies of two switches, virtual channels apart") {
  // Each way: injection -> middle -> ejection, two dependencies; with two virtual channels each is four.
  CHECK(check(row(2, false), along(2)).dependencies == 4);
  CHECK(check(row(2, false), along(2), {.virtual_channels = 2}).dependencies == 16);
}

TEST_CASE("check names the cycle of a ring with one virtual channel") {
  const auto routing = clockwise(4, [](int, bool) { return std::vector{to(2)}; });
  const CheckReport report = check(row(4, true), routing);
  CHECK_FALSE(report.passed());
  CHECK(report.verdict() == "deadlock");
  REQUIRE(report.cycle.size() == 4);
  CHECK_THAT(report.cycle, Catch::VectorContains(std::string("s3 port 2 -> s0 port 1")));
  CHECK_THAT(to_text(report), Contains("verdict: deadlock"));
  CHECK_THAT(report.cycle_text(), Contains("\n  s0 port 2 -> s1 port 1\n") && Catch::EndsWith("again from the first"));
}

TEST_CASE("check examines only the routes that are named") {
  // Two hops each: any three of them leave the ring open.
  const auto routing = clockwise(4, [](int, bool) { return std::vector{to(2)}; });
  std::vector<RouteUse> uses{{0, 2}, {1, 3}, {2, 0}};
  CHECK(check(row(4, true), routing, {.only = uses}).deadlock_free());
  uses.push_back({3, 1, 0});
  CHECK(check(row(4, true), routing, {.only = uses}).cycle.size() == 4);
  uses.back().alternative = 1;  // there is no such one
  CHECK(check(row(4, true), routing, {.only = uses}).deadlock_free());
}

TEST_CASE("check gives the cycle in the order of waiting") {
  const auto routing = clockwise(5, [](int, bool) { return std::vector{to(2)}; });
  const auto cycle = check(row(5, true), routing).cycle;
  REQUIRE(cycle.size() == 5);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const std::string entered = cycle[i].substr(cycle[i].find("-> ") + 3, 2);
    CHECK(cycle[(i + 1) % cycle.size()].substr(0, 2) == entered);
  }
}

TEST_CASE("check finds no cycle in a ring with a dateline") {
  const auto dateline = [](int, bool passed) { return std::vector{on_vc(2, passed ? 1 : 0)}; };
  CHECK(check(row(4, true), clockwise(4, dateline), {.virtual_channels = 2}).passed());
  // The same virtual channels without a rule do not help.
  const auto any = [](int, bool) { return std::vector{to(2)}; };
  const CheckReport report = check(row(4, true), clockwise(4, any), {.virtual_channels = 2});
  CHECK(report.cycle.size() == 4);
  CHECK_THAT(report.cycle_text(), Contains(", vc "));
}

TEST_CASE("check refuses a virtual channel that does not exist") {
  const auto dateline = [](int, bool passed) { return std::vector{on_vc(2, passed ? 1 : 0)}; };
  const CheckReport report = check(row(4, true), clockwise(4, dateline), {.virtual_channels = 1});
  // Past switch 0 goes only 2->1, 3->1, 3->2: they leave switch 0 by virtual channel 1.
  CHECK(report.pairs_unserved == 3);
  CHECK_THAT(report.examples.at(0), Contains("virtual channel") && Contains("s0 port 2"));
}

TEST_CASE("in-transit hosts cut the dependencies of a ring") {
  const auto by_way_of_host_0 = [](int at, bool passed) {
    return at == 0 && passed ? std::vector{in_transit(0), to(2)} : std::vector{to(2)};
  };
  const CheckReport report = check(row(4, true), clockwise(4, by_way_of_host_0));
  CHECK(report.passed());
  CHECK(report.lengths().in_transit_hosts == 3);  // 2->1, 3->1 and 3->2
  // Clockwise distances 1, 2, 3 plus 2, four pairs each; the three detours are longer by 2: 3 is d = 2 (3->1), d = 3
  // (2->1 and 3->2).
  CHECK(report.lengths().histogram == std::vector<std::int64_t>{0, 0, 0, 4, 3, 2, 1, 2});
}

TEST_CASE("full pools that hold back join what in-transit hosts have cut") {
  const auto by_way_of_host_0 = clockwise(4, [](int at, bool passed) {
    return at == 0 && passed ? std::vector{in_transit(0), to(2)} : std::vector{to(2)};
  });
  const CheckReport conditional = check(row(4, true), by_way_of_host_0, {.pools_hold_back = true});
  CHECK(conditional.deadlock_free());
  CHECK(conditional.verdict() == "deadlock-free while pools have room");
  // Four cables round the ring, and the way to host 0 and back.
  REQUIRE(conditional.pool_cycle.size() == 6);
  CHECK_THAT(conditional.pool_cycle, Catch::VectorContains(std::string("s0 port 0 -> h0")));
  CHECK_THAT(conditional.pool_cycle_text(), Contains("through full in-transit pools"));
  CHECK(check(row(4, true), by_way_of_host_0).verdict() == "deadlock-free");

  // A row of switches has no circle for a pool to close.
  ListedRouting along_the_row = along(3);
  along_the_row.add(0, 2, {to(2), in_transit(0), to(2), to(0)});
  CHECK(check(row(3, false), along_the_row, {.pools_hold_back = true}).verdict() == "deadlock-free");
}

TEST_CASE("two in-transit hosts that send to each other's switch wait for each other where full pools hold back") {
  // h0 by way of h1 to h2's switch and back the same cable, and the other way round: no circle but the pools'.
  ListedRouting routing;
  routing.add(0, 2, {to(2), in_transit(0), to(2), to(0)});
  routing.add(2, 0, {to(1), in_transit(0), to(1), to(0)});
  routing.add(1, 0, {to(2), in_transit(0), to(1), to(1), to(0)});
  routing.add(1, 2, {to(1), in_transit(0), to(2), to(2), to(0)});
  const CheckReport report = check(row(3, false), routing, {.pools_hold_back = true});
  CHECK(report.deadlock_free());
  CHECK_FALSE(report.pool_cycle.empty());
}

TEST_CASE("check says of a pair without a route whether cables join it at all") {
  ListedRouting routing = along(3);
  routing.routes[{0, 2}].clear();
  const CheckReport cut = check(row(3, false), routing, {.failures = {.links = {4}, .switches = {}}});  // s1 to s2
  CHECK(cut.pairs_unserved == 4);
  CHECK_THAT(cut.examples, Catch::VectorContains(std::string("h0 to h2: no cables that work join them")));
  const CheckReport other = check(row(3, false), routing, {.failures = {.links = {1}, .switches = {}}});  // h1 to s1
  CHECK_THAT(other.examples, Catch::VectorContains(std::string("h0 to h2: there is no route")));
}

TEST_CASE("check names pairs that are not served and the reason") {
  ListedRouting routing = along(3);
  const auto reason = [&](const std::vector<Step>& steps) {
    routing.routes[{0, 2}].clear();
    if (!steps.empty()) routing.add(0, 2, steps);
    const CheckReport report = check(row(3, false), routing);
    CHECK(report.pairs_unserved == 1);
    CHECK(report.routes_broken == (steps.empty() ? 0 : 1));
    CHECK_FALSE(report.passed());
    CHECK(report.verdict() == "pairs not served");
    return report.examples.at(0);
  };
  CHECK(reason({}) == "h0 to h2: there is no route");
  CHECK_THAT(reason({to(2), to(2)}), Contains("ends on the way") && Contains("s2"));
  CHECK_THAT(reason({to(1)}), Contains("nothing is plugged in at s0 port 1"));
  CHECK_THAT(reason({to(9)}), Contains("nothing is plugged in at s0 port 9"));
  CHECK_THAT(reason({to(2), to(0)}), Contains("arrives at h1"));
  CHECK_THAT(reason({to(2), to(0), to(0)}), Contains("continues after it has reached h1"));
  CHECK_THAT(reason({to(2), in_transit(0)}), Contains("ends at in-transit host h1"));
  CHECK_THAT(reason({in_transit(2), to(0)}), Contains("no in-transit host"));
  CHECK_THAT(reason({to(2), one_of(0, 1), to(0)}), Contains("goes on"));
  CHECK_THAT(reason({one_of(0, 3), to(0)}), Contains("continues after it has reached h0"));
}

TEST_CASE("check follows every port of a group") {
  const Diamond diamond;
  const CheckReport report = check(diamond.graph, Diamond::adaptive());
  CHECK(report.passed());
  CHECK(report.lengths().histogram == std::vector<std::int64_t>{0, 0, 0, 0, 2});
  // Each way: injection to 2 up channels, each of them to 1, each of those to the ejection.
  CHECK(report.dependencies == 2 * (2 + 2 + 2));
}

TEST_CASE("a group whose ports lead to different hosts serves no pair") {
  Graph graph;
  graph.add_switch("s", 3);
  for (int host = 0; host < 3; ++host)
    graph.connect(End::host(graph.add_host("h" + std::to_string(host))), End::switch_(0, host));
  ListedRouting routing;
  routing.add(0, 1, {one_of(1, 2)});
  const CheckReport report = check(graph, routing);
  CHECK(report.routes_broken == 1);
  CHECK(report.pairs_unserved == 6);
}

TEST_CASE("groups pass over a failed link next to them but cannot see one further on") {
  const Diamond diamond;
  const auto routing = Diamond::adaptive();
  const auto failed = [&](int link) {
    return check(diamond.graph, routing, {.failures = {.links = {link}, .switches = {}}});
  };
  // A's group avoids its own dead link; B's group leads into the middle switch, which cannot go on.
  CheckReport report = failed(diamond.a_to_upper);
  CHECK(report.pairs_unserved == 1);
  CHECK_THAT(report.examples.at(0), Contains("h1 to h0") && Contains("upper port 0") && Contains("failed"));
  report = failed(diamond.b_to_upper);
  CHECK_THAT(report.examples.at(0), Contains("h0 to h1") && Contains("upper port 1"));
  // A dead switch is seen from both sides.
  CHECK(check(diamond.graph, routing, {.failures = {.links = {}, .switches = {2}}}).passed());
}

TEST_CASE("with failures one working alternative is enough unless the sender draws it at random") {
  const Diamond diamond;
  ListedRouting routing;
  for (const int middle : {1, 2}) {
    routing.add(0, 1, {to(middle), to(1), to(0)});
    routing.add(1, 0, {to(middle), to(0), to(0)});
  }
  const CheckOptions upper_failed{.failures = {.links = {}, .switches = {2}}};
  CheckReport report = check(diamond.graph, routing, upper_failed);
  CHECK(report.passed());
  CHECK(report.routes_broken == 2);
  CHECK(report.most_alternatives == 2);
  routing.random = true;
  report = check(diamond.graph, routing, upper_failed);
  CHECK(report.pairs_unserved == 2);
  CHECK(check(diamond.graph, routing).passed());
}

TEST_CASE("hosts of a failed switch are not served") {
  const CheckReport report = check(row(3, false), along(3), {.failures = {.links = {}, .switches = {2}}});
  CHECK(report.pairs_unserved == 4);  // to and from host 2
}

TEST_CASE("check reports its progress") {
  CheckOptions options;
  std::vector<std::pair<std::int64_t, double>> told;
  options.progress = [&](std::int64_t pairs, double share) { told.emplace_back(pairs, share); };
  check(row(100, false), along(100), options);
  REQUIRE(told.size() == 2);  // of 9,900 pairs
  CHECK(told.front().first == 4096);
  CHECK(told.back().first == 8192);
  CHECK(told.back().second == Approx(8192 / 9900.0));
}

TEST_CASE("check samples the destinations if its work is limited, and says so") {
  const CheckReport report = check(row(8, false), along(8), {.work = 1});
  CHECK(report.pairs == 56);
  CHECK(report.pairs_checked == 7);  // all sources of one destination
  CHECK(report.sampled());
  CHECK_THAT(to_text(report), Contains("a sample of 7"));
}

TEST_CASE("check complains of parts that do not exist") {
  const auto with = [](CheckOptions options) { return complaint([&] { check(row(3, false), along(3), options); }); };
  CHECK_THAT(with({.virtual_channels = 0}), Contains("0 virtual channels"));
  CHECK_THAT(with({.virtual_channels = 255}), Contains("255 virtual channels"));
  CHECK_THAT(with({.failures = {.links = {99}, .switches = {}}}), Contains("no link 99"));
  CHECK_THAT(with({.failures = {.links = {}, .switches = {-1}}}), Contains("no switch -1"));
}
