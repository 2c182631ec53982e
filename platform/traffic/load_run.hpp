/// What a run at one load leaves: of a sweep, or a probe of a search for saturation. A process that has made the run
/// can send it as bytes.
#pragma once

#include <map>
#include <string>

#include "platform/traffic/summary.hpp"

namespace sanvp::traffic {

struct LoadRun {
  Summary summary;
  std::map<std::string, std::string> tables;  ///< as CSV, by name
  Time ended{0};
  std::string deadlock;  ///< the cycle; empty without one

  std::string to_bytes() const;
  /// Throws std::length_error if bytes are missing.
  static LoadRun from_bytes(const std::string& bytes);
};

}  // namespace sanvp::traffic
