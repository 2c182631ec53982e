/// The tree-like topologies and their routings as the machine files name them.
#include <catch2/catch.hpp>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "tests/unit/tree_walk.hpp"
#include "topologies/parts.hpp"

using namespace sanvp;
using namespace sanvp::topologies;
using namespace sanvp::topologies::test;
using Catch::Matchers::Contains;

namespace {

constexpr std::uint64_t any_seed = 1;

Graph build(const std::string& topology, const std::string& keys) {
  ParameterSet set = ParameterSet::from_text("[topology]\n" + keys, "machine.ini");
  Graph graph = Registry<TopologyPart>::get(topology, "test").build(Parameters(set, "topology"), any_seed);
  set.require_all_read();
  return graph;
}

/// @return misrouted pairs of the routing that the keys make
int misrouted_pairs_of(const Graph& graph, const std::string& routing, const std::string& keys) {
  ParameterSet set = ParameterSet::from_text("[routing]\n" + keys, "machine.ini");
  const auto built = Registry<RoutingPart>::get(routing, "test").build(graph, Parameters(set, "routing"), any_seed);
  set.require_all_read();
  return misrouted_pairs(graph, *built);
}

}  // namespace

TEST_CASE("the fat tree is built and routed from parameters, by default QsNET's 64 nodes") {
  CHECK(build("fat_tree", "").host_count() == 64);
  const Graph graph = build("fat_tree", "levels = 3\nnodes = 32\n");
  CHECK(graph.host_count() == 32);
  CHECK(build("fat_tree", "arity = 2\nlevels = 5\n").switch_count() == 5 * 16);
  CHECK(misrouted_pairs_of(graph, "fat_tree_adaptive", "") == 0);
  CHECK(misrouted_pairs_of(graph, "fat_tree_adaptive", "up = fixed\n") == 0);
}

TEST_CASE("the Clos is built and routed from parameters, also by its interval tables") {
  CHECK(build("clos", "nodes = 128\n").switch_count() == 8 + 4);
  const Graph graph = build("clos", "");
  CHECK(graph.host_count() == 64);
  for (const char* up : {"adaptive", "fixed", "universal"})
    CHECK(misrouted_pairs_of(graph, "clos_grouped", std::string("up = ") + up + "\nheader_bytes = 1\n") == 0);
  CHECK(misrouted_pairs_of(graph, "interval", "up = fixed\ndelete_header = true\n") == 0);
}

TEST_CASE("the Mesh of Clos is built and routed from parameters, by default the basic machine") {
  CHECK(build("mesh_of_clos", "").switch_count() == 16);
  const Graph graph = build("mesh_of_clos", "height = 3\nreplaced = 1\n");
  CHECK(graph.switch_count() == 32);
  CHECK(build("mesh_of_clos", "height = 2\nreplaced = 1\nrows = 3\ncolumns = 1\n").host_count() == 12);
  for (const char* layer : {"fixed", "adaptive"})
    CHECK(misrouted_pairs_of(graph, "mesh_of_clos_xy", std::string("layer = ") + layer + "\n") == 0);
}

TEST_CASE("impossible sizes of trees are refused at their line of the machine file") {
  CHECK_THROWS_WITH(build("fat_tree", "nodes = 40\n"), Contains("machine.ini:2") && Contains("multiple of 16"));
  CHECK_THROWS_WITH(build("fat_tree", "arity = 1\n"), Contains("machine.ini:2"));
  CHECK_THROWS_WITH(build("fat_tree", "levels = 0\n"), Contains("machine.ini:2"));
  CHECK_THROWS_WITH(build("fat_tree", "levels = 11\n"), Contains("machine.ini:2") && Contains("too large"));
  CHECK_THROWS_WITH(build("clos", "radix = 32\nnodes = 65\n"), Contains("machine.ini:3") && Contains("32, 64, 128"));
  CHECK_THROWS_WITH(build("mesh_of_clos", "height = 2\n"), Contains("machine.ini:2") && Contains("2 of 2 stages"));
}

TEST_CASE("a routing is refused for a topology of another family") {
  CHECK_THROWS_AS(misrouted_pairs_of(build("clos", ""), "fat_tree_adaptive", ""), UserError);
  CHECK_THROWS_AS(misrouted_pairs_of(build("fat_tree", ""), "mesh_of_clos_xy", ""), UserError);
  CHECK_THROWS_AS(misrouted_pairs_of(build("fat_tree", ""), "clos_grouped", ""), UserError);
  CHECK_THROWS_WITH(misrouted_pairs_of(build("fat_tree", ""), "interval", ""),
                    Contains("fat_tree") && Contains("clos"));
}
