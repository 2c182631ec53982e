#include <catch2/catch.hpp>

#include "topologies/routing/check.hpp"
#include "topologies/routing/dimension_order.hpp"
#include "topologies/routing/split_routes.hpp"
#include "topologies/routing/tofu_abc_xyz_abc.hpp"
#include "topologies/tofu.hpp"
#include "topologies/torus.hpp"

using namespace sanvp;
using namespace sanvp::topologies;

namespace {

/// The same routes, of which nothing is known to be shared.
class Whole : public Routing {
 public:
  explicit Whole(const Routing& routing) : routing_(routing) {}
  int alternatives(int source, int destination) const override { return routing_.alternatives(source, destination); }
  void route(int source, int destination, int alternative, Route& route) const override {
    routing_.route(source, destination, alternative, route);
  }
  bool random_alternative() const override { return routing_.random_alternative(); }

 private:
  const Routing& routing_;
};

std::string proof(const Graph& graph, const Routing& routing, const CheckOptions& options) {
  const CheckReport report = check(graph, routing, options);
  return to_text(report) + report.cycle_text();
}

void require_same_proofs(const Graph& graph, const Routing& routing, int virtual_channels) {
  REQUIRE(dynamic_cast<const SplitRoutes*>(&routing) != nullptr);
  const Whole whole(routing);
  const CheckOptions all{.virtual_channels = virtual_channels};
  CHECK(proof(graph, routing, all) == proof(graph, whole, all));
  CheckOptions one_channel = all;
  one_channel.virtual_channels = 1;
  CHECK(proof(graph, routing, one_channel) == proof(graph, whole, one_channel));
  for (int link = 0; link < graph.link_count(); link += 7) {
    CheckOptions failed = all;
    failed.failures.links = {link};
    CHECK(proof(graph, routing, failed) == proof(graph, whole, failed));
  }
  // The work is counted alike, so that a proof that does not fit examines the same destinations.
  for (const int work : {1'000, 3'000, 10'000, 30'000}) {
    CheckOptions sampled = all;
    sampled.work = work;
    CHECK(proof(graph, routing, sampled) == proof(graph, whole, sampled));
  }
}

}  // namespace

TEST_CASE("the proof for TOFU is the same whether routes are followed whole or share their rests") {
  const Graph graph = tofu(4, 2, 1);  // with ties between the two ways around a ring
  require_same_proofs(graph, *tofu_abc_xyz_abc(graph), 4);
  require_same_proofs(graph, *tofu_abc_xyz_abc(graph, {.random_via = true}), 4);
}

TEST_CASE("the proof for universal routing is the same whether routes are followed whole or share their rests") {
  const Graph graph = torus({4, 3}, 2, 2);
  for (const Universal universal : {Universal::virtual_channels, Universal::link_sets})
    for (const Cables cables : {Cables::grouped, Cables::fixed})
      require_same_proofs(graph, *dimension_order(graph, {.cables = cables, .universal = universal}), 4);
}
