/// Times as plain numbers, in files for other programs.
#pragma once

#include <string>

#include "platform/core/time.hpp"

namespace sanvp {

/// Nanoseconds, with decimals only as far as needed: "6.25"; "-1" for `never`.
std::string ns_text(Time t);

}  // namespace sanvp
