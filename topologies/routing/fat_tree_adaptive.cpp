#include "topologies/routing/fat_tree_adaptive.hpp"

#include <algorithm>
#include <optional>

#include "platform/core/parameters.hpp"
#include "topologies/fat_tree.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/fat_tree_detours.hpp"

namespace sanvp::topologies {
namespace {

bool fully_cabled(const Graph& graph, const KaryTree& tree) {
  const auto is_free = [](int link) { return link < 0; };
  const auto has_free_port = [&](const Graph::Node& node) { return std::ranges::any_of(node.link_at, is_free); };
  if (std::ranges::any_of(graph.hosts(), has_free_port)) return false;
  for (int at = 0; at < graph.switch_count(); ++at) {
    const auto& ports = graph.switches()[at].link_at;
    const int level = tree.level_of(at);
    const int cabled = level == tree.levels - 1 ? tree.top_arity : tree.arity + tree.up_links(level);
    if (std::any_of(ports.begin(), ports.begin() + cabled, is_free)) return false;
  }
  return true;
}

class FatTreeAdaptive : public Routing {
 public:
  FatTreeAdaptive(const Graph& graph, const KaryTree& tree, UpChoice up) : tree_(tree), up_(up) {
    if (!fully_cabled(graph, tree)) detours_.emplace(graph, tree);
  }

  int alternatives(int source, int destination) const override {
    return source != destination && (!detours_ || detours_->serves(source, destination)) ? 1 : 0;
  }

  std::string why_unserved(int, int) const override {
    return "no way leads up and then down; cables join them only by a way that goes up again after it went down, which "
           "QsNET's routes do not";
  }

  bool climbs_adaptively() const override { return up_ == UpChoice::adaptive && !detours_; }

  void route(int source, int destination, int, Route& route) const override {
    route.steps.clear();
    route.source_port = 0;
    route.source_vc = Step::any_vc;
    const int top = tree_.nca_level(source, destination);
    int fixed = 0;
    if (detours_ && detours_->serves(source, destination)) fixed = append_detour(source, destination, top, route);
    append_ascent(tree_, fixed, top, up_, destination, route);
    append_descent(tree_, top, destination, route);
  }

 private:
  /// Appends the part of an ascent that has to name its up ports, to avoid dead ends.
  /// @return its length in switches
  int append_detour(int source, int destination, int top, Route& route) const {
    int at = source / tree_.arity;
    if (up_ == UpChoice::fixed && detours_->spread_leads(at, destination)) return 0;
    int ascent = detours_->ascent_of(source, destination);
    for (int level = 0; level < top; ++level) {
      if (up_ == UpChoice::adaptive && detours_->lead(at, destination).any != 0) return level;
      const int up = detours_->up_port(at, destination, ascent);
      Step step;
      step.port = static_cast<std::uint16_t>(tree_.arity + up);
      route.steps.push_back(step);
      at = detours_->above(at, up);
    }
    return top;
  }

  KaryTree tree_;
  UpChoice up_;
  std::optional<FatTreeDetours> detours_;  ///< only on a damaged network
};

const Registration<RoutingPart> registration{
    {.name = "fat_tree_adaptive",
     .summary = "k-ary n-tree: adaptive or fixed up to the nearest common ancestor, then down by digits",
     .build =
         [](const Graph& graph, const Parameters& parameters, std::uint64_t) {
           const std::string up = parameters.choice("up", "adaptive", {"adaptive", "fixed"},
                                                    "what chooses the up port: the switch, or the destination's digits",
                                                    "QsNET paper 2.2.1 (adaptive)");
           return fat_tree_adaptive(graph, up == "adaptive" ? UpChoice::adaptive : UpChoice::fixed);
         },
     .avoids_failures = true}};

}  // namespace

std::unique_ptr<Routing> fat_tree_adaptive(const Graph& graph, UpChoice up) {
  return std::make_unique<FatTreeAdaptive>(graph, fat_tree_geometry(graph, "routing fat_tree_adaptive"), up);
}

}  // namespace sanvp::topologies
