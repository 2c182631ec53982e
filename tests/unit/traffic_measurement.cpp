#include <catch2/catch.hpp>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/traffic/measurement.hpp"
#include "platform/traffic/saturation.hpp"
#include "platform/traffic/summary.hpp"
#include "platform/traffic/tables.hpp"
#include "tests/unit/network_support.hpp"

using namespace sanvp;
using namespace sanvp::traffic;

namespace {

/// One switch with `nodes` hosts; flits of 1 byte and 10 ns, so 100 MB/s; delays 15 ns to the NIC, 35 ns to the switch,
/// routing 30 ns (TIMING.md, "Check by hand").
struct OneSwitch {
  topologies::Graph graph;
  test::ListedRouting routing;
  net::Wiring wiring;
  NetworkUnderTest under_test{.graph = graph, .routing = routing, .wiring = wiring};

  explicit OneSwitch(int nodes) {
    using net::Terminal;
    net::ChannelRules to_switch;
    to_switch.flit_time = to_switch.tail_time = 10ns;
    to_switch.delay = 35ns;
    to_switch.flow = net::Credits{.buffer = 64};
    net::ChannelRules to_nic = to_switch;
    to_nic.delay = 15ns;
    wiring.add_switch("switch", nodes, {.routing = 30ns});
    graph.add_switch("switch", nodes);
    for (int n = 0; n < nodes; ++n) {
      wiring.add_nic("host" + std::to_string(n), {});
      wiring.connect({Terminal::Kind::nic, n, 0}, {Terminal::Kind::switch_, 0, n}, to_switch, to_nic);
      graph.connect(topologies::End::host(graph.add_host("host" + std::to_string(n))), topologies::End::switch_(0, n));
    }
    for (int a = 0; a < nodes; ++a)
      for (int b = 0; b < nodes; ++b)
        if (a != b) routing.add(a, b, {test::to(b)});
    under_test.address = [this](net::Packet& packet, int source, int destination, int alternative) {
      packet.source = source;
      packet.destination = destination;
      routing.route(source, destination, alternative, packet.route);
    };
  }
  OneSwitch(const OneSwitch&) = delete;

  std::unique_ptr<Pattern> pattern(const std::string& name, const std::vector<std::string>& settings = {}) {
    for (const auto& setting : settings) set.set("pattern." + setting);
    const Parameters parameters{set, "pattern"};
    return Registry<PatternPart>::get(name, "test").build({graph, parameters});
  }
  ParameterSet set;
};

Workload workload(const std::string& sizes, double fraction, Arrivals arrivals = Arrivals::exponential) {
  return {.sizes = MessageSizes::parse(sizes, "test"), .arrivals = arrivals, .load = {.fraction = fraction}};
}

/// Header: 35 + 30 + 15 ns; the other flits follow, 10 ns each.
Time alone(int flits) { return 80ns + (flits - 1) * 10ns; }

Summary summary(const Measurement& run, Ending ending, const Load& load) { return summarize(run, &load, ending, 0); }

}  // namespace

TEST_CASE("at almost no load the latency is that of a packet alone") {
  OneSwitch net(4);
  const auto pattern = net.pattern("pairs", {"distance=1"});
  const Workload work = workload("100", 0.001, Arrivals::constant);
  Measurement run(net.under_test, *pattern, work, {.packets = 200, .warm_up = Time{0}});
  REQUIRE(run.run() == Ending::done);
  CHECK(run.meter().latency_ps().least() == alone(100).count());
  CHECK(run.meter().latency_ps().most() == alone(100).count());
  CHECK(run.meter().blocked_ps().most() == 0);
}

TEST_CASE("NIC latencies at both ends count in the latency from generation and take no bandwidth") {
  OneSwitch net(4);
  net.under_test.format = {.send_latency = 300ns, .receive_latency = 200ns};
  const auto pattern = net.pattern("pairs", {"distance=1"});
  const Workload work = workload("100", 0.001, Arrivals::constant);
  Measurement run(net.under_test, *pattern, work, {.packets = 100, .warm_up = Time{0}});
  REQUIRE(run.run() == Ending::done);
  CHECK(run.meter().latency_ps().most() == (alone(100) + 500ns).count());
  CHECK(run.meter().network_latency_ps().most() == alone(100).count());
}

