/// Connected components of hosts.
#include "topologies/connected.hpp"

#include <catch2/catch.hpp>

#include "topologies/failures.hpp"
#include "topologies/fat_tree.hpp"

using namespace sanvp::topologies;

namespace {

/// Two switches with two hosts each, and a cable between them: links 0 to 3 of the hosts, 4 of the switches.
Graph dumb_bell() {
  Graph graph;
  for (int i = 0; i < 2; ++i) graph.add_switch("s" + std::to_string(i), 3);
  for (int i = 0; i < 4; ++i) {
    graph.add_host("h" + std::to_string(i));
    graph.connect(End::host(i), End::switch_(i / 2, i % 2));
  }
  graph.connect(End::switch_(0, 2), End::switch_(1, 2));
  return graph;
}

}  // namespace

TEST_CASE("all hosts of a whole network are one part, named by the first") {
  CHECK(connected_parts(dumb_bell()) == std::vector<int>{0, 0, 0, 0});
  CHECK(connected_parts(fat_tree(4, 2)) == std::vector<int>(16, 0));
}

TEST_CASE("a host whose cable has failed is a part of its own") {
  CHECK(connected_parts(working_part(dumb_bell(), {.links = {1}})) == std::vector<int>{0, 1, 0, 0});
  CHECK(connected_parts(working_part(dumb_bell(), {.links = {0}})) == std::vector<int>{0, 1, 1, 1});
}

TEST_CASE("where the only cable between two switches has failed, the hosts of each are a part") {
  CHECK(connected_parts(working_part(dumb_bell(), {.links = {4}})) == std::vector<int>{0, 0, 2, 2});
}

TEST_CASE("each host of a failed switch is alone, and the others stay together") {
  CHECK(connected_parts(working_part(dumb_bell(), {.switches = {0}})) == std::vector<int>{0, 1, 2, 2});
}
