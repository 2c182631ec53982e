/// The signal that has ended a command before its work was done (platform/core/interrupts.hpp).
#pragma once

#include <string>

#include "platform/core/error.hpp"

namespace sanvp::commands {

constexpr Exit exit_terminated{143};
/// "Ctrl-C", "SIGTERM" or "SIGHUP"
std::string name_of_interrupt();
Exit status_of_interrupt();
inline bool is_interruption(Exit exit) { return exit == Exit::interrupted || exit == exit_terminated; }

}  // namespace sanvp::commands
