#include "topologies/mesh_of_clos.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "platform/core/error.hpp"
#include "tests/unit/tree_walk.hpp"
#include "topologies/routing/mesh_of_clos_xy.hpp"

using namespace sanvp;
using namespace sanvp::topologies;
using namespace sanvp::topologies::test;
using Catch::Matchers::Contains;

namespace {

struct MeshLoad {
  std::map<int, int> nodes_by_mesh_hops;
  int most_flows = 0;
  int channels_used = 0;
};

/// The flows that a pattern of partners puts on the channels of the mesh.
template <class Partner>
MeshLoad mesh_load(const Graph& graph, const Routing& routing, const Partner& partner) {
  const auto is_mesh = [&](int channel) {
    return graph.link_classes()[graph.links()[channel / 2].link_class] == "mesh";
  };
  MeshLoad load;
  Route route;
  for (int source = 0; source < graph.host_count(); ++source) {
    routing.route(source, partner(source), 0, route);
    const std::vector<int> channels = route_channels(graph, source, route);
    ++load.nodes_by_mesh_hops[static_cast<int>(std::count_if(channels.begin(), channels.end(), is_mesh))];
  }
  const std::vector<int> flows = flows_per_channel(graph, routing, partner);
  for (int channel = 0; channel < graph.channel_count(); ++channel) {
    if (!is_mesh(channel)) continue;
    load.most_flows = std::max(load.most_flows, flows[channel]);
    load.channels_used += flows[channel] > 0;
  }
  return load;
}

int equal_dist(int host) { return (host + 32) % 64; }
int unequal_dist(int host) { return 63 - host; }

}  // namespace

TEST_CASE("the paper's machines have the routers and cables of its figures") {
  struct Expected {
    int height, replaced, hosts, routers, cables, mesh, rows;
  };
  // 4x4 (3,2): 24 neighbours. 2x2 (3,1): 16 cables in each of 4 clusters, 4 neighbours in 4 layers. 2x2 (2,1).
  for (const Expected& expected :
       {Expected{3, 2, 64, 16, 0, 24, 4}, Expected{3, 1, 64, 32, 64, 16, 2}, Expected{2, 1, 16, 4, 0, 4, 2}}) {
    const Graph graph = mesh_of_clos(4, expected.height, expected.replaced);
    CHECK(graph.host_count() == expected.hosts);
    CHECK(graph.switch_count() == expected.routers);
    CHECK(links_of_class(graph, "host") == expected.hosts);
    CHECK(links_of_class(graph, "cable") == expected.cables);
    CHECK(links_of_class(graph, "mesh") == expected.mesh);
    CHECK(mesh_of_clos_sizes(graph).rows == expected.rows);
    CHECK(mesh_of_clos_sizes(graph).columns == expected.rows);
    for (const auto& router : graph.switches()) CHECK(router.link_at.size() == 8);
  }
}

TEST_CASE("a Mesh of Clos of any k, h, r and mesh has its closed-form size") {
  struct Machine {
    int arity, height, replaced, rows, columns;
  };
  for (const Machine& m : {Machine{2, 4, 2, 2, 2}, Machine{3, 4, 1, 1, 3}, Machine{8, 2, 1, 2, 4},
                           Machine{4, 4, 1, 2, 2}, Machine{4, 3, 2, 3, 5}, Machine{2, 3, 1, 1, 1}}) {
    const Graph graph = mesh_of_clos(m.arity, m.height, m.replaced, m.rows, m.columns);
    const int levels = m.height - m.replaced;
    int layers = 1;
    for (int i = 1; i < levels; ++i) layers *= m.arity;
    const int clusters = m.rows * m.columns;
    CHECK(graph.host_count() == clusters * layers * m.arity);
    CHECK(graph.switch_count() == clusters * levels * layers);
    CHECK(links_of_class(graph, "cable") == clusters * (levels - 1) * layers * m.arity);
    CHECK(links_of_class(graph, "mesh") == layers * (m.rows * (m.columns - 1) + m.columns * (m.rows - 1)));
    for (const UpChoice layer : {UpChoice::fixed, UpChoice::adaptive})
      CHECK(misrouted_pairs(graph, *mesh_of_clos_xy(graph, layer)) == 0);
  }
}

TEST_CASE("without a given mesh there are k^r clusters, as square as they can be") {
  const auto mesh = [](int arity, int replaced) {
    const MeshOfClosSizes sizes = mesh_of_clos_sizes(mesh_of_clos(arity, replaced + 1, replaced));
    return std::pair{sizes.rows, sizes.columns};
  };
  CHECK(mesh(4, 3) == std::pair{8, 8});
  CHECK(mesh(2, 1) == std::pair{1, 2});
  CHECK(mesh(2, 3) == std::pair{2, 4});
  CHECK(mesh(6, 1) == std::pair{2, 3});
}

