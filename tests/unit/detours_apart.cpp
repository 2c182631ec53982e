/// After a cable has failed, only the pairs whose paths used it change.

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "platform/core/parameters.hpp"
#include "topologies/failures.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/check.hpp"

using namespace sanvp;
using namespace sanvp::topologies;

namespace {

Graph build(const std::string& topology, const std::string& sizes) {
  ParameterSet set = ParameterSet::from_text("[topology]\n" + sizes, "test");
  return Registry<TopologyPart>::get(topology, "test").build(Parameters(set, "topology"), 1);
}

std::unique_ptr<Routing> route(const Graph& graph, const std::string& routing, const RoutingContext& context) {
  ParameterSet set;
  return Registry<RoutingPart>::get(routing, "test").build(graph, Parameters(set, "routing"), context);
}

std::vector<int> ports(const Route& route) {
  std::vector<int> list;
  for (const Step& step : route.steps) list.push_back(step.port);
  return list;
}

struct Direct {
  const char* topology;
  const char* sizes;
  const char* routing;
  int needed;  ///< virtual channels of its paths
};
constexpr Direct direct[] = {{"dragonfly", "", "dragonfly", 2},
                             {"hyperx", "sizes = 3x3", "hyperx", 1},
                             {"torus", "sizes = 4x4\ncables = 1", "dimension_order", 2},
                             {"grid", "sizes = 4x4\ncables = 1", "dimension_order", 1}};

int first_cable(const Graph& graph) {
  int link = 0;
  while (graph.links()[link].a.is_host() || graph.links()[link].b.is_host()) ++link;
  return link;
}

}  // namespace

TEST_CASE(
    "with a virtual channel to spare only pairs that used the failed cable change, and nothing waits in a cycle") {
  for (const Direct& one : direct) {
    INFO(one.topology);
    const Graph graph = build(one.topology, one.sizes);
    const Failures failures{.links = {first_cable(graph)}};
    const Graph working = working_part(graph, failures);
    const auto before = route(graph, one.routing, {1, one.needed + 1});
    const auto after = route(working, one.routing, {1, one.needed + 1});
    CHECK(before->virtual_channels() == one.needed);
    CHECK(after->virtual_channels() == one.needed + 1);
    int changed = 0;
    Route a;
    Route b;
    for (int source = 0; source < graph.host_count(); ++source)
      for (int destination = 0; destination < graph.host_count(); ++destination) {
        if (source == destination) continue;
        before->route(source, destination, 0, a);
        after->route(source, destination, 0, b);
        const bool crossed = !end_of(working, source, a).is_host();
        CHECK((ports(a) != ports(b)) == crossed);
        for (std::size_t i = 0; i + 1 < b.steps.size(); ++i) CHECK((b.steps[i].vc == 0) == crossed);
        changed += crossed ? 1 : 0;
      }
    CHECK(changed > 0);
    CHECK(changed < graph.host_count() * (graph.host_count() - 1) / 4);
    const CheckReport report = check(graph, *after, {.virtual_channels = one.needed + 1, .failures = failures});
    CHECK(report.verdict() == "deadlock-free");
    CHECK(report.pairs_unserved == 0);
  }
}

TEST_CASE("without one, or on request, every pair takes up*/down*") {
  for (const Direct& one : direct) {
    INFO(one.topology);
    const Graph graph = build(one.topology, one.sizes);
    const Failures failures{.links = {first_cable(graph)}};
    const Graph working = working_part(graph, failures);
    for (const RoutingContext& context :
         {RoutingContext{1, one.needed}, RoutingContext{1, one.needed + 1, "up-down"}}) {
      const auto routing = route(working, one.routing, context);
      CHECK(routing->virtual_channels() == 1);
      CHECK(routing->about_failures() == "every pair takes up*/down* on what works");
      CHECK(check(graph, *routing, {.virtual_channels = 1, .failures = failures}).passed());
    }
  }
}