TEST_CASE("at half load all that is offered is accepted, in payload and on the wire") {
  OneSwitch net(4);
  net.under_test.format = {.overhead_bytes = 10, .most_payload = 90};
  const auto pattern = net.pattern("pairs", {"distance=1"});
  const Workload work = workload("90", 0.5, Arrivals::constant);
  Measurement run(net.under_test, *pattern, work, {.packets = 4000});
  const Summary all = summary(run, run.run(), work.load);
  CHECK(all.senders == 4);
  CHECK(all.offered_wire_MBps == Approx(4 * 50).epsilon(0.002));  // half of 100 MB/s
  CHECK(all.offered_per_node_MBps() == Approx(45).epsilon(0.002));
  CHECK(all.accepted_per_node_MBps() == Approx(45).epsilon(0.002));
  CHECK(all.verdict() == "not saturated");
  CHECK(all.packets == 4000);
  CHECK(all.undelivered == 0);
}

TEST_CASE("a message in several packets is one latency, and each packet is one of the network's") {
  OneSwitch net(2);
  net.under_test.format = {.most_payload = 50};
  const auto pattern = net.pattern("pairs", {"list=0-1"});
  const Workload work = workload("120", 0.01, Arrivals::constant);
  Measurement run(net.under_test, *pattern, work, {.packets = 30, .warm_up = Time{0}});
  REQUIRE(run.run() == Ending::done);
  CHECK(run.meter().messages_measured() == 10);
  CHECK(run.meter().packets_delivered() == 30);
  // 50 + 50 + 20 flits follow each other on the injection channel. The first header leaves the switch at 35 + 30 ns. A
  // later one is at the front when the tail before it is through, and is routed then: 30 ns behind, each time.
  const Time third_starts = 35ns + 30ns + 2 * (500ns + 30ns);
  CHECK(run.meter().latency_ps().most() == (third_starts + 19 * 10ns + 15ns).count());
  CHECK(run.meter().network_latency_ps().least() == (third_starts + 19 * 10ns + 15ns - 1000ns).count());
}

TEST_CASE("two senders to one node get half of its link each, and the run says that it is saturated") {
  OneSwitch net(3);
  const auto pattern = net.pattern("hot-spot", {"target=2"});
  const Workload work = workload("100", 1, Arrivals::constant);
  Measurement run(net.under_test, *pattern, work, {.packets = 2000});
  const Summary all = summary(run, run.run(), work.load);
  CHECK(all.is_saturated());
  CHECK(all.offered_MBps == Approx(200).epsilon(0.01));
  // At best 100 MB/s; between two worms the output idles for the time that granting takes.
  CHECK(all.accepted_MBps > 95);
  CHECK(all.accepted_MBps <= 100.5);
  CHECK(all.accepted_per_receiver_MBps() == all.accepted_MBps);
  const auto& nodes = run.meter().nodes();
  CHECK(nodes[0].accepted_bytes == Approx(nodes[1].accepted_bytes).epsilon(0.01));
  CHECK(nodes[2].offered_bytes == 0);
  CHECK(run.blocking().by_channel()[0].effective_ps > 0);
}

TEST_CASE("a header's delay at a link begins with its injection, and no wait at its source counts") {
  OneSwitch net(2);
  const auto pattern = net.pattern("pairs", {"distance=1"});
  Measurement run(net.under_test, *pattern, workload("100", 1.5, Arrivals::constant),
                  {.packets = 100, .warm_up = Time{0}});
  run.run();
  const Blocking& link = run.blocking().by_channel()[0];
  REQUIRE(link.headers > 0);
  CHECK(link.delay_ps == link.headers * Time{35ns}.count());
}

TEST_CASE("a read brings the data back, counts it once and takes a request and an answer") {
  OneSwitch net(2);
  const auto pattern = net.pattern("hot-spot", {"target=1", "writes=0"});
  Workload work = workload("100", 0.01, Arrivals::constant);
  work.request_bytes = 16;
  Measurement run(net.under_test, *pattern, work, {.packets = 40, .warm_up = Time{0}});
  REQUIRE(run.run() == Ending::done);
  const Meter& meter = run.meter();
  CHECK(meter.messages_measured() == 20);
  CHECK(meter.packets_delivered() == 40);
  CHECK(meter.latency_ps().count() == 20);
  CHECK(meter.latency_ps().most() == (alone(16) + alone(100)).count());
  CHECK(meter.nodes()[0].offered_bytes == 2000);
  CHECK(meter.nodes()[0].received_bytes > 0);
  CHECK(meter.nodes()[1].received_bytes == 0);
}

TEST_CASE("a finite pattern ends by itself with every message delivered") {
  OneSwitch net(5);
  const auto pattern = net.pattern("all-to-all", {"messages=3"});
  const Workload work = workload("50", 0.5);
  Measurement run(net.under_test, *pattern, work, {.packets = 0});
  REQUIRE(run.run() == Ending::done);
  CHECK(run.meter().messages_measured() == 5 * 4 * 3);
  CHECK(run.has_drained());
  for (const auto& node : run.meter().nodes()) CHECK(node.received_bytes == 4 * 3 * 50);
}

