/// Lists and describes everything that has a name: machines, patterns, apps, and parts of all kinds.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/nic/card/registers.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::commands {

struct Entry {
  std::string name;
  std::string kind;  ///< "machine", "pattern", "switch", ...
  std::string summary;
};

/// @param category  "machines", "apps", "patterns" or "parts"
std::vector<Entry> catalogue(const std::string& category);

/// The parameters with their defaults that a part reads when it is built from an empty set. `note` says why some may be
/// missing.
struct Description {
  Entry entry;
  ParameterSet parameters;
  std::string note{};
  const nic::RegisterTable* registers = nullptr;  ///< null: it has none
};

/// All parts and patterns of that name, of any kind.
std::vector<Description> describe_parts(const std::string& name);

}  // namespace sanvp::commands
