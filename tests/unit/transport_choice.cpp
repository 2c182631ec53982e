/// Which of several permitted outputs a header takes (TIMING.md, "Choosing").

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "tests/support/hand_network.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr int hosts = 8;  // on each of two switches, host h of the first sends to host h of the second
constexpr int group = 3;  // cables between them
constexpr std::int64_t T = 10, D = 10;

struct Sending {
  std::int64_t ps;
  int host;
  int flits = 10;
};

struct Sent {
  std::vector<std::uint64_t> packets;     ///< per cable of the group
  std::int64_t wait_ps = 0;               ///< for all of them
  std::vector<std::int64_t> delivered{};  ///< per packet
};

Sent send(const std::string& selection, const std::vector<Sending>& list, int preferred = 0, int virtual_channels = 1,
          const std::vector<int>& failed = {}, std::uint64_t seed = 1) {
  net::ChannelRules cable = link_rules(T, D);
  cable.virtual_channels = virtual_channels;
  Case one;
  one.seed = seed;
  for (int s = 0; s < 2; ++s)
    one.wiring.add_switch("s" + std::to_string(s), hosts + group,
                          {.selection = net::output_selection_policy(selection)});
  for (int h = 0; h < 2 * hosts; ++h) {
    one.wiring.add_nic("h" + std::to_string(h), {});
    one.wiring.connect(nic(h), port(h / hosts, h % hosts), cable, cable);
  }
  std::vector<int> cables;
  for (int c = 0; c < group; ++c)
    cables.push_back(one.wiring.connect(port(0, hosts + c), port(1, hosts + c), cable, cable));
  for (const int c : failed) one.wiring.channels[static_cast<std::size_t>(cables[c])].failed = true;
  for (const Sending& sending : list) {
    topologies::Route route = by_ports({hosts, sending.host});
    route.steps[0].ports = group;
    route.steps[0].preferred = static_cast<std::uint16_t>(preferred);
    ship(one, sending.ps, sending.host, hosts + sending.host, sending.flits, route);
  }
  Sent sent;
  std::vector<Result> results;
  in_both(one, [&](const Result& result) { results.push_back(result); });
  if (virtual_channels == 1) CHECK(results[0].outcomes == results[1].outcomes);
  for (const int c : cables) {
    sent.packets.push_back(results[0].statistics[c].packets);
    sent.wait_ps += results[0].statistics[c].wait_ps;
    CHECK(results[1].statistics[c].packets == sent.packets.back());
  }
  for (const Outcome& outcome : results[0].outcomes) sent.delivered.push_back(outcome.delivered_ps);
  return sent;
}

std::vector<Sending> one_after_the_other(int packets) {
  std::vector<Sending> list;
  for (int i = 0; i < packets; ++i) list.push_back({i * 1000, i % hosts});
  return list;
}

using Packets = std::vector<std::uint64_t>;

/// A packet alone: three channels, no routing time.
constexpr std::int64_t alone(int flits) { return 3 * D + (flits - 1) * T; }

}  // namespace

TEST_CASE(
    "first takes the first listed cable that is idle, and if none is, the first that has a free virtual channel") {
  CHECK(send("first", one_after_the_other(6)).packets == Packets{6, 0, 0});
  CHECK(send("first", {{0, 0}, {0, 1}, {0, 2}}).packets == Packets{1, 1, 1});
  CHECK(send("first", {{0, 0}, {0, 1}, {0, 2}}, 0, 2).packets == Packets{1, 1, 1});
  CHECK(send("first", {{0, 0}, {0, 1}, {0, 2}, {0, 3}}, 0, 2).packets == Packets{2, 1, 1});
}

TEST_CASE("least takes the one with the fewest owned virtual channels, ties by list order") {
  CHECK(send("least", one_after_the_other(6)).packets == Packets{6, 0, 0});
  CHECK(send("least", {{0, 0}, {0, 1}}, 0, 2).packets == Packets{1, 1, 0});
  CHECK(send("least", {{0, 0}, {0, 1}, {0, 2}, {0, 3}}, 0, 2).packets == Packets{2, 1, 1});
}

