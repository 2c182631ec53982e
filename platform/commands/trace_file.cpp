#include "platform/commands/trace_file.hpp"

#include <iostream>

#include "platform/commands/idle_options.hpp"
#include "platform/commands/otf2_file.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/terminal.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"

namespace sanvp::commands {
namespace {

/// From here on a viewer in a browser becomes slow, and a disk may be filled by surprise.
constexpr std::int64_t noticeable = std::int64_t{256} << 20;
/// Lower bound of --trace-limit: the names of a large machine's tracks and some events fit.
constexpr std::int64_t least_limit = std::int64_t{64} << 10;

std::int64_t read_limit(const Invocation& invocation) {
  if (!invocation.has("trace-limit")) return Trace::Size().limit;
  const std::int64_t limit = parse_size(invocation.text("trace-limit"), "--trace-limit");
  if (limit < least_limit)
    throw UserError("--trace-limit",
                    in_quotes(invocation.text("trace-limit")) + " is less than " + size_to_text(least_limit),
                    "choose more; --trace-until ends a trace early");
  return limit;
}

Time read_end(const Parameters& parameters) {
  const auto text = parameters.text("trace-until", "never", "End of the timeline of --trace.", "a choice");
  return text == "never" ? never : parse_time(text, parameters.place("trace-until"));
}

/// An OTF2 archive is another one's (otf2_file.hpp): of programs alone, and as a whole.
void leave_archive(const Invocation& invocation) {
  if (!invocation.runs_programs)
    throw UserError("--trace " + invocation.common.trace,
                    "an OTF2 archive holds calls of programs, which `sanvp run` has", "name a .pftrace or .json file");
  for (const char* name : {"trace-from", "trace-until", "trace-limit"})
    if (invocation.has(name))
      throw UserError(std::string("--") + name, "an OTF2 archive is of the whole run",
                      "leave it out, or name a .pftrace or .json file");
}

}  // namespace

void take_trace_window(const Invocation& invocation, ParameterSet& parameters) {
  for (const std::string name : {"trace-from", "trace-until"})
    if (invocation.has(name)) parameters.set("traffic." + name, invocation.text(name), "--" + name);
}

TraceFile::TraceFile(const Invocation& invocation, const Parameters& traffic)
    : file_(invocation.common.trace),
      limit_(read_limit(invocation)),
      limit_text_(invocation.has("trace-limit") ? invocation.text("trace-limit") : "") {
  window_.from = traffic.time("trace-from", Time{0}, "Start of the timeline of --trace.", "a choice");
  window_.until = read_end(traffic);
  if (window_.from >= window_.until)
    throw UserError(traffic.place("trace-until"), "the timeline ends before it begins, at " + to_text(window_.from),
                    "choose a later end");
  if (is_otf2(file_)) {
    leave_archive(invocation);
    file_.clear();
    return;
  }
  if (file_.empty())
    note_idle(invocation, {"trace-from", "trace-until", "trace-limit"}, "does nothing without --trace FILE");
}

Trace* TraceFile::open(std::unique_ptr<TraceFormat> log) {
  if (file_.empty() && log == nullptr) return nullptr;
  Trace::Size size{.limit = limit_};
  if (limit_ > noticeable) {
    size.notice = noticeable;
    size.noticed = [this](Time at) { tell_size(at); };
  }
  return &trace_.emplace(file_, window_, std::move(size), std::move(log));
}

void TraceFile::tell_size(Time at) const {
  if (before_message_) before_message_();
  std::cerr << heading("warning") << file_ << " has reached " << size_to_text(noticeable) << " at " << to_text(at)
            << "; --trace-until or --trace-limit ends it, and as .pftrace or .gz it is smaller\n";
}

void TraceFile::close(Time end) {
  if (!trace_) return;
  trace_->close();
  if (file_.empty()) return;
  if (const auto cut_at = trace_->cut_at())
    std::cerr << heading("warning") << file_ << " ends at " << to_text(*cut_at) << ", where it reached --trace-limit "
              << limit_text_ << "; the run went on to " << to_text(end) << "\n";
  if (!trace_->is_empty()) return;
  std::cerr << heading("warning") << file_ << " is empty: nothing passed from " << to_text(window_.from) << " to "
            << (window_.until == never ? "the end" : to_text(window_.until)) << "; the run ended at " << to_text(end)
            << "\n";
}

}  // namespace sanvp::commands
