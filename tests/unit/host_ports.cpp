/// Hosts with several ports: planes and rails, and the routings on them.

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "platform/core/parameters.hpp"
#include "topologies/connected.hpp"
#include "topologies/host_ports.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/check.hpp"
#include "topologies/routing/port_routing.hpp"

using namespace sanvp;
using namespace sanvp::topologies;

namespace {

Graph build(const std::string& part, const std::string& sizes) {
  ParameterSet set = ParameterSet::from_text("[topology]\n" + sizes, "test");
  return Registry<TopologyPart>::get(part, "test").build(Parameters(set, "topology"), 1);
}

/// A routing for each port of a whole network, all of one part.
struct Ports {
  Ports(const Graph& graph, const std::string& part) {
    for (int port = 0; port < graph.host_ports; ++port) {
      graphs.push_back(std::make_shared<const Graph>(network_of_port(graph, port)));
      ParameterSet set;
      of_port.emplace_back(
          Registry<RoutingPart>::get(part, "test").build(*graphs.back(), Parameters(set, "routing"), 1));
    }
    routing = port_routing(graph, of_port);
  }
  std::vector<std::shared_ptr<const Graph>> graphs;
  std::vector<std::shared_ptr<const Routing>> of_port;
  std::unique_ptr<Routing> routing;
};

}  // namespace

TEST_CASE("planes have the switches and cables of as many networks, and the hosts of one") {
  const Graph one = build("fat_tree", "");
  const Graph all = build("multi_plane", "planes = 3");
  CHECK(all.host_count() == one.host_count());
  CHECK(all.switch_count() == 3 * one.switch_count());
  CHECK(all.link_count() == 3 * one.link_count());
  CHECK(all.host_ports == 3);
  CHECK(joins_all_hosts(all));
  for (int host = 0; host < all.host_count(); ++host)
    for (int port = 0; port < 3; ++port) {
      const End seat = one.peer(End::host(host));
      CHECK(all.peer(End::host(host, port)) == End::switch_(port * one.switch_count() + seat.index, seat.port));
    }
  for (const Link& link : all.links())
    if (link.a.is_switch() && link.b.is_switch())
      CHECK(link.a.index / one.switch_count() == link.b.index / one.switch_count());
}

TEST_CASE("each plane has the routes of its topology, and a pair has those of all") {
  for (const char* routing : {"fat_tree_adaptive", "ud", "minimal_hops"}) {
    INFO(routing);
    const Graph one = build("fat_tree", "");
    ParameterSet set;
    const auto alone = Registry<RoutingPart>::get(routing, "test").build(one, Parameters(set, "routing"), 1);
    const int vcs = alone->virtual_channels();
    const CheckReport expected = check(one, *alone, {.virtual_channels = vcs});
    const Graph all = build("multi_plane", "planes = 3");
    const Ports ports(all, routing);
    const CheckReport report = check(all, *ports.routing, {.virtual_channels = vcs});
    CHECK(report.verdict() == "deadlock-free");
    CHECK(report.pairs_unserved == 0);
    CHECK(report.most_alternatives == 3 * expected.most_alternatives);
    CHECK(report.dependencies == 3 * expected.dependencies);
    CHECK(report.lengths().mean() == Approx(expected.lengths().mean()));
  }
}

TEST_CASE("a pair keeps the planes that a cut cable is not in") {
  const Graph all = build("multi_plane", "planes = 2");
  const int cable = all.host_count();  // in plane 0, between switches or of a host
  const Graph working = working_part(all, {.links = {all.hosts()[5].link_at[1]}});
  CHECK(failures_of_port(all, 0, {.links = {cable}}).links == std::vector{cable});
  CHECK(failures_of_port(all, 1, {.links = {cable}}).links.empty());
  CHECK(failures_of_port(all, 1, {.links = {cable + all.by_port->link_count()}}).links == std::vector{cable});
  CHECK(network_of_port(working, 0).whole());
  CHECK(!network_of_port(working, 1).whole());
  const Ports ports(working, "ud");
  CHECK(ports.routing->alternatives(0, 5) == ports.of_port[0]->alternatives(0, 5));
  CHECK(ports.routing->by_port(0, 5, 1).count == 0);
  CHECK(ports.routing->alternatives(0, 4) == 2 * ports.of_port[0]->alternatives(0, 4));
  Route route;
  ports.routing->route(0, 4, ports.routing->alternatives(0, 4) - 1, route);
  CHECK(route.source_port == 1);
}

TEST_CASE("nodes of a rail tree have a port on each rail, and packets arrive on the rail on which they left") {
  const Graph cards = build("rail_tree", "");
  const Graph nodes = build("rail_tree", "hosts = nodes");
  CHECK(nodes.host_count() == cards.host_count() / 4);
  CHECK(nodes.switch_count() == cards.switch_count());
  CHECK(nodes.link_count() == cards.link_count());
  const Ports ports(nodes, "ud");
  const CheckReport report = check(nodes, *ports.routing, {.virtual_channels = 1});
  CHECK(report.verdict() == "deadlock-free");
  CHECK(report.pairs_unserved == 0);
  CHECK(report.lengths().diameter() == 4);  // host, leaf, spine, leaf, host
  Route route;
  for (int alternative = 0; alternative < ports.routing->alternatives(0, 1); ++alternative) {
    ports.routing->route(0, 1, alternative, route);
    CHECK(route.steps.size() == 1);  // the pod's leaf of the rail
    const End end = end_of(nodes, 0, route);
    CHECK(end == End::host(1, route.source_port));
  }
}
