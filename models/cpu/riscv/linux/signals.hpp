/// Delivery of signals: the frame on the stack, as Linux lays it out for RISC-V.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "models/cpu/riscv/linux/process.hpp"

namespace sanvp::riscv::os {

/// siginfo_t: the signal as handlers and sigwaitinfo get it, and as sigqueue passes it.
struct SignalInformation {
  std::int32_t number = 0, error = 0, code = 0, padding = 0;
  std::uint64_t value = 0, sent = 0;
  std::array<std::uint64_t, 12> rest{};

  static SignalInformation of(const Signal& signal) {
    return {.number = signal.number, .code = signal.code, .value = signal.value, .sent = signal.sent};
  }
};
static_assert(sizeof(SignalInformation) == 128);

/// Handles the thread's pending signals that are not blocked: calls a handler, ignores, or kills.
void deliver_signals(Process& process, Thread& thread);

/// Takes the pending signal of the lowest number in the set, and the oldest of that number.
std::optional<Signal> take_pending(std::deque<Signal>& pending, SignalSet set);

/// A fault of the thread itself. It cannot be blocked or ignored.
void deliver_fault(Process& process, Thread& thread, const Signal& signal);

/// Calls a function of the program between two of the thread's instructions, as a handler is called: all signals are
/// blocked until it returns. False: there is no room for its frame on the stack.
bool call_function(Process& process, Thread& thread, std::uint64_t function,
                   std::span<const std::uint64_t> arguments = {});

/// rt_sigreturn: takes the registers back from the frame. False if the frame is not readable.
bool return_from_signal(Process& process, Thread& thread);

/// The state of its thread that a handler's frame, or that of call_function, keeps.
struct Interrupted {
  int signal = 0;  ///< 0: call_function
  std::uint64_t pc = 0;
  std::array<std::uint64_t, 32> x{};
};
/// Read from the frame at a stack pointer. Nothing if that is not readable.
std::optional<Interrupted> interrupted_by_frame(const Process& process, std::uint64_t frame);

/// Whether a signal, by its default or its handler, does nothing.
bool is_ignored(const SignalAction& action, int signal);

}  // namespace sanvp::riscv::os
