/// A thread of a process: its hart, and the state that Linux keeps for it.
#pragma once

#include <array>
#include <bitset>
#include <csignal>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "models/cpu/riscv/hart.hpp"

namespace sanvp::riscv::os {

/// A signal on its way, as the first fields of siginfo_t.
struct Signal {
  int number = 0;
  int code = 0;
  std::uint64_t value = 0;  ///< a fault's address, or sender's process and user
  std::uint64_t sent = 0;   ///< by sigqueue
};

/// Bit mask of signals: bit 0 is signal 1, as in sigset_t of Linux.
using SignalSet = std::uint64_t;
constexpr SignalSet bit_of(int signal) { return SignalSet{1} << (signal - 1); }
constexpr SignalSet never_blocked = bit_of(SIGKILL) | bit_of(SIGSTOP);

/// Why a thread does not run.
struct Wait {
  enum class For : std::uint8_t {
    turn,    ///< nothing: it is in the queue for a CPU
    time,    ///< only for `until`
    futex,   ///< a wake-up of `address`
    retry,   ///< a change of files; then it makes its system call again
    signal,  ///< one of `signals`; then, too
    disk,    ///< its request for a file, which no signal ends
    memory   ///< a call of Machine, which ends the wait itself
  };
  For what = For::turn;
  std::uint64_t address = 0;
  std::uint32_t bits = ~0U;                ///< of FUTEX_WAIT_BITSET
  std::optional<std::int64_t> until_ps{};  ///< it ends at this time, if nothing else ends it
  SignalSet signals = 0;                   ///< that rt_sigtimedwait takes
  std::uint64_t rest = 0;                  ///< address for the time that was left when a signal ended a sleep
  std::uint64_t number = 0;                ///< first come, first served
  bool restarts = false;                   ///< the call is restarted after a handler with SA_RESTART
  std::int64_t result = 0;                 ///< of the system call, when a wait for time or disk has ended
};

/// Bit mask of CPUs: as many as cpu_set_t of the C library has.
using CpuSet = std::bitset<1024>;

struct AlternateStack {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  bool is_enabled = false;
};

/// How often in a row a thread has been woken for a word and has then found it taken again, like a mutex that the other
/// thread has locked once more.
struct Losses {
  std::uint64_t address = 0;  ///< of the word
  std::uint64_t retired = 0;  ///< instructions that the thread had executed when it was woken
  int count = 0;
};

struct Thread {
  int id = 0;
  Hart64 hart{};
  SignalSet blocked = 0;
  std::optional<SignalSet> blocked_after{};  ///< a call that waits with a mask of its own, or its handler
  std::deque<Signal> pending{};
  AlternateStack alternate{};
  std::array<char, 16> name{};      ///< PR_SET_NAME
  int nice = 0;                     ///< setpriority
  CpuSet bound_to{};                ///< sched_setaffinity; empty: all CPUs of the node
  int cpu = 0;                      ///< of the node, on which it had its last turn
  std::uint64_t clear_at_exit = 0;  ///< set_tid_address
  Wait wait{};
  Losses losses{};
  std::optional<std::int64_t> deadline_ps{};  ///< of a system call that is being tried again
  std::uint64_t moved = 0;                    ///< bytes that such a call has written already
  /// First argument of a call that a signal has ended and SA_RESTART has restarted.
  std::optional<std::uint64_t> restart{};
  std::int64_t ready_ps = 0;  ///< it can run from this time on
  std::uint64_t last_turn =
      0;  ///< number of its last turn; of threads that are ready at the same time, the lowest goes first
  std::int64_t since_ps = 0;  ///< its present turn began
  std::int64_t used_ps = 0;   ///< of a CPU, in earlier turns
  bool has_ended = false;
  bool is_running = false;  ///< on a CPU that has its turn

  /// For a call that waits: until it returns, or the handler that ends it returns. A restarted call keeps the mask for
  /// afterwards.
  void block_during_call(SignalSet set) {
    if (!blocked_after) blocked_after = blocked;
    blocked = set & ~never_blocked;
  }
  void block_as_before_call() {
    if (blocked_after) blocked = *std::exchange(blocked_after, std::nullopt);
  }
};

}  // namespace sanvp::riscv::os
