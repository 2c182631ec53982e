/// Section [fault]: its contents, the times of events, the calls to the network, and the account.

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "platform/core/parameters.hpp"
#include "platform/faults/outages.hpp"
#include "tests/support/hand_network.hpp"
#include "tests/support/random_topology.hpp"
#include "tests/unit/core_support.hpp"

using namespace sanvp;
using namespace sanvp::faults;
using Catch::Matchers::Contains;
using sanvp::test::complaint;
using topologies::End;

namespace {

/// Two switches with two hosts each, at links 0 to 3, and two cables between them, links 4 and 5.
topologies::Graph two_switches() {
  topologies::Graph graph;
  for (int s = 0; s < 2; ++s) graph.add_switch("s" + std::to_string(s), 4);
  for (int h = 0; h < 4; ++h) {
    graph.add_host("h" + std::to_string(h));
    graph.connect(End::host(h), End::switch_(h / 2, h % 2));
  }
  for (int port = 2; port < 4; ++port) graph.connect(End::switch_(0, port), End::switch_(1, port));
  return graph;
}

struct Machine {
  topologies::Graph graph = two_switches();
  topologies::Failures failed{};
  int ports = 1;

  Stock stock() const { return {.graph = graph, .hosts_per_node = ports, .failed = failed}; }
  Plan plan(const std::string& text, std::uint64_t seed = 1) const {
    auto set = ParameterSet::from_text("[fault]\n" + text, "m.ini");
    Plan plan = Plan::read({set, "fault"}, stock(), seed);
    set.require_all_read();
    return plan;
  }
};

std::vector<Event> events_until(Schedule schedule, Time end) {
  std::vector<Event> events;
  while (schedule.next() <= end) events.push_back(schedule.take());
  return events;
}

}  // namespace

TEST_CASE("events are read in any order and come in that of time") {
  const Machine machine;
  Schedule schedule(machine.plan("events = 5ms link 4 up,3ms link 4 down,  4ms switch 1  down, 6ms node 3 down"),
                    machine.stock());
  const std::vector<std::pair<Time, std::string>> expected{
      {3ms, "link 4"}, {4ms, "switch 1"}, {5ms, "link 4"}, {6ms, "node 3"}};
  for (const auto& [at, part] : expected) {
    CHECK(schedule.next() == at);
    const Event event = schedule.take();
    CHECK(event.at == at);
    CHECK(to_text(event.part) == part);
    CHECK(event.down == (at != Time{5ms}));
  }
  CHECK(schedule.next() == never);
}

TEST_CASE("nothing fails unless the section says so") {
  const Machine machine;
  CHECK(machine.plan("").empty());
  CHECK_FALSE(machine.plan("events = 3ms link 0 down").empty());
  CHECK_FALSE(machine.plan("switch_mtbf = 1s").empty());
}

TEST_CASE("a mistake in an event is named with its place and its cure") {
  const Machine machine;
  const std::vector<std::pair<std::string, std::vector<std::string>>> mistakes{
      {"3ms", {"'3ms' is not an event", "write TIME link|switch|node NUMBER down|up"}},
      {"3ms link 4 down,", {"'' is not an event"}},
      {"3 link 4 down", {"'3' has no unit"}},
      {"3ms lnk 4 down", {"'lnk' is not one of link, switch, node", "did you mean 'link'"}},
      {"3ms link -1 down", {"'-1' is not the number of a link"}},
      {"3ms link 6 down", {"there is no link 6", "they go from 0 to 5"}},
      {"3ms switch 2 down", {"there is no switch 2", "they go from 0 to 1"}},
      {"3ms node 4 down", {"there is no node 4", "they go from 0 to 3"}},
      {"3ms link 4 dwn", {"'dwn' is not one of down, up", "did you mean 'down'"}},
      {"3ms link 4 up", {"link 4 works already at 3ms", "let it go down before"}},
      {"3ms link 4 down, 4ms link 4 down", {"link 4 is down already at 4ms", "let it come up before"}},
  };
  for (const auto& [text, words] : mistakes) {
    const std::string message = complaint([&, &events = text] { machine.plan("events = " + events); });
    CHECK_THAT(message, Contains("m.ini:2: fault.events: "));
    for (const std::string& word : words) CHECK_THAT(message, Contains(word));
  }
  CHECK_THAT(complaint([&] { machine.plan("link_mttr = 1ms"); }),
             Contains("fault.link_mttr: no link fails at random; set fault.link_mtbf"));
}

