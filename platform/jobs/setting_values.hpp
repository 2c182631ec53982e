/// Checks before a run, or a branch, the values of settings for libraries, by what their images tell of them.
#pragma once

#include <string>
#include <vector>

#include "platform/core/parameters.hpp"

namespace sanvp::jobs {

/// Throws UserError for a value that the library would refuse, as far as its documentation says which ones it takes:
/// algorithms, one of two words, a number of bytes. The library still refuses all others.
/// @param place  of the value, for messages
void require_value(const ParameterSet::Declared& setting, const std::string& value, const std::string& place);

/// The same for all settings that these images tell.
void require_values(const ParameterSet& settings, const std::vector<std::string>& images);

}  // namespace sanvp::jobs
