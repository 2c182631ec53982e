#include "topologies/routing/mesh_of_clos_xy.hpp"

#include <cstdlib>

#include "platform/core/parameters.hpp"
#include "topologies/mesh_of_clos.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {
namespace {

class MeshOfClosXy : public Routing {
 public:
  MeshOfClosXy(const MeshOfClosSizes& sizes, UpChoice layer) : sizes_(sizes), layer_(layer) {}

  int alternatives(int source, int destination) const override { return source == destination ? 0 : 1; }

  void route(int source, int destination, int, Route& route) const override {
    route.steps.clear();
    route.source_port = 0;
    route.source_vc = Step::any_vc;
    const KaryTree& cluster = sizes_.cluster;
    const int from = sizes_.cluster_of(source);
    const int to = sizes_.cluster_of(destination);
    const int top = from == to ? cluster.nca_level(source, destination) : cluster.levels - 1;
    append_ascent(cluster, 0, top, layer_, source, route);
    if (from != to) append_mesh(from, to, route);
    append_descent(cluster, top, destination, route);
  }

 private:
  /// X first, then Y: packets never turn from Y to X, so there is no cycle.
  void append_mesh(int from, int to, Route& route) const {
    append_run(sizes_.column_of(to) - sizes_.column_of(from), Compass::east, Compass::west, route);
    append_run(sizes_.row_of(to) - sizes_.row_of(from), Compass::south, Compass::north, route);
  }

  void append_run(int distance, Compass ahead, Compass back, Route& route) const {
    Step step;
    step.port = static_cast<std::uint16_t>(sizes_.mesh_port(distance > 0 ? ahead : back));
    route.steps.insert(route.steps.end(), std::abs(distance), step);
  }

  MeshOfClosSizes sizes_;
  UpChoice layer_;
};

const Registration<RoutingPart> registration{
    {"mesh_of_clos_xy", "Mesh of Clos: up to a fixed or any mesh layer, XY in it, down by digits",
     [](const Graph& graph, const Parameters& parameters, std::uint64_t) {
       const std::string layer =
           parameters.choice("layer", "fixed", {"fixed", "adaptive"},
                             "mesh layer: the source's own, or any, by the switch's output-selection policy",
                             "Mesh of Clos paper 2.1 (fixed) and table 2 (adaptive)");
       return mesh_of_clos_xy(graph, layer == "fixed" ? UpChoice::fixed : UpChoice::adaptive);
     }}};

}  // namespace

std::unique_ptr<Routing> mesh_of_clos_xy(const Graph& graph, UpChoice layer) {
  return std::make_unique<MeshOfClosXy>(mesh_of_clos_sizes(graph, "routing mesh_of_clos_xy"), layer);
}

}  // namespace sanvp::topologies
