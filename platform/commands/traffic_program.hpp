/// What `sanvp traffic MACHINE NAME` runs in the place of a pattern and its measurement: traffic that ends by itself
/// and has results of its own, such as a program's trace. One file each in this folder, registered by name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/commands/command.hpp"

namespace sanvp::commands {

struct TrafficProgram {
  static constexpr const char* kind() { return "traffic program"; }
  std::string name;
  std::string summary;
  /// Adds the options that it has in addition to those of `traffic`.
  std::function<void(boost::program_options::options_description_easy_init)> options{};
  /// Options of patterns that it reads as well.
  std::vector<std::string> options_of_patterns{};
  std::function<Exit(const Invocation&)> run;
};

}  // namespace sanvp::commands
