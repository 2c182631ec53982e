#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/traffic/pattern.hpp"
#include "topologies/dragonfly.hpp"
#include "topologies/lattice.hpp"

using namespace sanvp;
using namespace sanvp::traffic;

namespace {

/// `switches` switches in a row with the same number of hosts each.
topologies::Graph row(int hosts, int switches = 1) {
  using topologies::End;
  topologies::Graph graph;
  const int each = hosts / switches;
  for (int s = 0; s < switches; ++s) {
    graph.add_switch("switch" + std::to_string(s), each + 2);
    for (int h = 0; h < each; ++h) graph.connect(End::host(graph.add_host("h")), End::switch_(s, h));
    if (s > 0) graph.connect(End::switch_(s - 1, each), End::switch_(s, each + 1));
  }
  return graph;
}

std::unique_ptr<Pattern> make(const std::string& name, const topologies::Graph& graph,
                              const std::vector<std::string>& settings = {}) {
  ParameterSet set;
  for (const auto& setting : settings) set.set("pattern." + setting);
  const Parameters parameters{set, "pattern"};
  auto pattern = Registry<PatternPart>::get(name, "test").build({graph, parameters});
  set.require_all_read();
  return pattern;
}

/// The destination of each node; -1: it is silent.
std::vector<int> partners(Pattern& pattern, int nodes) {
  std::vector<int> result;
  for (int n = 0; n < nodes; ++n) {
    Random random{1, "test"};
    const auto next = pattern.next(n, random);
    REQUIRE(next.has_value() == pattern.sends(n));
    result.push_back(next ? next->destination : -1);
  }
  return result;
}

int silent(const std::vector<int>& partners) {
  return static_cast<int>(std::count(partners.begin(), partners.end(), -1));
}

/// Senders whose nearest common ancestor with their partner in a 4-ary 3-tree is a root: the highest two bits differ.
int by_the_top(const std::vector<int>& partners) {
  int count = 0;
  for (int n = 0; n < static_cast<int>(partners.size()); ++n)
    if (partners[n] >= 0 && n / 16 != partners[n] / 16) ++count;
  return count;
}

class Wakes final : public Reactions {
 public:
  std::vector<int> woken;
  void wake(int node) override { woken.push_back(node); }
};

}  // namespace

TEST_CASE("the permutations of the QsNET paper have the silent nodes and the ways over the top of their closed forms") {
  const auto graph = row(64);
  // FACTS.md section 1.7.
  struct Expected {
    const char* name;
    int silent, top;
  };
  for (const auto& [name, silent_nodes, top] : {Expected{"bit-reversal", 8, 48},
                                                {"butterfly", 32, 32},
                                                {"complement", 0, 64},
                                                {"transpose", 8, 48},
                                                {"shuffle", 2, 48},
                                                {"neighbor", 0, 0}}) {
    INFO(name);
    const auto list = partners(*make(name, graph), 64);
    CHECK(silent(list) == silent_nodes);
    CHECK(by_the_top(list) == top);
    std::set<int> receivers(list.begin(), list.end());
    receivers.erase(-1);
    CHECK(static_cast<int>(receivers.size()) == 64 - silent_nodes);  // no host receives from two
  }
}

TEST_CASE("the permutations send node 38 of 64, which is 100110, where the bits say") {
  const auto graph = row(64);
  const std::map<std::string, int> expected{{"bit-reversal", 0b011001}, {"butterfly", 0b000111},
                                            {"complement", 0b011001},   {"transpose", 0b110100},
                                            {"shuffle", 0b001101},      {"neighbor", 0b100111}};
  for (const auto& [name, partner] : expected) {
    INFO(name);
    CHECK(partners(*make(name, graph), 64)[38] == partner);
  }
}

TEST_CASE("a permutation of bits refuses a number of nodes that is not a power of two") {
  const auto graph = row(12);
  for (const char* name : {"bit-reversal", "butterfly", "complement", "transpose", "shuffle"})
    CHECK_THROWS_WITH(make(name, graph), Catch::Contains("power of") && Catch::Contains("12"));
  CHECK_THROWS_AS(make("transpose", row(32)), UserError);  // five bits have no halves
  CHECK_NOTHROW(make("shuffle", row(32)));
  CHECK_THROWS_AS(make("neighbor", row(5)), UserError);
}

