#include "platform/commands/interruption.hpp"

#include <csignal>

#include "models/native/interrupts.hpp"

namespace sanvp::commands {

std::string name_of_interrupt() {
  switch (native::interrupting_signal()) {
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    default:
      return "Ctrl-C";
  }
}

Exit status_of_interrupt() {
  const int signal = native::interrupting_signal();
  return signal == SIGTERM || signal == SIGHUP ? exit_terminated : Exit::interrupted;
}

}  // namespace sanvp::commands
