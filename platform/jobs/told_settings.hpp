/// The settings of the libraries that programs hold.
#pragma once

#include "platform/core/parameters.hpp"

namespace sanvp::jobs {

/// The settings that all images of software_folder() leave there by HAL_SETTING_TOLD (sw/hal/hal.h), by key.
ParameterSet told_settings();

}  // namespace sanvp::jobs
