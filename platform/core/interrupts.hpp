/// The signals that ask the program to end and to keep its results: Ctrl-C, and those of batch systems, of `timeout`
/// and of a terminal that closes.
#pragma once

#include <array>
#include <csignal>
#include <ctime>

namespace sanvp {

inline constexpr std::array interrupts{SIGINT, SIGTERM, SIGHUP};

/// `nohup` and the like let a program ignore them, and so does this one. Not Ctrl-C, which a shell ignores for all that
/// it runs in the background.
inline bool is_ignored(int interrupt) {
  struct sigaction action {};
  return interrupt != SIGINT && sigaction(interrupt, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Counts them, in a signal handler. `timeout` and terminals tell a process, and then its group, of the same one: what
/// follows that soon is not another one.
class InterruptCount {
 public:
  /// @return how many there have been
  int add() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    constexpr long ns_per_s = 1'000'000'000, same_ns = 200'000'000;
    const long since_ns = (now.tv_sec - last_.tv_sec) * ns_per_s + now.tv_nsec - last_.tv_nsec;
    if (count_ > 0 && since_ns < same_ns) return count_;
    last_ = now;
    return ++count_;
  }

 private:
  int count_ = 0;
  timespec last_{};
};

}  // namespace sanvp
