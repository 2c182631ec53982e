#include "platform/snapshots/fork.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iostream>
#include <system_error>

#include "platform/core/error.hpp"

namespace sanvp {
namespace {

[[noreturn]] void refuse() {
  throw UserError("a snapshot of the run", "cannot be made: " + std::generic_category().message(errno),
                  "this computer may lack memory, processes or open files");
}

}  // namespace

pid_t fork_simulator(const std::function<void()>& in_child) {
  std::array<int, 2> ready{};
  if (pipe2(ready.data(), O_CLOEXEC) != 0) refuse();
  // What is in a buffer would be written by both.
  std::cout.flush();
  std::cerr.flush();
  const pid_t child = fork();
  if (child < 0) {
    for (const int end : ready) close(end);
    refuse();
  }
  if (child == 0) {
    close(ready[0]);
    in_child();
    close(ready[1]);
    return 0;
  }
  close(ready[1]);
  char nothing = 0;
  while (read(ready[0], &nothing, 1) < 0 && errno == EINTR) continue;  // until its end is closed
  close(ready[0]);
  return child;
}

int exit_status_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  constexpr int signalled = 128;  // as a shell reports it
  return WIFSIGNALED(status) ? signalled + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace sanvp
