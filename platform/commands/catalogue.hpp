/// Everything that has a name: machines, patterns, and parts of all kinds.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/core/parameters.hpp"

namespace sanvp::commands {

struct Entry {
  std::string name;
  std::string kind;  ///< "machine", "pattern", "switch", ...
  std::string summary;
};

/// @param category  "machines", "apps", "patterns" or "parts"
std::vector<Entry> catalogue(const std::string& category);

/// A part's parameters with their defaults: what it reads when it is built from nothing. `note` says what could not be
/// found out that way.
struct Description {
  Entry entry;
  ParameterSet parameters;
  std::string note{};
};

/// All parts and patterns of that name, of any kind.
std::vector<Description> describe_parts(const std::string& name);

}  // namespace sanvp::commands
