#include "topologies/export.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/unit/network_support.hpp"
#include "topologies/routing/in_transit.hpp"

using namespace sanvp::test;
using Catch::Matchers::Contains;

TEST_CASE("a network is exported to Graphviz with quoted names") {
  Graph graph = row(2, false);
  graph.add_switch("a \"odd\" \\ name", 1);
  const std::string dot = to_dot(graph);
  CHECK_THAT(dot, Catch::StartsWith("graph \"custom\" {\n"));
  CHECK_THAT(dot, Contains("s0 [label=\"s0\"]") && Contains("h1 [shape=point, xlabel=\"h1\"]"));
  CHECK_THAT(dot, Contains("label=\"a \\\"odd\\\" \\\\ name\""));
  CHECK_THAT(dot, Contains("h0 -- s0 [class=\"link\"") && Contains("s0 -- s1 [class=\"link\""));
}

TEST_CASE("a network is exported as JSON") {
  Graph graph = row(2, false);
  graph.shape = {2};
  const auto json = to_json(graph);
  CHECK(json["family"] == "custom");
  CHECK(json["shape"] == std::vector<int>{2});
  CHECK(json["hosts"].size() == 2);
  CHECK(json["switches"][1]["ports"] == 3);
  REQUIRE(json["links"].size() == 3);
  CHECK(json["links"][2].dump() == R"({"a":{"switch":0,"port":2},"b":{"switch":1,"port":1},"class":"link"})");
}

TEST_CASE("a report is exported as JSON with the verdict and each alternative") {
  const Graph ring = row(5, true);
  const auto json = to_json(check(ring, *myrinet(ring)));
  CHECK(json["verdict"] == "deadlock-free");
  CHECK(json["hosts"] == 5);
  CHECK(json["pairs"] == 20);
  CHECK(json["pairs_unserved"] == 0);
  CHECK(json["diameter"] == 5);  // UD, the alternative that is taken: three links between switches and two to hosts
  CHECK(json["cycle"].empty());
  REQUIRE(json["by_alternative"].size() == 3);
  CHECK(json["by_alternative"][2]["mean_in_transit_hosts"] == 0.1);  // 2 of 20
}
