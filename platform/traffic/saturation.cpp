#include "platform/traffic/saturation.hpp"

namespace sanvp::traffic {

Saturation find_saturation(const std::function<Summary(const Load&)>& run_at, double highest, double resolution) {
  Saturation found;
  double accepted = 0;
  double refused = highest;
  for (double load = highest; load > 0; load = (accepted + refused) / 2) {
    const Summary& probe = found.probes.emplace_back(run_at(Load{.fraction = load}));
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
