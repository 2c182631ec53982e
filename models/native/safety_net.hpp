/// What becomes of an image's code that crashes, never gives way, or runs when the user presses Ctrl-C: the net below
/// the code that runs now catches it, and its owner goes on.
#pragma once

#include <array>
#include <csetjmp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "models/native/image.hpp"
#include "platform/core/time.hpp"

namespace sanvp::native {

/// How code came to grief.
struct Fault {
  int signal = 0;
  const void* address = nullptr;  ///< what it reached for; null where the signal has none
  const void* code = nullptr;     ///< the instruction
  bool stack_overflow = false;
  static constexpr std::size_t most_callers = 12;
  std::array<const void*, most_callers> callers{};  ///< in the image: where calls return to, the latest first
  long system_call = -1;                            ///< of SIGSYS
  /// "segmentation fault at address 0x10", "stack overflow", "division by zero or the like" ...
  std::string to_text() const;
  /// The same with the place in `image`, and how the code came there.
  std::string to_text(const Image& image) const;
};

/// @invariant  lives as long as it is spread
struct SafetyNet {
  jmp_buf landing{};             ///< set before the code begins, on its own stack
  Range stack{};                 ///< of the code
  Range guard{};                 ///< below it: who reaches for that has used it up
  const Image* image = nullptr;  ///< null: code that is not watched for running away
  std::string who{};             ///< "rank 3 on node 3", for what is said of it while it runs
  /// Of this computer's processor, in one stretch: then code is ended where `ends_runaway`, and reported else.
  Time patience{0};
  bool ends_runaway = false;
  std::uint64_t handled_signals = 0;       ///< 1 << number, by the program: a write that fails does not end it
  std::function<void(int status)> exit{};  ///< for a system call that would end the simulator; does not return

  std::optional<Fault> fault{};  ///< once it has landed
};

/// From now on faults are caught by the net that is spread then.
void catch_faults();

/// The net below the code that runs from now on; null: none, a fault is the program's own. @return the one before
SafetyNet* spread(SafetyNet* net);

/// Runs code on the stack of the caller. @return how it came to grief, if it did: then no destructor of its frames ran
std::optional<Fault> run_safely(const std::function<void()>& code);

/// From now on Ctrl-C ends the code that runs with a Fault, or, where none does, sets `was_interrupted`. A second one
/// ends the program.
void catch_interrupts();
bool was_interrupted();

}  // namespace sanvp::native
