/// Handling of an image's code that crashes, never yields, or runs when the user presses Ctrl-C: the safety net in
/// force catches it with a longjmp, and the fiber's owner continues.
#pragma once

#include <array>
#include <csetjmp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "models/native/code_map.hpp"
#include "models/native/range.hpp"
#include "platform/core/time.hpp"

namespace sanvp::native {

namespace interpreted {
struct Registers;
}

/// How code crashed or was ended.
struct Fault {
  int signal = 0;
  const void* address = nullptr;  ///< of the faulting access; null if the signal has none
  const void* code = nullptr;     ///< the instruction
  bool stack_overflow = false;
  static constexpr std::size_t most_callers = 12;
  std::array<const void*, most_callers> callers{};  ///< return addresses in the image, innermost first
  long system_call = -1;                            ///< its number, for SIGSYS
  /// "segmentation fault at address 0x10", "stack overflow", "arithmetic fault, such as a division by 0" ...
  std::string to_text() const;
  /// The same with the place in `image` and the calls that led there.
  std::string to_text(const CodeMap& image) const;
};

/// @invariant  outlives the time for which it is in force
struct SafetyNet {
  jmp_buf landing{};               ///< set before the code begins, on its own stack
  Range stack{};                   ///< of the code
  Range guard{};                   ///< below the stack: an access there is a stack overflow
  const CodeMap* image = nullptr;  ///< null: runaway code is not detected
  std::string label{};             ///< "rank 3 on node 3", for warnings
  /// CPU time of the simulating computer without a yield after which the code is ended if `ends_runaway`, and reported
  /// otherwise. 0: never.
  Time timeout{0};
  bool ends_runaway = false;
  std::uint64_t handled_signals = 0;       ///< bit mask (1 << number) of signals for which the program has handlers
  std::function<void(int status)> exit{};  ///< called for a raw exit system call; does not return

  const interpreted::Registers* interpreted = nullptr;  ///< of code that is interpreted now

  std::optional<Fault> fault{};  ///< set when the net has caught the code
};

/// Installs the signal handlers: from now on the net in force catches faults.
void catch_faults();

/// Puts a net in force for the code that runs from now on; null: none, a fault is the simulator's own.
/// @return the one before
SafetyNet* exchange_net(SafetyNet* net);
SafetyNet* net_in_force();

/// Runs code on the caller's stack. @return the fault, if it crashed: then no destructor of its frames ran
std::optional<Fault> run_safely(const std::function<void()>& code);

/// Ends the code of an image of which a library starts a thread; returns if none is running.
void refuse_thread();

/// From now on Ctrl-C ends the running code with a Fault, or sets `was_interrupted` if none runs. A second Ctrl-C ends
/// the program.
void catch_interrupts();
bool was_interrupted();

}  // namespace sanvp::native
