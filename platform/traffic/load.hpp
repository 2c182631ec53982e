/// How much each node sends.
#pragma once

#include <string>
#include <vector>

namespace sanvp::traffic {

/// A fraction of the link rate, in which every byte on the wire counts, or a rate of payload per node.
struct Load {
  double fraction = 0;          ///< of the time of the injection channel; used where payload_rate is 0
  double payload_rate_Bps = 0;  ///< bytes per second

  /// "0.5" or "120MB/s". Throws UserError for anything else, and for what is not positive.
  static Load parse(const std::string& text, const std::string& place);
  /// One load, or a sweep of fractions "0.1:0.9:0.1" (first, last, step).
  static std::vector<Load> parse_sweep(const std::string& text, const std::string& place);
  std::string to_text() const;
};

}  // namespace sanvp::traffic
