#include "topologies/routing/detoured_paths.hpp"

#include <algorithm>
#include <utility>

#include "topologies/routing/up_down_tables.hpp"

namespace sanvp::topologies {
namespace {

void clear(Route& route) {
  route.steps.clear();
  route.source_port = 0;
  route.source_vc = Step::any_vc;
}

class MinimalPaths : public Routing {
 public:
  explicit MinimalPaths(std::unique_ptr<PathFamily> family) : family_(std::move(family)) {}

  int alternatives(int source, int destination) const override { return source == destination ? 0 : 1; }

  void route(int source, int destination, int, Route& route) const override {
    clear(route);
    family_->minimal(source, destination, route);
  }

 private:
  std::unique_ptr<PathFamily> family_;
};

class ValiantPaths : public Routing {
 public:
  ValiantPaths(const Graph& graph, std::unique_ptr<PathFamily> family) : graph_(graph), family_(std::move(family)) {}

  bool random_alternative() const override { return true; }

  int alternatives(int source, int destination) const override {
    if (source == destination) return 0;
    if (takes_minimal(source, destination)) return 1;
    const int detours = family_->detours(source, destination);
    if (graph_.whole()) return detours;
    int working = 0;
    Route scratch;
    for (int number = 0; number < detours; ++number) working += works(source, destination, number, scratch) ? 1 : 0;
    return working;
  }

  void route(int source, int destination, int alternative, Route& route) const override {
    clear(route);
    if (takes_minimal(source, destination)) return family_->minimal(source, destination, route);
    if (graph_.whole()) return family_->detour(source, destination, alternative, route);
    for (int number = 0, working = -1; working < alternative; ++number)
      working += works(source, destination, number, route) ? 1 : 0;
  }

 private:
  bool takes_minimal(int source, int destination) const {
    if (!family_->stays_minimal(source, destination) && family_->detours(source, destination) > 0) return false;
    if (graph_.whole()) return true;
    Route scratch;
    family_->minimal(source, destination, scratch);
    return end_of(graph_, source, scratch).is_host();
  }

  bool works(int source, int destination, int number, Route& route) const {
    clear(route);
    family_->detour(source, destination, number, route);
    return end_of(graph_, source, route).is_host();
  }

  const Graph& graph_;
  std::unique_ptr<PathFamily> family_;
};

}  // namespace

Paths read_paths(const Parameters& parameters) {
  return parameters.choice("paths", "minimal", {"minimal", "valiant"},
                           "the shortest path, or for each packet a detour drawn at random, which needs more virtual "
                           "channels and spreads adversarial patterns",
                           "Valiant, SIAM J. Comput. 11(2), 1982") == "minimal"
             ? Paths::minimal
             : Paths::valiant;
}

int place_between(int from, int to, int number) {
  const auto [low, high] = std::minmax(from, to);
  if (number >= low) ++number;
  if (high != low && number >= high) ++number;
  return number;
}

std::unique_ptr<Routing> detoured_paths(const Graph& graph, std::unique_ptr<PathFamily> family, Paths paths) {
  if (paths == Paths::valiant) return std::make_unique<ValiantPaths>(graph, std::move(family));
  if (graph.whole()) return std::make_unique<MinimalPaths>(std::move(family));
  return up_down_tables(graph);
}

}  // namespace sanvp::topologies
