/// Threads that libraries of a native program start: they would run beside all ranks, so the rank ends instead.
///
/// Calls of the program itself are refused by sw/hal/process.c. A shared library's come here, since the simulator
/// defines the C library's calls that start a thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sanvp::native {

/// While it lives, the environment asks libraries for one thread: those that read it while they are loaded.
class OneThreadInEnvironment {
 public:
  OneThreadInEnvironment();
  ~OneThreadInEnvironment();
  OneThreadInEnvironment(const OneThreadInEnvironment&) = delete;
  OneThreadInEnvironment& operator=(const OneThreadInEnvironment&) = delete;

 private:
  std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

}  // namespace sanvp::native
