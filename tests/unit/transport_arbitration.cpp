/// Arbitration (TIMING.md, "Arbitration"): every policy on a contest that the others decide otherwise.

#include <catch2/catch.hpp>

#include "tests/support/hand_network.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = 10, D = 10;

struct Sending {
  std::int64_t ps;
  int source;
  int flits = 10;
  int priority = 0;
};

/// All to host 5 of a star; the sources in the order in which their packets are delivered. Host `slow`'s cable takes
/// 60 longer.
std::vector<int> order(const net::SwitchRules& rules, const std::vector<Sending>& list, int slow = -1) {
  Case one;
  one.wiring.add_switch("s0", 6, rules);
  for (int h = 0; h < 6; ++h) {
    one.wiring.add_nic("h" + std::to_string(h), {});
    one.wiring.connect(nic(h), port(0, h), link_rules(T, h == slow ? D + 60 : D), link_rules(T, D));
  }
  for (const Sending& sending : list)
    one.shipments[ship_in_star(one, sending.ps, sending.source, 5, sending.flits)].priority = sending.priority;
  std::vector<int> sources;
  in_both(one, [&](const Result& result) {
    std::vector<int> these;
    for (const int index : result.delivery_order) these.push_back(list[static_cast<std::size_t>(index)].source);
    if (!sources.empty()) CHECK(these == sources);
    sources = these;
  });
  return sources;
}

using Order = std::vector<int>;

}  // namespace

TEST_CASE("round robin serves the ports in turn, starting at 0") {
  CHECK(order({.arbitration = net::arbitration_policy("round-robin")},
              {{0, 3}, {0, 3}, {0, 1}, {0, 1}, {0, 0}, {0, 0}}) == Order{0, 1, 3, 0, 1, 3});
}

TEST_CASE("round robin goes on after the port served last, first come first served does not care") {
  // Port 2 is served from 10 to 110. Port 1 asks before port 3.
  const std::vector<Sending> list{{0, 2}, {20, 1}, {40, 3}};
  CHECK(order({.arbitration = net::arbitration_policy("round-robin")}, list) == Order{2, 3, 1});
  CHECK(order({.arbitration = net::arbitration_policy("fifo")}, list) == Order{2, 1, 3});
}

TEST_CASE("demand-slotted: headers that wait when a round begins come before later ones") {
  // Ports 0 and 2 wait while port 3 is served. Port 1 comes while 0 is served: round robin would take it before 2.
  const std::vector<Sending> list{{0, 3}, {20, 0}, {30, 2}, {150, 1}};
  CHECK(order({.arbitration = net::arbitration_policy("demand-slotted")}, list) == Order{3, 0, 2, 1});
  CHECK(order({.arbitration = net::arbitration_policy("round-robin")}, list) == Order{3, 0, 1, 2});
}

TEST_CASE("demand-slotted serves a round in port order, not in order of arrival") {
  const std::vector<Sending> list{{0, 3}, {20, 2}, {30, 0}};
  CHECK(order({.arbitration = net::arbitration_policy("demand-slotted")}, list) == Order{3, 0, 2});
  CHECK(order({.arbitration = net::arbitration_policy("fifo")}, list) == Order{3, 2, 0});
}

TEST_CASE("oldest goes by injection, first come first served by the request") {
  // Port 4 is served from 10 to 210. Host 0's packet is injected at 20 and asks at 90, host 1's at 40 and 50.
  const std::vector<Sending> list{{0, 4, 20}, {20, 0}, {40, 1}};
  CHECK(order({.arbitration = net::arbitration_policy("oldest")}, list, 0) == Order{4, 0, 1});
  CHECK(order({.arbitration = net::arbitration_policy("fifo")}, list, 0) == Order{4, 1, 0});
}

TEST_CASE("first come until a packet is older than the threshold, then the oldest") {
  // At the grant, 210, the packets are 190 and 170 old.
  const std::vector<Sending> list{{0, 4, 20}, {20, 0}, {40, 1}};
  const auto with_threshold = [&](std::int64_t ps) {
    return order({.arbitration = net::arbitration_policy("fifo-then-oldest"), .age_threshold = Time{ps}}, list, 0);
  };
  CHECK(with_threshold(190) == Order{4, 1, 0});  // not older than the threshold
  CHECK(with_threshold(189) == Order{4, 0, 1});  // only the one
  CHECK(with_threshold(100) == Order{4, 0, 1});  // both, oldest first
}

TEST_CASE("a higher priority goes first, whatever the arbitration") {
  for (const auto* arbitration : {"round-robin", "demand-slotted", "fifo", "oldest", "fifo-then-oldest"})
    CHECK(order({.arbitration = net::arbitration_policy(arbitration)},
                {{0, 4}, {20, 0}, {30, 1}, {40, 2, 10, 3}, {50, 3, 10, 1}}) == Order{4, 2, 3, 0, 1});
}

TEST_CASE("where hosts come last, a switch's own host yields to its neighbours whatever the policy") {
  // Three switches in a row, all to host 2. Host 0's first packet holds switch 1's output from 20 to 120. Host 1 asks
  // for it at 40; host 0's second packet starts at 100, behind the first, and asks at 120.
  for (const auto* arbitration : {"round-robin", "demand-slotted", "fifo", "oldest", "fifo-then-oldest"})
    for (const bool hosts_last : {false, true}) {
      Case one =
          row(3, link_rules(T, D), {.arbitration = net::arbitration_policy(arbitration), .hosts_last = hosts_last});
      ship(one, 0, 0, 2, 10, by_ports({2, 2, 0}));
      ship(one, 30, 1, 2, 10, by_ports({2, 0}));
      ship(one, 30, 0, 2, 10, by_ports({2, 2, 0}));
      in_both(one, [&](const Result& result) {
        const Order order(result.delivery_order.begin(), result.delivery_order.end());
        CHECK(order == (hosts_last ? Order{0, 2, 1} : Order{0, 1, 2}));
      });
    }
}

TEST_CASE("ties go to the lower input port") {
  for (const auto* arbitration : {"fifo", "oldest", "fifo-then-oldest"})
    CHECK(order({.arbitration = net::arbitration_policy(arbitration)}, {{0, 3}, {0, 1}, {0, 2}}) == Order{1, 2, 3});
}
