/// Commands that are written in Python: the package `sanvp` (python/README.md).
#pragma once

#include <string>
#include <vector>

namespace sanvp::commands {

/// Replaces this process by the package's command line with these words. Throws UserError if Python cannot be started.
[[noreturn]] void become_python(std::vector<std::string> words);

/// Runs the package's command line with these words beside this process, until it ends. Throws UserError if Python
/// cannot be started. @return its exit status; 128 and the number of the signal that ended it
int run_python(const std::vector<std::string>& words);

}  // namespace sanvp::commands
