#include "topologies/routing/fat_tree_adaptive.hpp"

#include "topologies/fat_tree.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {
namespace {

class FatTreeAdaptive : public Routing {
 public:
  FatTreeAdaptive(const KaryTree& tree, UpChoice up) : tree_(tree), up_(up) {}

  int alternatives(int source, int destination) const override { return source == destination ? 0 : 1; }

  void route(int source, int destination, int, Route& route) const override {
    route.steps.clear();
    route.source_port = 0;
    route.source_vc = Step::any_vc;
    const int top = tree_.nca_level(source, destination);
    append_ascent(tree_, top, up_, destination, route);
    append_descent(tree_, top, destination, route);
  }

 private:
  KaryTree tree_;
  UpChoice up_;
};

const Registration<RoutingPart> registration{
    {"fat_tree_adaptive", "k-ary n-tree: adaptive or fixed up to the nearest common ancestor, then down by digits",
     [](const Graph& graph, const Parameters& parameters, std::uint64_t) {
       const std::string up = parameters.choice("up", "adaptive", {"adaptive", "fixed"},
                                                "who chooses the up port: the switch, or the destination's digits",
                                                "QsNET paper 2.2.1 (adaptive)");
       return fat_tree_adaptive(graph, up == "adaptive" ? UpChoice::adaptive : UpChoice::fixed);
     }}};

}  // namespace

std::unique_ptr<Routing> fat_tree_adaptive(const Graph& graph, UpChoice up) {
  return std::make_unique<FatTreeAdaptive>(fat_tree_geometry(graph), up);
}

}  // namespace sanvp::topologies