TEST_CASE("a part that has failed from the start may come up, but not go down") {
  Machine machine;
  machine.failed = {.links = {4}, .switches = {}};
  CHECK_NOTHROW(machine.plan("events = 3ms link 4 up"));
  CHECK_THAT(complaint([&] { machine.plan("events = 3ms link 4 down"); }), Contains("link 4 is down already"));
}

TEST_CASE("events of the option are added to those of the section, and both are named") {
  auto set = ParameterSet::from_text("[fault]\nevents = 3ms link 4 down\n", "m.ini");
  add_events({"4ms link 5 down", "5ms link 9 down"}, set);
  const Machine machine;
  CHECK_THAT(complaint([&] {
               Plan::read({set, "fault"}, machine.stock(), 1);
             }),
             Contains("m.ini:2 and --fault: there is no link 9"));
}

TEST_CASE("a node with several ports is a node") {
  Machine machine;
  machine.ports = 2;
  CHECK_THAT(complaint([&] { machine.plan("events = 3ms node 2 down"); }), Contains("they go from 0 to 1"));
}

TEST_CASE("parts that fail at random go down and come up in turn, with the given mean times") {
  const Machine machine;
  const Plan plan = machine.plan("link_mtbf = 3ms\nlink_mttr = 1ms");
  const auto events = events_until({plan, machine.stock()}, 6000ms);
  std::map<Part, Event> last;
  double up_ps = 0, down_ps = 0;
  int ups = 0, downs = 0;
  Time before{0};
  for (const Event& event : events) {
    CHECK(event.at >= before);
    before = event.at;
    const auto [found, is_first] =
        last.try_emplace(event.part, Event{.at = Time{0}, .part = event.part, .down = false});
    REQUIRE(found->second.down != event.down);
    const auto span_ps = static_cast<double>((event.at - found->second.at).count());
    (event.down ? up_ps : down_ps) += span_ps;
    ++(event.down ? ups : downs);
    found->second = event;
  }
  CHECK(last.size() == 6);
  // 6 links for 6 s, a cycle each 4 ms: 9,000 of each, whose mean has a standard deviation of 1 %.
  CHECK(std::abs(ups - 9000) < 5 * std::sqrt(9000));
  CHECK(up_ps / ups == Approx(3e9).epsilon(0.05));
  CHECK(down_ps / downs == Approx(1e9).epsilon(0.05));
}

TEST_CASE("random failures depend only on the seed and the part") {
  const Machine machine;
  const std::string chance = "link_mtbf = 3ms\nlink_mttr = 1ms\n";
  const auto times = [&](const std::string& text, std::uint64_t seed) {
    std::vector<std::pair<Time, Part>> times;
    for (const Event& event : events_until({machine.plan(text, seed), machine.stock()}, 100ms))
      if (event.part.kind == Part::Kind::link && event.part.number != 5) times.emplace_back(event.at, event.part);
    return times;
  };
  CHECK(times(chance, 1) == times(chance, 1));
  CHECK(times(chance, 1) != times(chance, 2));
  CHECK(times(chance, 1) == times(chance + "switch_mtbf = 1ms\nevents = 2ms link 5 down\n", 1));
}

