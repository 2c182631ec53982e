/// The settings of the libraries that programs hold.
#pragma once

#include "platform/core/parameters.hpp"

namespace sanvp::jobs {

/// Of all images of software_folder(), as HAL_SETTING_TOLD of sw/hal/hal.h leaves them there, by key.
ParameterSet told_settings();

}  // namespace sanvp::jobs
