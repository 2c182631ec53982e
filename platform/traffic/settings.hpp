/// The options of a traffic run, read from section [traffic]: each is an option of `sanvp traffic` and a key for `-s`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/core/parameters.hpp"
#include "platform/traffic/run.hpp"

namespace sanvp::traffic {

struct SpySettings {
  std::string channel;  ///< empty: there is no spy
  std::string place;    ///< where it was named, for messages
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

  /// Throws UserError for values that make no sense on this network or with this pattern.
  static Settings read(const Parameters& parameters, const NetworkUnderTest& under_test, Pattern::Extent extent);
};

/// The options that have a name of their own on the command line, with a line of help each; the others are for `-s`.
struct OptionHelp {
  const char* name;
  const char* value;
  const char* help;
};
const std::vector<OptionHelp>& option_help();

}  // namespace sanvp::traffic