TEST_CASE("round robin rotates, and passes over busy ones") {
  CHECK(send("round-robin", one_after_the_other(7)).packets == Packets{3, 2, 2});
  // Cables 0 (long), 1 and 2 are taken; when 1 and 2 are free again, the next goes to 1, since 0 is busy.
  CHECK(send("round-robin", {{0, 0, 100}, {10, 1}, {20, 2}, {500, 3}}).packets == Packets{1, 2, 1});
}

TEST_CASE("random takes any free one, and none is forgotten") {
  constexpr int packets = 300;
  const Sent sent = send("random", one_after_the_other(packets));
  CHECK(sent.wait_ps == 0);
  // Binomial of 1/3: 100 +- 8.2; five standard deviations.
  for (const std::uint64_t count : sent.packets) {
    CHECK(count > 59);
    CHECK(count < 141);
  }
  // As many packets as cables at once, again and again: no packet waits, since only free ones are drawn.
  std::vector<Sending> threes;
  for (int i = 0; i < 50; ++i)
    for (int h = 0; h < group; ++h) threes.push_back({i * 1000, h});
  CHECK(send("random", threes).packets == Packets{50, 50, 50});
  CHECK(send("random", threes).wait_ps == 0);
}

TEST_CASE("random-fixed draws first, and waits for the one drawn though others are idle") {
  std::vector<Sending> threes;
  for (int i = 0; i < 50; ++i)
    for (int h = 0; h < group; ++h) threes.push_back({i * 1000, h});
  const Sent sent = send("random-fixed", threes);
  CHECK(std::accumulate(sent.packets.begin(), sent.packets.end(), std::size_t{0}) == 150);
  // All three differ in 2/9 of the rounds; the others wait at least once, 100 each time.
  CHECK(sent.wait_ps % 100 == 0);
  CHECK(sent.wait_ps > 25 * 100);
}

TEST_CASE("idle-fixed takes an idle one, and if none is waits for the fixed one though another gets free before") {
  // Cable 0 is free at 120, cable 1 at 320 and cable 2 at 520. Three switch-to-host channels follow.
  const std::vector<Sending> list{{0, 0, 10}, {0, 1, 30}, {0, 2, 50}, {20, 3, 10}};
  for (const int preferred : {0, 1, 2}) {
    const Sent sent = send("idle-fixed", list, preferred);
    const std::int64_t free_ps = D + 100 + 200 * preferred;
    CHECK(sent.delivered[3] == free_ps + 2 * D + 9 * T);
    CHECK(sent.packets[static_cast<std::size_t>(preferred)] == 2);
    CHECK(sent.wait_ps == free_ps - 20 - D);
  }
  CHECK(send("idle-fixed", one_after_the_other(4), 2).packets == Packets{4, 0, 0});
}

TEST_CASE("idle-random takes an idle one, and if none is waits for one at random") {
  const std::vector<Sending> list{{0, 0, 10}, {0, 1, 30}, {0, 2, 50}, {20, 3, 10}};
  Packets waited_for{0, 0, 0};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Sent sent = send("idle-random", list, 0, 1, {}, seed);
    for (std::size_t c = 0; c < group; ++c)
      if (sent.packets[c] == 2) {
        ++waited_for[c];
        CHECK(sent.delivered[3] == D + 100 + 200 * static_cast<std::int64_t>(c) + 2 * D + 9 * T);
      }
  }
  for (const std::uint64_t count : waited_for) CHECK(count > 5);  // 20 +- 3.7
}

TEST_CASE("every output-selection policy passes over failed channels") {
  for (const auto* selection :
       {"first", "least", "round-robin", "random", "random-fixed", "idle-fixed", "idle-random"}) {
    const Sent sent = send(selection, {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}}, 1, 1, {1});
    CHECK(sent.packets[0] + sent.packets[2] == 6);
    CHECK(sent.packets[1] == 0);
    const Sent only = send(selection, {{0, 0}, {0, 1}}, 0, 1, {0, 1});
    CHECK(only.packets == Packets{0, 0, 2});
    CHECK(only.delivered[1] == alone(10) + 100);
  }
}