TEST_CASE("the i-th mesh routers of all clusters are a mesh of their own, cabled by the compass") {
  const MeshOfClosSizes sizes = mesh_of_clos_sizes(mesh_of_clos(4, 3, 1, 3, 2));
  const Graph graph = mesh_of_clos(4, 3, 1, 3, 2);
  for (int cluster = 0; cluster < 6; ++cluster)
    for (int layer = 0; layer < 4; ++layer) {
      const auto neighbour = [&](Compass direction) {
        return graph.peer(End::switch_(sizes.mesh_router(cluster, layer), sizes.mesh_port(direction)));
      };
      const auto router = [&](int other, Compass port) {
        return End::switch_(sizes.mesh_router(other, layer), sizes.mesh_port(port));
      };
      CHECK(neighbour(Compass::north) == (cluster >= 2 ? router(cluster - 2, Compass::south) : End{}));
      CHECK(neighbour(Compass::south) == (cluster < 4 ? router(cluster + 2, Compass::north) : End{}));
      CHECK(neighbour(Compass::east) == (cluster % 2 == 0 ? router(cluster + 1, Compass::west) : End{}));
      CHECK(neighbour(Compass::west) == (cluster % 2 == 1 ? router(cluster - 1, Compass::east) : End{}));
    }
}

TEST_CASE("every route of the paper's machines ends at its destination whatever layer is taken") {
  for (const auto& [height, replaced] : {std::pair{3, 2}, std::pair{3, 1}, std::pair{2, 1}}) {
    const Graph graph = mesh_of_clos(4, height, replaced);
    for (const UpChoice layer : {UpChoice::fixed, UpChoice::adaptive})
      CHECK(misrouted_pairs(graph, *mesh_of_clos_xy(graph, layer)) == 0);
  }
}

TEST_CASE("a route of h-r levels takes 2(h-r) channels and one per mesh hop: 2 to 8 in the basic machine") {
  for (const auto& [height, replaced] : {std::pair{3, 2}, std::pair{3, 1}}) {
    const Graph graph = mesh_of_clos(4, height, replaced);
    const auto routing = mesh_of_clos_xy(graph, UpChoice::fixed);
    std::size_t longest = 0;
    Route route;
    for (int source = 0; source < 64; ++source)
      for (int destination = 0; destination < 64; ++destination) {
        if (source == destination) continue;
        routing->route(source, destination, 0, route);
        const auto& from = graph.hosts()[source].coordinates;
        const auto& to = graph.hosts()[destination].coordinates;
        const int mesh_hops = std::abs(from[0] - to[0]) + std::abs(from[1] - to[1]);
        const int levels = mesh_hops > 0 ? height - replaced : source / 4 == destination / 4 ? 1 : 2;
        CHECK(static_cast<int>(route.steps.size()) + 1 == 2 * levels + mesh_hops);
        longest = std::max(longest, route.steps.size() + 1);
      }
    CHECK(longest == (replaced == 2 ? 8 : 6));
  }
}

TEST_CASE("with one virtual channel no cycle of waiting can form in a Mesh of Clos, whatever layer is taken") {
  for (const Graph& graph : {mesh_of_clos(4, 3, 2), mesh_of_clos(4, 3, 1), mesh_of_clos(2, 4, 2, 3, 3)})
    for (const UpChoice layer : {UpChoice::fixed, UpChoice::adaptive})
      CHECK(WaitsFor(graph, *mesh_of_clos_xy(graph, layer), 1).acyclic());
}

TEST_CASE("a packet never turns from north or south to east or west") {
  const Graph graph = mesh_of_clos(4, 3, 2);
  const auto routing = mesh_of_clos_xy(graph, UpChoice::fixed);
  const MeshOfClosSizes sizes = mesh_of_clos_sizes(graph);
  Route route;
  routing->route(0, 63, 0, route);  // north-west corner to south-east corner
  REQUIRE(route.steps.size() == 7);
  for (int i = 0; i < 3; ++i) CHECK(route.steps[i].port == sizes.mesh_port(Compass::east));
  for (int i = 3; i < 6; ++i) CHECK(route.steps[i].port == sizes.mesh_port(Compass::south));
  routing->route(63, 0, 0, route);
  REQUIRE(route.steps.size() == 7);
  for (int i = 0; i < 3; ++i) CHECK(route.steps[i].port == sizes.mesh_port(Compass::west));
  for (int i = 3; i < 6; ++i) CHECK(route.steps[i].port == sizes.mesh_port(Compass::north));
}

