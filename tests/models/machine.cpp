/// From machine files to wiring.
#include "platform/machine/machine.hpp"

#include <catch2/catch.hpp>

#include "platform/core/error.hpp"

using namespace sanvp;

TEST_CASE("channels of a machine are those of its graph, each composed from its cable and the switch it ends in") {
  const Machine machine({.name = "qsnet-64"});
  const auto& wiring = machine.wiring();
  REQUIRE(static_cast<int>(wiring.channels.size()) == machine.graph().channel_count());
  for (int c = 0; c < machine.graph().channel_count(); ++c) {
    const auto& rules = wiring.channels[c].rules;
    CHECK(wiring.channels[c].reverse == (c ^ 1));
    CHECK(rules.flit_time == 5ns);
    // Flit 5, wire 10, and 35 through an Elite; the acknowledgement's token takes a flit time too.
    const Time delay = machine.graph().channel_target(c).is_switch() ? 50ns : 15ns;
    CHECK(rules.delay == delay);
    CHECK(rules.control_hop == delay);
    CHECK(rules.tail_lead == 0ns);  // an EOP is a flit like others
    CHECK(rules.virtual_channels == 2);
    CHECK(std::get<net::Credits>(rules.flow).buffer == 128);
  }
  CHECK(machine.link_rate() == 400e6);
  CHECK(machine.unhindered(0, 188) == 940ns);
}

TEST_CASE("an STC104's output buffers are repeaters behind its crossbar") {
  const Machine machine({.name = "macrame-clos-64"});
  const auto& graph = machine.graph();
  const auto& wiring = machine.wiring();
  // 6 switches with all 32 ports cabled; a crossbar channel for each port.
  REQUIRE(wiring.switches.size() == 6 + 6 * 32);
  REQUIRE(static_cast<int>(wiring.channels.size()) == graph.channel_count() + 6 * 32);
  for (std::size_t s = 0; s < wiring.switches.size(); ++s) CHECK(wiring.switches[s].repeater == (s >= 6));
  for (int c = 0; c < graph.channel_count(); ++c) {
    const auto& channel = wiring.channels[c];
    CHECK(channel.rules.tail_time == 40ns);
    CHECK(channel.rules.delay == 105ns);
    CHECK(channel.rules.tail_lead == 60ns);  // an EOP of 4 bits is there after 40 and the cable's 5
    if (graph.channel_source(c).is_host()) continue;
    // The link starts at the repeater, which the port named in the routes feeds.
    const auto& repeater = wiring.switches[channel.from.unit];
    REQUIRE(repeater.repeater);
    const auto& feed = wiring.channels[repeater.in[0]];
    CHECK(feed.from.unit == graph.channel_source(c).index);
    CHECK(feed.from.port == graph.channel_source(c).port);
    CHECK(feed.rules.flit_time == 30ns);
    CHECK(feed.reverse == -1);
  }
  CHECK(wiring.channels[0].name == "host 0->leaf 0.0");
}

TEST_CASE("packet formats count headers, end tokens and pieces of messages") {
  const auto qsnet = Machine({.name = "qsnet-16"}).format();
  CHECK(qsnet.flits(320) == 188);
  CHECK(qsnet.wire_flits(376) == 188);
  CHECK(qsnet.wire_flits(375) == 188);
  CHECK(qsnet.packets(1000) == 4);
  CHECK(qsnet.payload(1000, 3) == 40);
  CHECK(qsnet.packets(0) == 1);
  const auto macrame = Machine({.name = "macrame-clos-64"}).format();
  CHECK(macrame.flits(64) == 67);  // 2 of header, and EOP
  CHECK(macrame.packets(1 << 20) == 1);
}

