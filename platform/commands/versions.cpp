#include <systemc>

#include "platform/commands/command.hpp"

namespace sanvp::commands {

std::map<std::string, std::string> versions() {
  return {{"sanvp", SANVP_VERSION}, {"systemc", sc_core::sc_version()}, {"compiler", __VERSION__}};
}

}  // namespace sanvp::commands