TEST_CASE("equal-dist partners are two mesh hops apart and put at most 8 flows on each of 24 channels") {
  const Graph graph = mesh_of_clos(4, 3, 2);
  const MeshLoad load = mesh_load(graph, *mesh_of_clos_xy(graph, UpChoice::fixed), equal_dist);
  CHECK(load.nodes_by_mesh_hops == std::map<int, int>{{2, 64}});
  CHECK(load.most_flows == 8);
  CHECK(load.channels_used == 24);
}

TEST_CASE("unequal-dist has 16, 32 and 16 nodes at 2, 4 and 6 mesh hops, and at most 8 flows on each of 48 channels") {
  const Graph graph = mesh_of_clos(4, 3, 2);
  const MeshLoad load = mesh_load(graph, *mesh_of_clos_xy(graph, UpChoice::fixed), unequal_dist);
  CHECK(load.nodes_by_mesh_hops == std::map<int, int>{{2, 16}, {4, 32}, {6, 16}});
  CHECK(load.most_flows == 8);
  CHECK(load.channels_used == 48);
}

TEST_CASE("the layers of the fat machine halve the flows of the mesh channels that are most used") {
  // 16 nodes of a cluster share 4 layers: 4 flows on a channel, where the basic machine has 8.
  const Graph graph = mesh_of_clos(4, 3, 1);
  CHECK(mesh_load(graph, *mesh_of_clos_xy(graph, UpChoice::fixed), equal_dist).most_flows == 4);
  CHECK(mesh_load(graph, *mesh_of_clos_xy(graph, UpChoice::fixed), unequal_dist).most_flows == 4);
}

TEST_CASE("the fixed layer of source p is p mod the number of layers, also over several levels") {
  for (const auto& [height, layers] : {std::pair{3, 4}, std::pair{4, 16}}) {
    const Graph graph = mesh_of_clos(4, height, 1);
    const int levels = height - 1;
    const auto routing = mesh_of_clos_xy(graph, UpChoice::fixed);
    Route route;
    for (int source = 0; source < graph.host_count() / 4; ++source) {
      routing->route(source, graph.host_count() - 1, 0, route);
      const int channel = route_channels(graph, source, route)[levels - 1];
      const auto& router = graph.switches()[graph.channel_target(channel).index].coordinates;
      CHECK(router == std::vector{0, 0, levels - 1, source % layers});
    }
  }
}

TEST_CASE("an adaptive layer is the group of all up ports, and prefers the fixed one") {
  const Graph graph = mesh_of_clos(4, 4, 1);
  Route adaptive, fixed;
  mesh_of_clos_xy(graph, UpChoice::adaptive)->route(6, 255, 0, adaptive);
  mesh_of_clos_xy(graph, UpChoice::fixed)->route(6, 255, 0, fixed);
  REQUIRE(adaptive.steps.size() == fixed.steps.size());
  // 6 is 12 in base 4: up ports 2, then 1.
  CHECK(fixed.steps[0] == Step{4 + 2});
  CHECK(fixed.steps[1] == Step{4 + 1});
  CHECK(adaptive.steps[0] == Step{4, 4, 2});
  CHECK(adaptive.steps[1] == Step{4, 4, 1});
  for (std::size_t i = 2; i < fixed.steps.size(); ++i) CHECK(adaptive.steps[i] == fixed.steps[i]);
}

TEST_CASE("impossible Meshes of Clos are refused") {
  CHECK_THROWS_WITH(mesh_of_clos(4, 3, 3), Contains("3 of 3 stages"));
  CHECK_THROWS_WITH(mesh_of_clos(4, 3, 0), Contains("fat_tree"));
  CHECK_THROWS_AS(mesh_of_clos(4, 3, -1), UserError);
  CHECK_THROWS_AS(mesh_of_clos(4, 0, 0), UserError);
  CHECK_THROWS_AS(mesh_of_clos(1, 3, 2), UserError);
  CHECK_THROWS_WITH(mesh_of_clos(4, 3, 2, 4, 0), Contains("both rows and columns"));
  CHECK_THROWS_AS(mesh_of_clos(4, 3, 2, -2, -2), UserError);
  CHECK_THROWS_WITH(mesh_of_clos(4, 3, 2, 1 << 20, 1 << 20), Contains("too many"));
  CHECK_THROWS_WITH(mesh_of_clos(4, 3, 2, 1 << 10, (1 << 8) + 1), Contains("too many"));
  CHECK_THROWS_AS(mesh_of_clos(4, 30, 29), UserError);
  CHECK_THROWS_AS(mesh_of_clos(4, 30, 1), UserError);
}

TEST_CASE("the Mesh of Clos routing refuses other graphs") {
  Graph graph;
  CHECK_THROWS_WITH(mesh_of_clos_xy(graph, UpChoice::fixed), Contains("topology 'custom'"));
}
