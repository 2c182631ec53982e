/// The events of a trace as bytes of a file format; Trace decides which events there are. A file is `take()` again and
/// again, then `ending()`.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "platform/core/trace.hpp"

namespace sanvp {

class TraceFormat {
 public:
  /// The position of an arrow's point in its chain.
  enum class Flow : char { start = 's', step = 't', end = 'f' };

  TraceFormat() = default;
  virtual ~TraceFormat() = default;
  TraceFormat(const TraceFormat&) = delete;
  TraceFormat& operator=(const TraceFormat&) = delete;

  /// A new track. @param is_first  of its process, which is new then
  virtual void track(Trace::Track track, const std::string& process, const std::string& thread, bool is_first) = 0;
  virtual void slice(Trace::Track track, std::string_view name, Time begin, Time end, Trace::Arguments arguments) = 0;
  virtual void instant(Trace::Track track, std::string_view name, Time at, Trace::Arguments arguments) = 0;
  /// @param name  with that of the track, since viewers identify a counter by process and name only
  virtual void counter(Trace::Track track, const std::string& name, Time at, std::int64_t level) = 0;
  virtual void flow(Flow phase, Trace::Track track, std::uint64_t id, Time at) = 0;

  /// About the bytes of the next take().
  virtual std::size_t pending() const = 0;
  /// The bytes to append to the file for all events since the last call.
  virtual std::string take() = 0;
  /// The bytes that complete a file which was not to end here.
  virtual std::string_view ending() const = 0;
};

/// Chrome's JSON trace format.
std::unique_ptr<TraceFormat> json_trace();
/// Perfetto's protobuf format: perfetto.proto.
std::unique_ptr<TraceFormat> perfetto_trace();

}  // namespace sanvp
