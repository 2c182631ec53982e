#include "topologies/routing/detours_apart.hpp"

#include <climits>
#include <utility>

#include "topologies/routing/up_down_tables.hpp"

namespace sanvp::topologies {
namespace {

class DetoursApart : public Routing {
 public:
  DetoursApart(const Graph& working, std::unique_ptr<Routing> paths)
      : working_(working), paths_(std::move(paths)), around_(up_down_tables(working)) {}

  bool random_alternative() const override { return paths_->random_alternative(); }
  bool looks_at_queues() const override { return paths_->looks_at_queues(); }
  std::int64_t detour_threshold() const override { return paths_->detour_threshold(); }
  int virtual_channels() const override { return paths_->virtual_channels() + 1; }
  std::string about_failures() const override {
    return "pairs whose paths have failed take up*/down* on virtual channel 0, the others keep theirs on those after "
           "it";
  }

  int alternatives(int source, int destination) const override {
    if (source == destination) return 0;
    Route scratch;
    const int working = count_working(source, destination, INT_MAX, scratch);
    return working > 0 ? working : around_->alternatives(source, destination);
  }

  void route(int source, int destination, int alternative, Route& route) const override {
    if (count_working(source, destination, alternative + 1, route) <= alternative) {
      around_->route(source, destination, 0, route);
      route.second = 0;
      for (std::size_t i = 0; i + 1 < route.steps.size(); ++i) route.steps[i].vc = 0;
      return;
    }
    for (std::size_t i = 0; i < route.steps.size(); ++i) {
      const bool leads_to_host = i + 1 == route.steps.size() || i + 1 == route.second;
      if (!leads_to_host) move_up(route.steps[i]);
    }
  }

  std::string why_unserved(int source, int destination) const override {
    return around_->why_unserved(source, destination);
  }

 private:
  static void move_up(Step& step) {
    if (step.vc == Step::any_vc) {
      step.vc = 1;
      step.vcs = Step::any_vc - 1;
    } else {
      ++step.vc;
    }
  }

  /// Counts the pair's paths that work, up to `most`. @param route  the last of them
  int count_working(int source, int destination, int most, Route& route) const {
    const int all = paths_->alternatives(source, destination);
    int working = 0;
    for (int number = 0; number < all && working < most; ++number) {
      paths_->route(source, destination, number, route);
      working += end_of(working_, source, route).is_host() ? 1 : 0;
    }
    return working;
  }

  const Graph& working_;
  std::unique_ptr<Routing> paths_;   ///< on the whole graph
  std::unique_ptr<Routing> around_;  ///< on what works
};

/// Whether no cable between two switches is missing: hosts without a cable have no detour.
bool all_switches_are_joined(const Graph& working) {
  for (int link = 0; link < working.link_count(); ++link) {
    const Link& cable = working.links()[link];
    if (cable.a.is_switch() && cable.b.is_switch() && !working.plugged(link)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> detour_choices() { return {"auto", "apart", "up-down"}; }

std::unique_ptr<Routing> with_detours(const Graph& working, std::unique_ptr<Routing> paths,
                                      const RoutingContext& context) {
  if (all_switches_are_joined(working)) return paths;
  const bool has_spare = context.virtual_channels > paths->virtual_channels();
  if (context.detours == "up-down" || (context.detours != "apart" && !has_spare)) return up_down_tables(working);
  return std::make_unique<DetoursApart>(working, std::move(paths));
}

}  // namespace sanvp::topologies
