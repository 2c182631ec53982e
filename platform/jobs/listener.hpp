/// What a recording hears of the calls and messages of a job's processes, as host::Services gets them. No call takes
/// simulated time, and none may throw: programs' code is below it on the stack.
#pragma once

#include <cstdint>

#include "models/host/services.hpp"

namespace sanvp::jobs {

class Listener {
 public:
  /// A call of MPI, of programs whose wrappers tell of it. @returns whether the library must describe its objects first
  virtual bool check(const host::Identity&, const host::CheckedProcess&, const hal_checked_call&) { return false; }
  virtual void call_begins(const host::Identity&, int /*thread*/, const char* /*name*/, int /*peer*/,
                           std::uint64_t /*bytes*/, Time /*at*/) {}
  virtual void call_ends(const host::Identity&, int /*thread*/, Time /*at*/) {}
  virtual void message_sent(const host::Identity&, int /*to*/, std::uint64_t /*tag*/, std::uint64_t /*bytes*/) {}
  virtual void receive_posted(const host::Identity&, std::uint64_t /*receive*/) {}
  virtual void message_over(const host::Identity&, int /*from*/, int /*to*/, std::uint64_t /*tag*/,
                            std::uint64_t /*receive*/) {}

 protected:
  ~Listener() = default;
};

}  // namespace sanvp::jobs
