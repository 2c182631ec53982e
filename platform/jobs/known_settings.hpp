/// Which settings programs read, before they run.
#pragma once

#include <string>
#include <vector>

#include "platform/core/parameters.hpp"

namespace sanvp::jobs {

/// Throws UserError for a key that no image can read: hal_setting() is given its key as a literal, so it stands in the
/// image. That a program comes to read it is only known when it has run.
/// @param settings   of -s, for software
/// @param machine    what the machine has read, to name the nearest key
void require_known(const ParameterSet& settings, const ParameterSet& machine, const std::vector<std::string>& images);

}  // namespace sanvp::jobs
