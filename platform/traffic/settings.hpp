/// The options of a traffic run, read from section [traffic]: each is an option of `sanvp traffic` and a key for `-s`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/core/time.hpp"
#include "platform/traffic/measurement.hpp"
#include "platform/traffic/pattern.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::traffic {

struct SpySettings {
  std::string channel;  ///< empty: no spy
  std::string place;    ///< origin of the name, for messages
  Time from{0};
  Time until = never;
};

struct Settings {
  std::vector<Load> loads;  ///< more than one: a sweep
  Workload workload;
  Plan plan;
  bool finds_saturation = false;
  double resolution = 0.01;
  double highest_load = 1;
  TimingNodeSettings timing_node;
  SpySettings spy;

  /// Throws UserError for values that are impossible for this network or pattern.
  static Settings read(const Parameters& parameters, const NetworkUnderTest& under_test, const Pattern& pattern);
};

/// Options with their own name on the command line and a line of help; the other parameters are set by `-s`.
struct OptionHelp {
  const char* name;
  const char* value;
  const char* help;
};
const std::vector<OptionHelp>& option_help();

}  // namespace sanvp::traffic
