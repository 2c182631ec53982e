/// The timeline of --trace, as the commands that run a network draw it.
#pragma once

#include <optional>

#include "platform/commands/command.hpp"
#include "platform/core/trace.hpp"

namespace sanvp::commands {

/// --trace-from and --trace-until become keys of section [traffic], as the other options of a run are.
void take_trace_window(const Invocation& invocation, ParameterSet& parameters);

class TraceFile {
 public:
  /// Reads the window. Throws UserError where it ends before it begins.
  TraceFile(const Invocation& invocation, const Parameters& traffic);

  /// Makes the file, if --trace asks for one. @return null: it does not
  Trace* open();
  /// Ends the file; says on standard error where nothing fell into the window.
  /// @param end  of the run
  void close(Time end);

 private:
  std::string file_;
  Trace::Window window_;
  std::optional<Trace> trace_;
};

}  // namespace sanvp::commands
