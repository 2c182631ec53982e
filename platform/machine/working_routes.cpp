#include "platform/machine/working_routes.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "topologies/failures.hpp"
#include "topologies/routing/dependencies.hpp"
#include "topologies/routing/walk.hpp"

namespace sanvp {
namespace {

using topologies::Route;
using topologies::Walk;

class WorkingRoutes : public topologies::Routing {
 public:
  WorkingRoutes(const topologies::Graph& graph, const Routing& all, const topologies::CheckOptions& options)
      : working_graph_(topologies::working_part(graph, options.failures)),
        all_(all),
        dependencies_(graph, options.virtual_channels),
        walk_(graph, options, dependencies_) {}

  int alternatives(int source, int destination) const override {
    return static_cast<int>(working(source, destination).size());
  }
  void route(int source, int destination, int alternative, Route& route) const override {
    all_.route(source, destination, working(source, destination)[alternative], route);
  }
  int route_id(int source, int destination, int alternative) const override {
    return all_.route_id(source, destination, working(source, destination)[alternative]);
  }
  bool random_alternative() const override { return all_.random_alternative(); }
  int virtual_channels() const override { return all_.virtual_channels(); }
  bool passes_hosts() const override { return all_.passes_hosts(); }
  bool looks_at_queues() const override { return all_.looks_at_queues(); }
  std::int64_t detour_threshold() const override { return all_.detour_threshold(); }
  std::string about_failures() const override {
    return "routes that cross a failed part are dropped; a pair without another is not served";
  }

 private:
  /// Computed at the first call: machines have far more pairs than a run uses.
  const std::vector<int>& working(int source, int destination) const {
    const std::uint64_t pair = static_cast<std::uint64_t>(source) << 32 | static_cast<std::uint32_t>(destination);
    const auto [found, is_new] = working_.try_emplace(pair);
    std::vector<int>& list = found->second;
    if (!is_new) return list;
    const int count = all_.alternatives(source, destination);
    if (std::exchange(walked_to_, destination) != destination) walk_.next_destination();
    for (int alternative = 0; alternative < count; ++alternative) {
      all_.route(source, destination, alternative, scratch_);
      if (arrives(source, destination)) list.push_back(alternative);
    }
    for (int alternative = 0; list.empty() && alternative < count; ++alternative) list.push_back(alternative);
    return list;
  }

  /// Whether scratch_ arrives. Most routes have no choice of ports or paths, so that following one is a look at each
  /// cable.
  bool arrives(int source, int destination) const {
    const bool has_choice =
        scratch_.has_choice() || std::ranges::any_of(scratch_.steps, [](const topologies::Step& step) {
          return step.ports > 1 || step.in_transit;
        });
    if (has_choice) {
      const Walk::Outcome outcome = walk_.follow(source, scratch_);
      return outcome.kind == Walk::Outcome::Kind::arrives && outcome.end.index == destination;
    }
    const topologies::End end = topologies::end_of(working_graph_, source, scratch_);
    return end.is_host() && end.index == destination;
  }

  topologies::Graph working_graph_;  ///< without failed cables
  const Routing& all_;
  topologies::Dependencies dependencies_;  ///< output of Walk, unused here
  mutable Walk walk_;
  mutable int walked_to_ = -1;  ///< the destination for which the walk holds shared results
  mutable Route scratch_;
  mutable std::unordered_map<std::uint64_t, std::vector<int>> working_;
};

}  // namespace

std::unique_ptr<topologies::Routing> working_routes(const topologies::Graph& graph, const topologies::Routing& routing,
                                                    const topologies::CheckOptions& options) {
  return std::make_unique<WorkingRoutes>(graph, routing, options);
}

}  // namespace sanvp
