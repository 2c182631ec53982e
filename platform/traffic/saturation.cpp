#include "platform/traffic/saturation.hpp"

namespace sanvp::traffic {
namespace {

/// The loads that follow a probe at `load`, whatever its outcome is, and those that follow these.
std::vector<Load> likely_after(double load, double accepted, double refused, double resolution) {
  struct Interval {
    double accepted, refused;
  };
  constexpr std::size_t most = 62;  // five further probes
  std::vector<Load> loads;
  std::vector<Interval> known{{accepted, load}, {load, refused}};
  for (std::size_t i = 0; i < known.size() && loads.size() < most; ++i) {
    const auto [from, to] = known[i];
    if (to - from <= resolution) continue;
    const double middle = (from + to) / 2;
    loads.push_back(Load{.fraction = middle});
    known.push_back({from, middle});
    known.push_back({middle, to});
  }
  return loads;
}

}  // namespace

Saturation find_saturation(const std::function<Summary(const Load& load, const std::vector<Load>& likely_next)>& run_at,
                           double highest, double resolution) {
  Saturation found;
  double accepted = 0;
  double refused = highest;
  for (double load = highest; load > 0; load = (accepted + refused) / 2) {
    const Summary& probe =
        found.probes.emplace_back(run_at(Load{.fraction = load}, likely_after(load, accepted, refused, resolution)));
    if (probe.ending != Ending::done) return found;
    if (probe.is_refused()) {
      refused = found.least_refused = load;
    } else {
      accepted = load;
      found.highest = probe;
    }
    if (refused - accepted <= resolution) break;
  }
  return found;
}

}  // namespace sanvp::traffic