TEST_CASE("a closed loop sends its next message when the one before has arrived") {
  OneSwitch net(2);
  const auto pattern = net.pattern("equal-dist", {"messages=10", "setup=1us", "alternate=no"});
  const Workload work = workload("100", 0.5);
  Measurement run(net.under_test, *pattern, work, {.packets = 0});
  REQUIRE(run.run() == Ending::done);
  CHECK(run.meter().messages_measured() == 20);
  // The last arrival; its tail's channel was released before.
  CHECK(run.now() == 10 * (1us + alone(100)));
}

TEST_CASE("two partners that send alternately take twice the time") {
  OneSwitch net(2);
  const auto pattern = net.pattern("equal-dist", {"messages=10", "setup=1us"});
  const Workload work = workload("100", 0.5);
  Measurement run(net.under_test, *pattern, work, {.packets = 0});
  REQUIRE(run.run() == Ending::done);
  CHECK(run.meter().messages_measured() == 20);
  CHECK(run.now() == 20 * (1us + alone(100)));
}

TEST_CASE("gossip grows until the number of packets is reached") {
  OneSwitch net(6);
  const auto pattern = net.pattern("gossip");
  const Workload work = workload("32", 0.2);
  Measurement run(net.under_test, *pattern, work, {.packets = 500});
  REQUIRE(run.run() == Ending::done);
  CHECK(run.meter().packets_generated() == 500);
  CHECK(run.meter().packets_delivered() == 500);
  for (const auto& node : run.meter().nodes()) CHECK(node.received_bytes > 0);
}

TEST_CASE("the same seed gives the same tables to the byte, and another seed others") {
  const auto tables = [](std::uint64_t seed) {
    OneSwitch net(4);
    net.under_test.seed = seed;
    const auto pattern = net.pattern("uniform");
    const Workload work = workload("exp:200", 0.4);
    Measurement run(net.under_test, *pattern, work, {.packets = 2000});
    const Summary all = summary(run, run.run(), work.load);
    return latency_table({all}).csv() + congestion_table(run).csv() + link_table(run).csv() + node_table(run).csv() +
           statistics(run).table().csv();
  };
  CHECK(tables(1) == tables(1));
  CHECK(tables(1) != tables(2));
}

TEST_CASE("both fidelities measure the same") {
  const auto latencies = [](net::Fidelity fidelity) {
    OneSwitch net(4);
    net.under_test.fidelity = fidelity;
    const auto pattern = net.pattern("uniform");
    const Workload work = workload("uniform:10:300", 0.6);
    Measurement run(net.under_test, *pattern, work, {.packets = 1000});
    return latency_table({summary(run, run.run(), work.load)}).csv();
  };
  CHECK(latencies(net::Fidelity::worm) == latencies(net::Fidelity::flit));
}

TEST_CASE("a run that meets --until keeps what it has measured") {
  OneSwitch net(4);
  const auto pattern = net.pattern("uniform");
  const Workload work = workload("100", 0.5);
  Measurement run(net.under_test, *pattern, work, {.packets = 1'000'000, .warm_up = 10us, .until = 100us});
  CHECK(run.run() == Ending::until_reached);
  CHECK(run.now() <= 100us);
  CHECK(run.meter().opened() <= 10us);
  CHECK(run.meter().packets_delivered() > 0);
}

namespace {

/// Four switches in a ring without virtual channels; every worm goes two hops clockwise, longer than the buffers.
struct Ring {
  topologies::Graph graph;
  test::ListedRouting routing;
  net::Wiring wiring;
  NetworkUnderTest under_test{.graph = graph, .routing = routing, .wiring = wiring};
  ParameterSet set;

  Ring() {
    using net::Terminal;
    for (int h = 0; h < 4; ++h) routing.add(h, (h + 2) % 4, {test::to(2), test::to(2), test::to(0)});
    net::ChannelRules rules;
    rules.flit_time = rules.tail_time = rules.delay = 10ns;
    rules.flow = net::Credits{.buffer = 4};
    for (int s = 0; s < 4; ++s) {
      const std::string number = std::to_string(s);
      graph.add_switch("switch" + number, 3);
      graph.add_host("host" + number);
      wiring.add_switch("switch" + number, 3, {});
      wiring.add_nic("host" + number, {});
      wiring.connect({Terminal::Kind::nic, s, 0}, {Terminal::Kind::switch_, s, 0}, rules, rules);
    }
    for (int s = 0; s < 4; ++s)
      wiring.connect({Terminal::Kind::switch_, s, 2}, {Terminal::Kind::switch_, (s + 1) % 4, 1}, rules, rules);
    under_test.address = [this](net::Packet& packet, int source, int destination, int alternative) {
      packet.source = source;
      packet.destination = destination;
      routing.route(source, destination, alternative, packet.route);
    };
  }
  Ring(const Ring&) = delete;