TEST_CASE("a part that is never repaired fails once, and one that has failed from the start does not fail") {
  Machine machine;
  machine.failed = {.links = {2}, .switches = {}};
  std::set<int> links;
  for (const Event& event : events_until({machine.plan("link_mtbf = 1ms"), machine.stock()}, 100'000ms)) {
    CHECK(event.down);
    CHECK(links.insert(event.part.number).second);
  }
  CHECK(links == std::set<int>{0, 1, 3, 4, 5});
}

namespace {

constexpr std::int64_t T = 10, D = 25;  // of every channel

/// The machine's network with a running plan; packets between the switches use link 4.
struct Bench {
  explicit Bench(const std::string& events, const Machine& machine_ = {})
      : machine(machine_), plan(machine.plan("events = " + events)) {}

  void send(std::int64_t ps, int source, int destination, int flits) {
    packets.push_back({ps, source, destination, flits});
  }
  /// From host 0 to both of the other switch.
  void broadcast(std::int64_t ps, int flits) { packets.push_back({ps, 0, everybody, flits}); }
  void run() {
    struct Sender final : net::EventHandler {
      explicit Sender(Bench& bench_) : bench(bench_) {}
      void handle(const net::Event& event) override {
        const auto [ps, source, destination, flits] = bench.packets[event.unit];
        net::Packet& packet = bench.network.make_packet();
        packet.source = source;
        packet.flits = flits;
        if (destination == everybody) {
          packet.destination = 2;
          packet.route = test::by_ports({2});
          packet.descend = [](int) { return std::pair{0, 2}; };
        } else {
          packet.destination = destination;
          packet.route =
              source / 2 == destination / 2 ? test::by_ports({destination % 2}) : test::by_ports({2, destination % 2});
        }
        bench.network.send(packet);
      }
      Bench& bench;
    } sender{*this};
    for (std::size_t i = 0; i < packets.size(); ++i)
      queue.schedule({.ps = packets[i].ps, .handler = &sender, .kind = 100, .unit = static_cast<std::uint32_t>(i)});
    while (!network.is_over()) queue.run_instant();
    network.conclude();
    outages.close();
  }
  std::vector<int> failed_channels() const {
    std::vector<int> failed;
    for (std::size_t c = 0; c < network.wiring().channels.size(); ++c)
      if (network.wiring().channels[c].failed) failed.push_back(static_cast<int>(c));
    return failed;
  }

  static constexpr int everybody = -1;
  struct One {
    std::int64_t ps;
    int source, destination, flits;
  };
  Machine machine;
  Plan plan;
  std::vector<One> packets{};
  net::EventQueue queue{};
  net::Network network{test::wire(machine.graph, {}, {}, [] { return test::link_rules(T, D); }), queue,
                       net::Fidelity::worm, 1};
  Outages outages{plan, machine.stock(), network, queue};
};

}  // namespace

TEST_CASE("a part that goes down takes its channels with it, and none of those that another part keeps down") {
  // Switch 1 has links 2 to 5; node 2 has link 2.
  Bench bench("1us link 4 down, 2us switch 1 down, 3us link 4 up, 4us node 2 down, 5us switch 1 up, 6us node 2 up");
  bench.send(7'000'000, 0, 1, 1);  // so that the run lasts
  const std::vector<std::vector<int>> expected{
      {8, 9}, {4, 5, 6, 7, 8, 9, 10, 11}, {4, 5, 6, 7, 8, 9, 10, 11}, {4, 5, 6, 7, 8, 9, 10, 11}, {4, 5}, {}};
  const std::vector<topologies::Failures> down{{.links = {4}},
                                               {.links = {4}, .switches = {1}},
                                               {.links = {}, .switches = {1}},
                                               {.links = {2}, .switches = {1}},
                                               {.links = {2}},
                                               {}};
  std::size_t told = 0;
  bench.outages.add_listener([&](const Event& event, const topologies::Failures& failures) {
    CAPTURE(to_text(event.part), event.down);
    REQUIRE(told < expected.size());
    CHECK(bench.network.now() == event.at);
    CHECK(bench.failed_channels() == expected[told]);
    CHECK(failures.links == down[told].links);
    CHECK(failures.switches == down[told].switches);
    ++told;
  });
  bench.run();
  CHECK(told == expected.size());
}

TEST_CASE("a run ends with its last packet, and events that would come later do not happen") {
  Bench bench("1us link 4 down, 5s link 4 up");
  bench.send(2'000'000, 0, 1, 3);
  bench.run();
  CHECK(bench.network.now() == Time{2'000'000 + 2 * D + 2 * T});
  CHECK(bench.outages.account().totals().events == 1);
}

TEST_CASE(
    "the account says what was sent, delivered and lost between events, and how long pairs were without service") {
  Bench bench("1us link 4 down, 3us link 4 up");
  bench.send(500'000, 0, 2, 4);
  bench.send(1'100'000, 0, 2, 4);  // lost when it asks for the cable
  bench.send(1'200'000, 0, 2, 4);
  bench.send(1'300'000, 1, 3, 4);
  bench.send(2'000'000, 0, 1, 6);
  bench.send(3'500'000, 0, 2, 4);
  bench.run();
  const auto& rows = bench.outages.account().intervals();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].event.empty());
  CHECK(rows[1].event == "link 4 down");
  CHECK(rows[1].part == "s0 port 2 -> s1 port 2");
  CHECK(rows[2].event == "link 4 up");
  CHECK(rows[0].until == 1us);
  CHECK(rows[2].from == 3us);
  for (const auto& [row, sent, delivered, lost] :
       {std::tuple{0, 1, 1, 0}, std::tuple{1, 4, 1, 3}, std::tuple{2, 1, 1, 0}}) {
    CAPTURE(row);
    CHECK(rows[row].sent.packets == sent);
    CHECK(rows[row].delivered.packets == delivered);
    CHECK(rows[row].lost.packets == lost);
  }
  CHECK(rows[1].sent.flits == 4 + 4 + 4 + 6);
  CHECK(rows[1].lost.flits == 12);
  CHECK(rows[1].delivered.flits == 6);
  CHECK(rows[1].pairs_cut == 2);
  CHECK(rows[1].pairs_served == 1);  // host 1 sends nothing more
  const Time back{3'500'000 + 3 * D + 3 * T};
  CHECK(rows[1].served_at == back);
  CHECK(rows[1].longest == back - 1us);  // since the event, not the first loss
  const Account::Totals totals = bench.outages.account().totals();
  CHECK(totals.events == 2);
  CHECK(totals.lost.packets == 3);
  CHECK(totals.sent.packets == totals.delivered.packets + totals.lost.packets);
  CHECK(totals.pairs_unserved == 1);
  CHECK_FALSE(totals.resent);
  CHECK(to_text(totals) ==
        "faults: 2 events, 3 packets lost of 6, 2.500105us the longest time of a pair without service, 1 pair without "
        "it at "
        "the end\n");
}

