/// The timeline of --trace, for the commands that run a network.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "platform/commands/command.hpp"
#include "platform/core/trace.hpp"
#include "platform/core/trace_format.hpp"

namespace sanvp::commands {

/// Turns --trace-from and --trace-until into keys of section [traffic], like the other options of a run.
void take_trace_window(const Invocation& invocation, ParameterSet& parameters);

class TraceFile {
 public:
  /// Reads the window and the limit. Throws UserError if the window ends before it begins, or the limit is too small.
  TraceFile(const Invocation& invocation, const Parameters& traffic);

  /// @param before  called before a message during the run
  void before_message(std::function<void()> before) { before_message_ = std::move(before); }
  /// Creates the file, if --trace is given. @param log  of the same events, or null
  /// @return null without --trace and without a log
  Trace* open(std::unique_ptr<TraceFormat> log = nullptr);
  /// Completes the file; prints a warning if the window contains no event, or the limit has cut it.
  /// @param end  time of the end of the run
  void close(Time end);

 private:
  void tell_size(Time at) const;

  std::string file_;
  std::int64_t limit_;  ///< bytes
  std::string limit_text_;
  std::function<void()> before_message_;
  Trace::Window window_;
  std::optional<Trace> trace_;
};

}  // namespace sanvp::commands
