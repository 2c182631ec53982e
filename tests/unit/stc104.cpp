/// STC104s programmed by their registers, and a header's walk through a network of them.
#include <catch2/catch.hpp>

#include "models/nic/stc104/control_network.hpp"
#include "topologies/clos.hpp"
#include "topologies/routing/clos_grouped.hpp"

using namespace sanvp;
using namespace sanvp::nic::stc104;
using namespace sanvp::topologies;

namespace {

/// Loads the tables of topologies/routing, the same for each link.
void load(ControlNetwork& network, const IntervalLabelling& labelling) {
  for (std::uint32_t device = 0; device < network.devices(); ++device) {
    const auto& intervals = labelling.tables[device].intervals();
    for (std::uint32_t link = 0; link < STC104_LINKS; ++link) {
      std::uint32_t n = 0;
      for (const Interval& interval : intervals)
        REQUIRE(network
                    .poke(STC104_ADDRESS(device, STC104_LINK(link) + STC104_INTERVAL(n++)),
                          STC104_ENTRY(interval.high, interval.port))
                    .good);
    }
    for (const Interval& interval : intervals)
      for (int i = 1; i < interval.ports; ++i)
        network.poke(STC104_ADDRESS(device, STC104_LINK(static_cast<std::uint32_t>(interval.port + i)) + STC104_MODE),
                     STC104_MODE_GROUPED);
  }
}

}  // namespace

TEST_CASE("a header goes to the link of the interval that holds it, and to its group") {
  Stc104 device;
  const std::uint32_t link = STC104_LINK(5U);
  CHECK(device.read(STC104_IDENTITY) == STC104_IS_ONE);
  CHECK(device.write(link + STC104_INTERVAL(0U), STC104_ENTRY(100, 3)));
  CHECK(device.write(link + STC104_INTERVAL(1U), STC104_ENTRY(200, 8)));
  CHECK(device.write(STC104_LINK(9U) + STC104_MODE, STC104_MODE_GROUPED | STC104_MODE_DELETE));
  CHECK(device.write(STC104_LINK(8U) + STC104_MODE, STC104_MODE_DELETE));
  REQUIRE(device.find(5, 99));
  CHECK(device.find(5, 99)->link == 3);
  CHECK(device.find(5, 99)->links == 1);
  CHECK_FALSE(device.find(5, 99)->deletes);
  CHECK(device.find(5, 100)->link == 8);
  CHECK(device.find(5, 100)->links == 2);
  CHECK(device.find(5, 100)->deletes);
  CHECK_FALSE(device.find(5, 200));  // behind the last interval
  CHECK_FALSE(device.find(4, 50));   // each link has a table of its own
}

TEST_CASE("an address without a register cannot be read or written") {
  Stc104 device;
  CHECK_FALSE(device.read(STC104_LINK(0U) + STC104_OWN + 4));
  CHECK_FALSE(device.write(STC104_LINK(STC104_LINKS), 1));
  CHECK_FALSE(device.write(STC104_IDENTITY, 1));
  CHECK(device.write(STC104_LINK(31U) + STC104_INTERVAL(STC104_INTERVALS - 1), 7));
  CHECK(device.read(STC104_LINK(31U) + STC104_INTERVAL(STC104_INTERVALS - 1)) == 7U);
  CHECK_FALSE(device.read(STC104_LINK(31U) + STC104_INTERVAL(STC104_INTERVALS)));
}

TEST_CASE("reading a switch's register takes a message each way and the devices before it, writing one message") {
  const Graph graph = clos(64);
  ControlNetwork network({.access = 940ns, .hop = 1us}, graph, graph, 2);
  CHECK(network.devices() == 6);
  CHECK(network.peek(STC104_ADDRESS(0, STC104_IDENTITY)).takes == 2 * (940ns + 1us));
  CHECK(network.peek(STC104_ADDRESS(5, STC104_IDENTITY)).takes == 2 * (940ns + 6us));
  CHECK(network.poke(STC104_ADDRESS(5, STC104_LINK(0U) + STC104_MODE), 0).takes == 940ns);
  CHECK_FALSE(network.peek(STC104_ADDRESS(6, STC104_IDENTITY)).good);
}

TEST_CASE("with the tables of topologies a header walks the routes of topologies, and without tables nowhere") {
  const Graph graph = clos(64);
  const ClosRoutingOptions options;
  const auto routing = clos_grouped(graph, options);
  ControlNetwork network({}, graph, graph, 2);
  Random random(1, "test");
  Route walked;
  CHECK_FALSE(network.walk(0, 63, 63, random, walked));
  load(network, clos_intervals(graph, options));
  Route meant;
  for (int source = 0; source < 64; ++source)
    for (int destination = 0; destination < 64; ++destination) {
      if (source == destination) continue;
      REQUIRE(network.walk(source, destination, static_cast<std::uint32_t>(destination), random, walked));
      routing->route(source, destination, 0, meant);
      REQUIRE(walked == meant);
    }
  CHECK_FALSE(network.walk(0, 63, 62, random, walked));  // it comes out at another host
}