TEST_CASE("the time of a pair without service begins with the last part to have failed, also where another comes up") {
  // Link 5 is used by no packet.
  Bench bench("1us link 5 down, 2us link 4 down, 3us link 5 up, 5us link 4 up");
  bench.send(4'000'000, 0, 2, 4);  // lost in the interval of another event
  bench.send(6'000'000, 0, 2, 4);
  bench.run();
  const auto& rows = bench.outages.account().intervals();
  REQUIRE(rows.size() == 5);
  CHECK(rows[3].lost.packets == 1);
  CHECK(rows[2].pairs_cut == 1);
  CHECK(rows[2].pairs_served == 1);
  CHECK(rows[2].longest == Time{6'000'000 + 3 * D + 3 * T} - 2us);
  for (const int other : {0, 1, 3, 4}) CHECK(rows[other].pairs_cut == 0);
}

TEST_CASE("a pair that is served amid an outage is without service from then on when it loses another packet") {
  Bench bench("1us link 4 down, 2us link 4 up, 3us link 4 down, 9us link 4 up");
  const auto way = [](std::int64_t ps, int flits) { return Time{ps + 3 * D + (flits - 1) * T}; };
  bench.send(1'500'000, 0, 2, 4);
  const std::int64_t last = 3'000'000 - 2 * D - T - 2;  // its tail has just passed the cable when that fails again
  bench.send(last, 0, 2, 1);
  bench.send(4'000'000, 0, 2, 4);
  bench.send(9'500'000, 0, 2, 4);
  bench.run();
  const auto& rows = bench.outages.account().intervals();
  REQUIRE(rows.size() == 5);
  REQUIRE(rows[3].delivered.packets == 1);
  CHECK(rows[1].longest == way(last, 1) - 1us);
  CHECK(rows[3].longest == way(9'500'000, 4) - way(last, 1));
  CHECK(bench.outages.account().totals().pairs_unserved == 0);
}

TEST_CASE("a broadcast that is lost before it is copied counts for each of its hosts") {
  Bench bench("1us link 4 down, 3us link 4 up");
  bench.broadcast(2'000'000, 4);
  bench.send(3'500'000, 0, 3, 4);  // serves one of the two pairs
  bench.run();
  const auto& rows = bench.outages.account().intervals();
  CHECK(rows[1].lost.packets == 1);
  CHECK(rows[1].pairs_cut == 2);
  CHECK(rows[1].pairs_served == 1);
  CHECK(bench.outages.account().totals().pairs_unserved == 1);
}

TEST_CASE("a broadcast that is cut behind its copies counts for the host that gets nothing, not for its first one") {
  Bench bench("2000.2ns link 3 down");  // the cable of host 3, half way through the broadcast's 40 flits
  bench.broadcast(2'000'000, 40);
  bench.send(4'000'000, 0, 2, 4);
  bench.run();
  const auto& rows = bench.outages.account().intervals();
  CHECK(rows[1].lost.packets == 1);
  CHECK(rows[1].pairs_cut == 1);
  CHECK(rows[1].pairs_served == 0);
  REQUIRE(bench.outages.account().first_losses().size() == 1);
  CHECK(bench.outages.account().first_losses()[0].destination == 3);
}
