/// e-cube, dimension order on the hypercube: bits in which two corners differ are corrected from the lowest up.
#include "platform/core/parameters.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {
namespace {

class Ecube : public Routing {
 public:
  int alternatives(int source, int destination) const override { return source == destination ? 0 : 1; }

  void route(int source, int destination, int /*alternative*/, Route& route) const override {
    route = {};
    for (int d = 0, differ = source ^ destination; differ >> d != 0; ++d)
      if ((differ >> d & 1) != 0) route.steps.push_back({.port = static_cast<std::uint16_t>(1 + d)});
    route.steps.push_back({.port = 0});  // the host
  }
};

std::unique_ptr<Routing> build(const Graph& graph, const Parameters& parameters, std::uint64_t /*seed*/) {
  if (graph.family != "hypercube")
    throw UserError(parameters.place("type"), "ecube does not serve a " + graph.family, "choose topology hypercube");
  return std::make_unique<Ecube>();
}

const Registration<RoutingPart> registration{{"ecube", "my hypercube's routing: one dimension after the other", build}};

}  // namespace
}  // namespace sanvp::topologies
