/// The settings of the libraries that programs hold.
#pragma once

#include <string>
#include <vector>

#include "platform/core/parameters.hpp"

namespace sanvp::jobs {

/// What an image leaves of its libraries' settings by HAL_SETTING_TOLD (sw/hal/hal.h).
std::vector<ParameterSet::Declared> settings_told_by(const std::string& image);

/// The same of all images of software_folder(), by key.
ParameterSet told_settings();

}  // namespace sanvp::jobs
