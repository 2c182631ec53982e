/// What software needs from the run as a whole, beyond its node.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "platform/core/time.hpp"
#include "sw/abi/hal/recorded.h"

struct hal_checked_call;  // sw/abi/hal/arguments.h

namespace sanvp::native {
class StandardInput;
}

namespace sanvp::host {

/// Identifies a process of a job; rank -1: a node's driver.
struct Identity {
  int job = 0;
  int rank = -1;
  int ranks = 0;
  int node = 0;
  int nodes = 0;
  int process = -1;  ///< among those of its node
  const int* rank_nodes = nullptr;
  const int* rank_processes = nullptr;
  int io_servers = 0;  ///< the last so many of the ranks serve files (sw/io)
  std::int64_t io_stripe = 0;
};

class CheckedProcess;

/// A load or store of a program that is checked with its memory.
struct CheckedAccess {
  std::uint64_t code = 0;  ///< of the instruction, in the program's file
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  bool is_store = false;
  std::uint64_t thread = 0;  ///< as a hal_checked_call has it
};

/// What a process tells of a message (sw/abi/hal/recorded.h).
struct Recorded {
  hal_recorded what = HAL_RECORD_ENTER;
  std::uint64_t request = 0;
  std::uint32_t peer = 0;
  std::uint64_t tag = 0;
  std::uint64_t bytes = 0;
};

class Services {
 public:
  /// The value of a software's parameter. The text lives as long as the services.
  virtual const char* setting(const char* key, const char* fallback, const char* documentation, const char* source) = 0;
  virtual void metric(const Identity& software, const char* name, double value, const char* unit) = 0;
  /// A line of its output, without the newline.
  virtual void output(const Identity& software, bool is_error, std::string_view line) = 0;
  /// Whether its output is passed on unchanged, by `bytes`, and not in labelled lines.
  virtual bool leaves_output(const Identity&) const { return false; }
  virtual void bytes(const Identity& /*software*/, bool /*is_error*/, std::string_view /*bytes*/) {}
  /// The standard input of all programs for RISC-V; null: they have none. Lives as long as the services.
  virtual native::StandardInput* standard_input() { return nullptr; }
  /// It has exited. Status 0: success.
  virtual void ended(const Identity& software, int status, Time at) = 0;
  /// It has ended its whole job: what happens to the job's other processes no longer counts.
  virtual void ended_job(const Identity& software, int status, Time at) = 0;
  /// It has failed, and with it its job.
  virtual void failed(const Identity& software, const std::string& why, Time at) = 0;
  /// Its node went down.
  virtual void died(const Identity&, Time /*at*/) {}
  /// A call that the process must still make before its end; null: none.
  virtual void owes(const Identity&, const char* /*call*/) {}
  /// Messages of programs, to report those that no receive takes (hal.h).
  virtual void message_sent(const Identity&, int /*to*/, std::uint64_t /*tag*/, std::uint64_t /*bytes*/) {}
  virtual void receive_posted(const Identity&, std::uint64_t /*receive*/, int /*from*/, std::uint64_t /*tag*/,
                              std::uint64_t /*mask*/) {}
  virtual void message_over(const Identity&, int /*from*/, int /*to*/, std::uint64_t /*tag*/,
                            std::uint64_t /*receive*/) {}
  /// A message of a program that offers traffic has arrived; and the measurement interval of the program.
  virtual void accepted(const Identity&, double /*bytes*/, Time /*from*/, Time /*until*/) {}
  virtual void measures(const Identity&, Time /*from*/, Time /*until*/) {}
  /// Whether calls of libraries are checked (hal_check).
  virtual bool checks(const Identity&) const { return false; }
  /// Such a call begins or ends. @returns whether the library must describe its objects first
  virtual bool check(const Identity&, const CheckedProcess&, const hal_checked_call&) { return false; }
  /// Whether loads and stores are checked, too; such an access of a program.
  virtual bool checks_memory(const Identity&) const { return false; }
  virtual void check(const Identity&, const CheckedAccess&) {}
  /// A call of a library by the program begins or ends (hal_call_begin), if it is made by no other such call.
  /// @param thread  of the process. @param peer  below 0: none
  virtual void call_begins(const Identity&, int /*thread*/, const char* /*name*/, int /*peer*/, std::uint64_t /*bytes*/,
                           Time /*at*/) {}
  virtual void call_ends(const Identity&, int /*thread*/, Time /*at*/) {}
  /// Called now and then while some process only tests for messages that do not come.
  virtual void tests_without_progress() {}
  /// Whether messages are recorded (sw/abi/hal/recorded.h).
  virtual bool records(const Identity&) const { return false; }
  /// @param worked  time for which the process's code has been executed so far
  virtual void record(const Identity&, const Recorded&, Time /*at*/, Time /*worked*/) {}
  /// If calls are checked: a library ends the program with this message. @param code  address in its file of the call,
  /// 0: not known
  virtual void refused(const Identity&, const CheckedProcess&, const std::string& /*message*/, std::uint64_t /*code*/) {
  }

 protected:
  ~Services() = default;
};

}  // namespace sanvp::host
