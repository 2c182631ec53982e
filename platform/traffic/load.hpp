/// How much each node sends.
#pragma once

#include <string>
#include <vector>

#include "platform/core/time.hpp"

namespace sanvp::traffic {

/// From an instant on, a load that is `factor` times the first one.
struct LoadStep {
  Time from{0};
  double factor = 1;
};

/// A fraction of the link rate, in which every byte on the wire counts, or a rate of payload per node.
struct Load {
  double fraction = 0;            ///< of the time of the injection channel; used where payload_rate is 0
  double payload_rate_Bps = 0;    ///< bytes per second
  std::vector<LoadStep> steps{};  ///< how it changes during the run, in the order of time

  /// "0.5" or "120MB/s". Throws UserError for anything else, and for what is not positive.
  static Load parse(const std::string& text, const std::string& place);
  /// One load, one that changes during the run, "0.1,0.5@3ms,0.1@7ms", or a sweep of fractions "0.1:0.9:0.1" (first,
  /// last, step).
  static std::vector<Load> parse_sweep(const std::string& text, const std::string& place);
  std::string to_text() const;
};

}  // namespace sanvp::traffic
