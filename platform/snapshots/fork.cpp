#include "platform/snapshots/fork.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
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

void pass_interrupt_on(pid_t process, int signal, int number) {
  sigval which{};
  which.sival_int = number;
  sigqueue(process, signal, which);
}

/// Returns when the child has ended, or at once where the computer does not tell.
static void wait_and_pass_on(pid_t child, const std::function<int()>& interrupt) {
  const int ended = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (ended < 0) return;
  int told = 0;
  for (pollfd look{ended, POLLIN, 0}; poll(&look, 1, ms_between_looks) <= 0;)
    if (told == 0 && (told = interrupt()) != 0) pass_interrupt_on(child, told, 1);
  close(ended);
}

int exit_status_of(pid_t child, const std::function<int()>& interrupt) {
  if (interrupt) wait_and_pass_on(child, interrupt);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  constexpr int signalled = 128;  // as a shell reports it
  return WIFSIGNALED(status) ? signalled + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace sanvp
