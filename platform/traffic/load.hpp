/// The load that each node offers.
#pragma once

#include <string>
#include <vector>

#include "platform/core/time.hpp"

namespace sanvp::traffic {

/// From an instant on, the load is `factor` times the first one.
struct LoadStep {
  Time from{0};
  double factor = 1;
};

/// A fraction of the link rate, to which every byte on the wire counts, or a rate of payload per node.
struct Load {
  double fraction = 0;            ///< share of the injection channel's time; used if payload_rate_Bps is 0
  double payload_rate_Bps = 0;    ///< bytes per second
  std::vector<LoadStep> steps{};  ///< changes during the run, in order of time

  /// "0.5" or "120MB/s". Throws UserError for any other text and for values that are not positive.
  static Load parse(const std::string& text, const std::string& place);
  /// One load, a load that changes during the run, "0.1,0.5@3ms,0.1@7ms", or a sweep "0.1:0.9:0.1" (first, last, step)
  /// of fractions or of rates.
  static std::vector<Load> parse_sweep(const std::string& text, const std::string& place);
  std::string to_text() const;
};

}  // namespace sanvp::traffic
