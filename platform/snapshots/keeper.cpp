#include "platform/snapshots/keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <iostream>
#include <new>

#include "platform/core/error.hpp"
#include "platform/core/interrupts.hpp"
#include "platform/snapshots/fork.hpp"

namespace sanvp {
namespace {

SharedByProcesses* shared_with_all = nullptr;  // for the signal handler

InterruptCount interrupt_count;

/// A terminal tells all processes itself.
void pass_on(int signal, siginfo_t* from, void*) {
  const int number = interrupt_count.add();
  if (from->si_code == SI_USER) pass_interrupt_on(shared_with_all->active, signal, number);
}

bool is_over(const SharedByProcesses& shared) {
  pollfd lifeline{shared.lifeline, POLLIN, 0};
  return poll(&lifeline, 1, 0) > 0;
}

[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) {
    std::signal(WTERMSIG(status), SIG_DFL);
    std::raise(WTERMSIG(status));
  }
  _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

[[noreturn]] void keep(SharedByProcesses& shared) {
  for (const int signal : interrupts) {
    if (is_ignored(signal)) continue;
    struct sigaction action {};
    action.sa_sigaction = pass_on;
    action.sa_flags = SA_SIGINFO;
    sigaction(signal, &action, nullptr);
  }
  while (true) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0 && errno == EINTR) continue;
    if (ended >= 0 && ended != shared.active) continue;  // it has been replaced, or has kept a state
    for (const std::atomic<pid_t>& held : shared.held)
      if (held != 0) kill(held, SIGKILL);
    if (ended < 0) _exit(EXIT_FAILURE);
    end_as(status);
  }
}

}  // namespace

SharedByProcesses& divide_for_snapshots() {
  void* const room =
      mmap(nullptr, sizeof(SharedByProcesses), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) throw UserError("--snapshots", "this computer grants no memory that processes share");
  auto& shared = *new (room) SharedByProcesses{};
  shared_with_all = &shared;
  shared.keeper = getpid();
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // simulators begin as children of one another
  std::array<int, 2> line{};
  if (pipe2(line.data(), O_CLOEXEC) != 0) throw UserError("--snapshots", "this computer grants no more open files");
  shared.lifeline = line[0];
  std::cout.flush();
  std::cerr.flush();
  const pid_t child = fork();
  if (child < 0) throw UserError("--snapshots", "this computer grants no more processes");
  if (child > 0) {
    shared.active = child;
    keep(shared);
  }
  close(line[1]);
  become_active(shared);
  return shared;
}

void become_active(SharedByProcesses& shared) {
  constexpr int us_between_looks = 100;
  while (getppid() != shared.keeper) {  // until the one between has ended
    if (is_over(shared)) _exit(EXIT_FAILURE);
    usleep(us_between_looks);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (is_over(shared)) _exit(EXIT_FAILURE);  // the keeper has ended before it was asked to tell
  shared.active = getpid();
}

}  // namespace sanvp
