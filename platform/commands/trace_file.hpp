/// The timeline of --trace, for the commands that run a network.
#pragma once

#include <optional>

#include "platform/commands/command.hpp"
#include "platform/core/trace.hpp"

namespace sanvp::commands {

/// Turns --trace-from and --trace-until into keys of section [traffic], like the other options of a run.
void take_trace_window(const Invocation& invocation, ParameterSet& parameters);

class TraceFile {
 public:
  /// Reads the window. Throws UserError if it ends before it begins.
  TraceFile(const Invocation& invocation, const Parameters& traffic);

  /// Creates the file, if --trace is given. @return null without --trace
  Trace* open();
  /// Completes the file; prints a warning if the window contains no event.
  /// @param end  time of the end of the run
  void close(Time end);

 private:
  std::string file_;
  Trace::Window window_;
  std::optional<Trace> trace_;
};

}  // namespace sanvp::commands
