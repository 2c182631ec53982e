#include "topologies/routing/detoured_paths.hpp"

#include <algorithm>
#include <utility>

#include "platform/core/parameters.hpp"
#include "topologies/routing/detours_apart.hpp"

namespace sanvp::topologies {
namespace {

void clear(Route& route) {
  route.steps.clear();
  route.source_port = 0;
  route.source_vc = Step::any_vc;
  route.second = 0;
}

class MinimalPaths : public Routing {
 public:
  explicit MinimalPaths(std::unique_ptr<PathFamily> family) : family_(std::move(family)) {}

  int virtual_channels() const override { return family_->virtual_channels(Paths::minimal); }

  int alternatives(int source, int destination) const override { return source == destination ? 0 : 1; }

  void route(int source, int destination, int, Route& route) const override {
    clear(route);
    family_->minimal(source, destination, route);
  }

 private:
  std::unique_ptr<PathFamily> family_;
};

/// Each packet has a detour of its own, and Paths::adaptive the minimal path before it.
class PathsWithDetours : public Routing {
 public:
  PathsWithDetours(const Graph& graph, std::unique_ptr<PathFamily> family, const PathChoice& choice)
      : graph_(graph),
        family_(std::move(family)),
        threshold_(choice.threshold),
        paths_(choice.paths),
        adaptive_(choice.paths == Paths::adaptive) {}

  bool random_alternative() const override { return true; }
  bool looks_at_queues() const override { return adaptive_; }
  std::int64_t detour_threshold() const override { return threshold_; }
  int virtual_channels() const override { return family_->virtual_channels(paths_); }
  std::string about_failures() const override {
    return graph_.whole() ? std::string() : "each pair draws from those of its detours that work";
  }

  int alternatives(int source, int destination) const override {
    if (source == destination) return 0;
    if (takes_minimal(source, destination)) return 1;
    const int detours = family_->detours(source, destination);
    if (graph_.whole()) return detours;
    int working = 0;
    Route scratch;
    for (int number = 0; number < detours; ++number) working += works(source, destination, number, scratch) ? 1 : 0;
    return working == 0 && minimal_works(source, destination) ? 1 : working;
  }

  void route(int source, int destination, int alternative, Route& route) const override {
    clear(route);
    if (takes_minimal(source, destination)) return family_->minimal(source, destination, route);
    if (adaptive_ && minimal_works(source, destination)) {
      family_->minimal(source, destination, route);
      route.second = static_cast<std::uint16_t>(route.steps.size());
    }
    if (graph_.whole()) return family_->detour(source, destination, alternative, route);
    append_working_detour(source, destination, alternative, route);
  }

 private:
  bool takes_minimal(int source, int destination) const {
    const bool has_detours = family_->detours(source, destination) > 0;
    return (family_->stays_minimal(source, destination) || !has_detours) && minimal_works(source, destination);
  }

  bool minimal_works(int source, int destination) const {
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

  /// Appends the detour of that number among those that work. If none works, `route` is the minimal path alone.
  void append_working_detour(int source, int destination, int alternative, Route& route) const {
    const int detours = family_->detours(source, destination);
    Route detour;
    for (int number = 0, working = 0; number < detours; ++number) {
      if (!works(source, destination, number, detour) || working++ < alternative) continue;
      route.steps.insert(route.steps.end(), detour.steps.begin(), detour.steps.end());
      return;
    }
    if (route.steps.empty()) family_->minimal(source, destination, route);
    route.second = 0;
  }

  const Graph& graph_;
  std::unique_ptr<PathFamily> family_;
  std::int64_t threshold_;
  Paths paths_;
  bool adaptive_;
};

}  // namespace

PathChoice read_paths(const Parameters& parameters) {
  const std::string paths = parameters.choice(
      "paths", "minimal", {"minimal", "valiant", "adaptive"},
      "minimal: the shortest path; valiant: for each packet a detour drawn at random, which needs more virtual "
      "channels "
      "and spreads adversarial patterns; adaptive: the first switch takes one of these two by its queues",
      "Valiant, SIAM J. Comput. 11(2), 1982; UGAL-L: Kim et al., ISCA 2008, section 4");
  const std::int64_t threshold = parameters.count(
      "threshold", 30,
      "of adaptive paths: flits times cables by which the queue of a detour must be shorter than that of the shortest "
      "path; a queue is what waits for a path's first output, in flits over all its virtual channels, and counts times "
      "the path's cables between switches",
      "BookSim2, networks/dragonfly.cpp: adaptive_threshold; Jiang, Kim, Dally, ISCA 2009, section 2 (T)", 0,
      INT32_MAX);
  return {paths == "minimal" ? Paths::minimal : paths == "valiant" ? Paths::valiant : Paths::adaptive, threshold};
}

int place_between(int from, int to, int number) {
  const auto [low, high] = std::minmax(from, to);
  if (number >= low) ++number;
  if (high != low && number >= high) ++number;
  return number;
}

std::unique_ptr<Routing> detoured_paths(const Graph& graph, std::unique_ptr<PathFamily> family,
                                        const PathChoice& choice, const RoutingContext& context) {
  if (choice.paths != Paths::minimal) return std::make_unique<PathsWithDetours>(graph, std::move(family), choice);
  return with_detours(graph, std::make_unique<MinimalPaths>(std::move(family)), context);
}

}  // namespace sanvp::topologies
