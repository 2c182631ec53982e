#include "platform/commands/trace_file.hpp"

#include <iostream>

namespace sanvp::commands {
namespace {

Time read_end(const Parameters& parameters) {
  const auto text = parameters.text("trace-until", "never", "End of the timeline of --trace.", "a choice");
  return text == "never" ? never : parse_time(text, parameters.place("trace-until"));
}

}  // namespace

void take_trace_window(const Invocation& invocation, ParameterSet& parameters) {
  for (const std::string name : {"trace-from", "trace-until"})
    if (invocation.has(name)) parameters.set("traffic." + name, invocation.text(name), "--" + name);
}

TraceFile::TraceFile(const Invocation& invocation, const Parameters& traffic) : file_(invocation.common.trace) {
  window_.from = traffic.time("trace-from", Time{0}, "Start of the timeline of --trace.", "a choice");
  window_.until = read_end(traffic);
  if (window_.from >= window_.until)
    throw UserError(traffic.place("trace-until"), "the timeline ends before it begins, at " + to_text(window_.from),
                    "choose a later end");
  for (const char* name : {"trace-from", "trace-until"})
    if (file_.empty() && invocation.has(name))
      std::cerr << "note: --" << name << " does nothing without --trace FILE\n";
}

Trace* TraceFile::open() {
  if (file_.empty()) return nullptr;
  return &trace_.emplace(file_, window_);
}

void TraceFile::close(Time end) {
  if (!trace_) return;
  trace_->close();
  if (!trace_->is_empty()) return;
  std::cerr << "warning: " << file_ << " is empty: nothing passed from " << to_text(window_.from) << " to "
            << (window_.until == never ? "the end" : to_text(window_.until)) << "; the run ended at " << to_text(end)
            << "\n";
}

}  // namespace sanvp::commands