TEST_CASE("a class of cables inherits the values that it does not give") {
  const Machine machine({.name = "qsnet-16", .settings = {"link.host.delay=1ns", "link.rate=200MB/s"}});
  const auto& wiring = machine.wiring();
  const int host = machine.graph().channel_from(topologies::End::host(0));
  const int cable = machine.graph().channel_count() - 1;
  CHECK(wiring.channels[host].rules.wire == 1ns);
  CHECK(wiring.channels[cable].rules.wire == 10ns);
  CHECK(wiring.channels[host].rules.flit_time == 10ns);
  CHECK(wiring.channels[cable].rules.flit_time == 10ns);
}

TEST_CASE("a STOP takes each link's own delay to the sender, unless the machine gives another time") {
  const auto signal_delays = [](std::vector<std::string> settings) {
    const Machine machine({.name = "myrinet-8", .settings = std::move(settings)});
    const auto delay = [&](int channel) {
      return std::get<net::StopGo>(machine.wiring().channels[channel].rules.flow).signal_delay;
    };
    return std::pair{delay(machine.graph().channel_from(topologies::End::host(0))),
                     delay(machine.graph().channel_count() - 1)};
  };
  CHECK(signal_delays({}) == std::pair{Time{50ns}, Time{50ns}});
  CHECK(signal_delays({"link.delay=20ns"}) == std::pair{Time{20ns}, Time{20ns}});
  CHECK(signal_delays({"link.delay=20ns", "switch.signal_delay=link.delay"}) == std::pair{Time{20ns}, Time{20ns}});
  CHECK(signal_delays({"link.delay=20ns", "switch.signal_delay=50ns"}) == std::pair{Time{50ns}, Time{50ns}});
  CHECK(signal_delays({"topology.type=dragonfly", "topology.hosts_per_switch=2", "routing.type=ud",
                       "link.host.delay=5ns"}) == std::pair{Time{5ns}, Time{50ns}});
  CHECK_THROWS_WITH(signal_delays({"switch.signal_delay=soon"}), Catch::Contains("switch.signal_delay"));
}

TEST_CASE("failed parts take no packets, and no route crosses them") {
  const Machine whole({.name = "myrinet-8"});
  const auto passes = [](const Machine& machine, int source, int alternative, int channel) {
    topologies::Route route;
    machine.routing().route(source, 31, alternative, route);
    topologies::End at = machine.graph().peer(topologies::End::host(source));
    for (const topologies::Step& step : route.steps) {
      const auto out = topologies::End::switch_(at.index, step.port);
      if (machine.graph().channel_from(out) == channel) return true;
      if (!step.in_transit) at = machine.graph().peer(out);
    }
    return false;
  };
  // Fail the first cable between switches that UD_ITB uses and UD does not.
  for (int source_switch = 0; source_switch < whole.graph().switch_count(); ++source_switch) {
    const int source = 4 * source_switch;
    if (source == 28) continue;
    topologies::Route ud, itb;
    whole.routing().route(source, 31, 0, ud);
    whole.routing().route(source, 31, 2, itb);
    if (ud.steps[0] == itb.steps[0] || itb.steps[0].in_transit) continue;
    const int channel = whole.graph().channel_from(topologies::End::switch_(source_switch, itb.steps[0].port));
    const Machine broken({.name = "myrinet-8", .settings = {"topology.failed_links=" + std::to_string(channel / 2)}});
    CHECK(broken.wiring().channels[channel].failed);
    CHECK(broken.wiring().channels[channel ^ 1].failed);
    REQUIRE(passes(whole, source, 2, channel));
    for (const int alternative : {0, 1, 2}) CHECK_FALSE(passes(broken, source, alternative, channel));
    return;
  }
  FAIL("in this network UD and UD_ITB leave every switch by the same port");
}

TEST_CASE("a universal routing draws among all its alternatives") {
  const Machine machine({.name = "macrame-clos-64", .settings = {"routing.up=universal"}});
  CHECK(machine.routing().random_alternative());
  const auto selection = machine.make_route_selection();
  Random random(1, "test");
  std::vector<int> drawn(machine.routing().alternatives(0, 63));
  for (int i = 0; i < 100; ++i) ++drawn[selection->select(machine.routing(), 0, 63, 64, random)];
  for (const int times : drawn) CHECK(times > 0);
}
