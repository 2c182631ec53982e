/// Everything that can end a run early, as an exception. The command line turns it into one clear message and an exit
/// status (README.md).
#pragma once

#include <stdexcept>
#include <string>

namespace sanvp {

/// Exit statuses of the command line; checks rely on them.
enum class Exit { done = 0, user_mistake = 2, deadlock = 3, program_failed = 4, until_reached = 5, interrupted = 130 };

/// The reason why a run cannot continue. `what()` is the whole message: place, cause and cure.
class Error : public std::runtime_error {
 public:
  Error(Exit status, const std::string& message) : std::runtime_error(message), status_(status) {}
  Exit status() const { return status_; }

 private:
  Exit status_;
};

/// A mistake that the user can correct: in a key, a file, a topology.
/// @param place  where: `file:line`, an option or a part's path
/// @param cause  what is wrong there
/// @param cure   what to do about it (may be empty)
class UserError : public Error {
 public:
  UserError(const std::string& place, const std::string& cause, const std::string& cure = {})
      : Error(Exit::user_mistake, place + ": " + cause + (cure.empty() ? "" : "; " + cure)) {}
};

/// Worms that wait for each other for ever, proved before the run or found during it. The message contains the cycle.
class Deadlock : public Error {
 public:
  explicit Deadlock(const std::string& cycle) : Error(Exit::deadlock, "deadlock: " + cycle) {}
};

}  // namespace sanvp