  /// @return the cycle, or nothing
  std::string run(const std::string& messages) {
    set.set("pattern.messages=" + messages);
    set.set("pattern.alternate=no");
    const Parameters parameters{set, "pattern"};
    const auto pattern = Registry<PatternPart>::get("equal-dist", "test").build({graph, parameters});
    Measurement run(under_test, *pattern, workload("100", 0.2), {.packets = 100'000});
    CHECK(run.run() == Ending::deadlock);
    return run.deadlock();
  }
};

}  // namespace

TEST_CASE("four worms that begin together in a ring deadlock, and the run ends with their cycle") {
  const std::string cycle = Ring().run("1");
  for (int packet = 0; packet < 4; ++packet)
    CHECK(cycle.find("packet " + std::to_string(packet) + " (") != std::string::npos);
  CHECK(cycle.find("switch0.2->switch1.1") != std::string::npos);
}

TEST_CASE("a ring that deadlocks while messages are still generated is stopped by the watchdog") {
  CHECK(Ring().run("0").find("waits for") != std::string::npos);
}

TEST_CASE("bisection finds the largest accepted load to the resolution") {
  // A network that accepts all below 0.37 and 0.37 above it.
  std::vector<double> expected;  // the loads that were said to be likely next
  const auto run_at = [&](const Load& load, const std::vector<Load>& likely_next) {
    const double now = load.fraction;
    CHECK((expected.empty() || std::ranges::find(expected, now) != expected.end()));
    expected.clear();
    for (const Load& next : likely_next) expected.push_back(next.fraction);
    Summary one;
    one.load_fraction = load.fraction;
    one.offered_MBps = load.fraction * 100;
    one.accepted_MBps = std::min(load.fraction, 0.37) * 100;
    return one;
  };
  const double threshold = 0.37 / least_accepted_share;
  const Saturation found = find_saturation(run_at, 1, 0.01);
  REQUIRE(found.highest);
  CHECK(found.highest->load_fraction <= threshold);
  CHECK(found.least_refused > threshold);
  CHECK(found.least_refused - found.highest->load_fraction <= 0.01);
  expected.clear();
  CHECK(find_saturation(run_at, 0.3, 0.01).probes.size() == 1);  // all is accepted
  const auto nothing = [](const Load&, const std::vector<Load>&) {
    Summary one;
    one.offered_MBps = 1;
    return one;
  };
  CHECK_FALSE(find_saturation(nothing, 1, 0.01).highest);
}

TEST_CASE("levels count from the hosts up") {
  net::Wiring wiring;
  using net::Terminal;
  net::ChannelRules rules;
  rules.delay = 1ns;
  for (int s = 0; s < 3; ++s) wiring.add_switch("switch" + std::to_string(s), 2, {});
  wiring.add_nic("h", {});
  wiring.connect({Terminal::Kind::nic, 0, 0}, {Terminal::Kind::switch_, 0, 0}, rules, rules);
  wiring.connect({Terminal::Kind::switch_, 0, 1}, {Terminal::Kind::switch_, 1, 0}, rules, rules);
  CHECK(switch_levels(wiring) == std::vector<int>{1, 2, 0});
}

TEST_CASE("a spy on a channel that does not exist names the nearest one") {
  OneSwitch net(2);
  CHECK_THROWS_WITH(Spy(net.wiring, "host0->switch.1", "--spy", Time{0}, never), Catch::Contains("host0->switch.0"));
}

TEST_CASE("a spy lists the packets of its channel, and a timing node's probes are not part of the load") {
  OneSwitch net(3);
  const auto pattern = net.pattern("pairs", {"list=0-1"});
  Measurement run(net.under_test, *pattern, workload("100", 0.01, Arrivals::constant),
                  {.packets = 50, .warm_up = Time{0}});
  Spy spy(net.wiring, "host2->switch.2", "--spy", Time{0}, never);
  run.spy(spy);
  run.time_probes({.interval = 100us, .source = 2, .destination = 0, .bytes = 64});
  REQUIRE(run.run() == Ending::done);
  const auto& probes = run.timing_node()->probes();
  REQUIRE(!probes.empty());
  CHECK(spy.sightings().size() >= probes.size());
  for (const auto& sighting : spy.sightings()) CHECK(sighting.source == 2);
  for (const auto& probe : probes) CHECK(probe.delivered - probe.generated == alone(64));
  CHECK(run.meter().nodes()[2].offered_bytes == 0);
  CHECK(run.meter().messages_measured() == 50);
}