TEST_CASE("uniform traffic reaches all others evenly and never the sender") {
  const auto pattern = make("uniform", row(8));
  Random random{7, "test"};
  std::vector<int> count(8);
  constexpr int draws = 70'000;
  for (int i = 0; i < draws; ++i) ++count[pattern->next(3, random)->destination];
  CHECK(count[3] == 0);
  // Each of 7 has 10,000 expected with a standard deviation of 93.
  for (int n = 0; n < 8; ++n)
    if (n != 3) CHECK(std::abs(count[n] - 10'000) < 4 * 93);
}

TEST_CASE("hot-spot traffic goes to one node, which is silent, and reads where writes are few") {
  const auto graph = row(8);
  const auto list = partners(*make("hot-spot", graph, {"target=5"}), 8);
  CHECK(list == std::vector<int>{5, 5, 5, 5, 5, -1, 5, 5});
  const auto reads = make("hot-spot", graph, {"writes=0"});
  Random random{1, "test"};
  CHECK(reads->next(1, random)->read);
  CHECK_THROWS_AS(make("hot-spot", graph, {"target=8"}), UserError);
}

TEST_CASE("I/O nodes are the highest ones or spread out, and serve as clients where they are shared") {
  const auto graph = row(64);
  const auto receivers = [&](const std::vector<std::string>& settings) {
    const auto list = partners(*make("multiple-hot-spots", graph, settings), 64);
    std::map<int, int> count;
    for (const int node : list) ++count[node];
    return count;
  };
  // 56 clients are dealt out to 8 I/O nodes: 7 each; the 8 I/O nodes themselves are silent.
  auto dedicated = receivers({"access=deterministic", "application=dedicated"});
  CHECK(dedicated[-1] == 8);
  for (int io = 56; io < 64; ++io) CHECK(dedicated[io] == 7);
  const auto spread = receivers({"access=deterministic", "application=dedicated", "mapping=distributed"});
  for (int io = 0; io < 64; io += 8) CHECK(spread.at(io) == 7);
  CHECK(receivers({"access=deterministic"}).count(-1) == 0);
  CHECK_THROWS_AS(receivers({"access=sometimes"}), UserError);
  CHECK_THROWS_AS(receivers({"io-nodes=64"}), UserError);
}

TEST_CASE("the share of reads of several hot spots is that of the read and write ratio") {
  const auto pattern = make("multiple-hot-spots", row(64), {"writes=0.25"});
  Random random{3, "test"};
  int reads = 0;
  constexpr int draws = 10'000;
  for (int i = 0; i < draws; ++i) reads += pattern->next(0, random)->read ? 1 : 0;
  CHECK(std::abs(reads - 7'500) < 4 * 43);  // the standard deviation is sqrt(10000 * 0.25 * 0.75)
}

TEST_CASE("equal-dist and unequal-dist pair nodes as the Mesh of Clos paper says, for a number of messages") {
  const auto graph = row(16);
  const auto equal = partners(*make("equal-dist", graph), 16);
  const auto unequal = partners(*make("unequal-dist", graph), 16);
  for (int n = 0; n < 16; ++n) {
    CHECK(equal[n] == (8 + n) % 16);
    CHECK(unequal[n] == 15 - n);
  }
  const auto finite = make("equal-dist", graph, {"messages=2"});
  Random random{1, "test"};
  CHECK(finite->pace() == Pattern::Pace::closed);
  CHECK_FALSE(finite->next(8, random));  // the lower node of a pair begins
  CHECK(finite->next(0, random));
  CHECK_FALSE(finite->next(0, random));  // it is its partner's turn
  Wakes wakes;
  finite->arrived(0, 8, wakes);
  CHECK(wakes.woken == std::vector<int>{8});
  CHECK(finite->next(8, random));
  finite->arrived(8, 0, wakes);
  CHECK(finite->next(0, random));
  finite->arrived(0, 8, wakes);
  CHECK(finite->next(8, random));
  finite->arrived(8, 0, wakes);
  CHECK_FALSE(finite->next(0, random));  // each has sent two
  CHECK_FALSE(finite->next(8, random));
}

TEST_CASE("all-to-all sends the number of messages to each of the others, and nodes take turns") {
  const auto pattern = make("all-to-all", row(4), {"messages=2"});
  Random random{1, "test"};
  std::vector<int> from_0;
  while (const auto next = pattern->next(0, random)) from_0.push_back(next->destination);
  CHECK(from_0 == std::vector<int>{1, 1, 2, 2, 3, 3});
  CHECK_FALSE(pattern->next(1, random));  // it has not received anything yet
  Wakes wakes;
  pattern->arrived(0, 1, wakes);
  CHECK(wakes.woken.empty());
  pattern->arrived(0, 1, wakes);
  CHECK(wakes.woken == std::vector<int>{1});
  CHECK(pattern->next(1, random)->destination == 0);
}

TEST_CASE("gossip is told to neighbours, and a host that was told passes it on") {
  // Three switches in a row with two hosts each: host 0 knows 1, and 2 and 3 on the next switch.
  const auto graph = row(6, 3);
  CHECK(neighbours(graph, 0) == std::vector<int>{1, 2, 3});
  CHECK(neighbours(graph, 2) == std::vector<int>{0, 1, 3, 4, 5});
  const auto pattern = make("gossip", graph);
  Random random{1, "test"};
  CHECK(pattern->next(0, random)->destination <= 3);
  CHECK_FALSE(pattern->next(4, random));
  Wakes wakes;
  pattern->arrived(0, 4, wakes);
  pattern->arrived(0, 4, wakes);
  CHECK(wakes.woken == std::vector<int>{4});  // once
  CHECK(pattern->next(4, random));
}

TEST_CASE("pairs come from a distance or a list, and mistakes in the list are reported") {
  const auto graph = row(6);
  CHECK(partners(*make("pairs", graph, {"distance=2"}), 6) == std::vector<int>{2, 3, 4, 5, 0, 1});
  CHECK(partners(*make("pairs", graph, {"list=0-5,5-0,2-3"}), 6) == std::vector<int>{5, -1, 3, -1, -1, 0});
  for (const char* list : {"list=0-6", "list=0", "list=0-1,0-2", "list=a-b", "list=-1-2", "list=0-1-2"})
    CHECK_THROWS_AS(make("pairs", graph, {list}), UserError);
  CHECK_THROWS_AS(make("pairs", graph, {"distance=0"}), UserError);
  CHECK_THROWS_AS(make("pairs", graph, {"file=/nowhere/pairs.txt"}), UserError);
  CHECK_THROWS_AS(make("pairs", graph, {"file=x", "list=0-1"}), UserError);
}

TEST_CASE("nodes of neighbouring blocks send to each other") {
  const auto graph = row(12, 3);
  CHECK(partners(*make("pairs", graph, {"exchange=2"}), 12) == std::vector<int>{2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9});
  CHECK(partners(*make("pairs", graph, {"exchange=6"}), 12) == std::vector<int>{6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5});
  CHECK_THROWS_WITH(make("pairs", graph, {"exchange=4"}), Catch::Contains("not a whole number of blocks of 8"));
}

TEST_CASE("nodes of neighbouring switches are paired, one for each cable, and the others with their own switch's") {
  // Three switches of four hosts in a row, a cable between neighbours.
  CHECK(partners(*make("neighbouring-switches", row(12, 3)), 12) ==
        std::vector<int>{4, 2, 1, -1, 0, 8, 7, 6, 5, 10, 9, -1});
}

TEST_CASE("every pattern refuses a machine without nodes and one with a single node, or is silent on it") {
  for (const auto& [name, part] : Registry<PatternPart>::all())
    for (const int hosts : {0, 1}) {
      INFO(name << " on " << hosts);
      const auto graph = row(hosts);
      try {
        const auto pattern = make(name, graph);
        for (int n = 0; n < hosts; ++n) CHECK_FALSE(pattern->sends(n));
      } catch (const UserError& error) {
        CHECK(std::string(error.what()).size() > 10);
      }
    }
}

TEST_CASE("a tornado goes nearly half way along each axis, and on other networks among all nodes") {
  using topologies::Axis;
  // 8 points: 3 on; 5 points: 2 on (half of a ring, rounded up, less one).
  const topologies::Lattice torus("torus", topologies::make_axes({5, 8}, Axis::Kind::ring, 1), 2, "test");
  const auto list = partners(*make("tornado", torus.graph()), 80);
  for (int node = 0; node < 80; ++node) {
    const int from = node / 2;
    const int row = from / 8;
    const int column = from % 8;
    CHECK(list[node] == ((row + 2) % 5 * 8 + (column + 3) % 8) * 2 + node % 2);
  }
  const auto in_a_row = partners(*make("tornado", row(64)), 64);
  CHECK(in_a_row[0] == 31);
  CHECK(in_a_row[63] == 30);
}

TEST_CASE("a random permutation has one receiver for each sender, none is itself, and the seed draws it") {
  const auto graph = row(64);
  ParameterSet set;
  const Parameters parameters{set, "pattern"};
  const auto drawn = [&](std::uint64_t seed) {
    return partners(*Registry<PatternPart>::get("random-permutation", "test").build({graph, parameters, seed}), 64);
  };
  const auto list = drawn(1);
  CHECK(silent(list) == 0);
  CHECK(std::set<int>(list.begin(), list.end()).size() == 64);
  CHECK(list == drawn(1));
  CHECK(list != drawn(2));
}

TEST_CASE("next-group sends to all nodes of the next group of a dragonfly, and to no others") {
  const topologies::Graph graph = topologies::Dragonfly(2, 4, 2, 0, "test").graph();  // 9 groups of 8 nodes
  for (const auto& [settings, ahead] : {std::pair(std::vector<std::string>{}, 1), {{"ahead=4"}, 4}}) {
    const auto pattern = make("next-group", graph, settings);
    Random random{1, "test"};
    for (const int node : {0, 7, 8, 71}) {
      std::set<int> reached;
      for (int draw = 0; draw < 200; ++draw) reached.insert(pattern->next(node, random)->destination);
      CHECK(reached.size() == 8);
      CHECK(*reached.begin() == (node / 8 + ahead) % 9 * 8);
      CHECK(*reached.rbegin() == *reached.begin() + 7);
    }
  }
  CHECK_THROWS_WITH(make("next-group", row(64)), Catch::Contains("no groups"));
  CHECK_THROWS_WITH(make("next-group", row(64), {"group=24"}), Catch::Contains("divisor"));
  CHECK(make("next-group", row(64), {"group=16"})->next(63, *std::make_unique<Random>(1, "test"))->destination < 16);
}
