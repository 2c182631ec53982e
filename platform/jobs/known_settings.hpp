/// Checks before a run which settings programs can read.
#pragma once

#include <string>
#include <vector>

namespace sanvp {
class ParameterSet;
}  // namespace sanvp

namespace sanvp::jobs {

/// Throws UserError for a key that no image can read: hal_setting() receives its key as a literal, so the image
/// contains it. Whether a program actually reads it is known only after the run.
/// @param settings   settings of -s for software
/// @param machine    parameters that the machine has read, to name the nearest key
void require_known(const ParameterSet& settings, const ParameterSet& machine, const std::vector<std::string>& images);

}  // namespace sanvp::jobs
