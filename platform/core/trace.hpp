/// A timeline for Perfetto (ui.perfetto.dev). A track is a row; tracks are grouped under a process, here a board
/// ("switch 3") with its ports and engines ("port 5").
///   Trace trace("run.json", {10us, 20us});
///   const auto port = trace.track("switch 3", "port 5");
///   trace.slice(port, "packet 17", head, tail, {{"bytes", 320}});
///   trace.flow(port, 17, head);
/// The file's name chooses its format: `.pftrace` and `.perfetto-trace` are Perfetto's own, any other Chrome's JSON,
/// which chrome://tracing reads as well; with a further `.gz` compressed.
/// Perfetto keeps whole nanoseconds, so it shows 6.25 ns as 6; the file has all picoseconds.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "platform/core/time.hpp"

namespace sanvp {

class TraceFormat;
class TraceOutput;

class Trace {
 public:
  /// The recorded time: `from` <= time < `until`.
  struct Window {
    Time from{0};
    Time until = never;
  };
  /// Limits on the file's size, in bytes.
  struct Size {
    std::int64_t limit = std::numeric_limits<std::int64_t>::max();   ///< the trace ends before the file exceeds it
    std::int64_t notice = std::numeric_limits<std::int64_t>::max();  ///< `noticed` is called when the file exceeds it
    std::function<void(Time)> noticed{};                             ///< with the time of the latest event
  };
  struct Track {
    int process;
    int thread;
  };
  /// A point on a slice, at which an arrow begins or ends.
  struct Point {
    Track track;
    Time at;
  };
  using Arguments = std::initializer_list<std::pair<std::string_view, std::int64_t>>;

  /// Throws UserError if the file cannot be written. If the disk is full later, the trace ends there and close()
  /// throws: events are added from code of programs, through whose stacks no exception may pass.
  Trace(const std::string& path, Window window);
  Trace(const std::string& path, Window window, Size size);
  /// Tells all events to another format as well, whose bytes are not taken: a log. @param path  empty: there is no file
  Trace(const std::string& path, Window window, Size size, std::unique_ptr<TraceFormat> also);
  /// The file is complete after every block, so a run that ends early in any way leaves a valid file.
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// The track of these names; created at the first call.
  Track track(const std::string& process, const std::string& thread);

  /// False if begin..end is outside the window; the caller can then skip making names.
  bool wants(Time begin, Time end) const {
    return begin < window_.until && (end > window_.from || begin >= window_.from);
  }

  /// An interval; the part outside the window is cut off.
  void slice(Track track, std::string_view name, Time begin, Time end, Arguments arguments = {});
  void instant(Track track, std::string_view name, Time at, Arguments arguments = {});
  /// A level from `at` on, drawn as a separate curve named after the track and `name`.
  void counter(Track track, std::string_view name, Time at, std::int64_t level);
  /// The next point of arrow chain `id`, which starts at the first one. It attaches to the slice at `at` on the track.
  void flow(Track track, std::uint64_t id, Time at);
  /// The last point of arrow chain `id`.
  void flow_end(Track track, std::uint64_t id, Time at);

  /// A single arrow.
  void arrow(const Point& from, const Point& to);

  /// No event is in the window so far.
  bool is_empty() const { return empty_; }

  /// The time of the latest event, if the trace ended before the run because of Size::limit.
  std::optional<Time> cut_at() const { return cut_at_; }

  /// Completes the file; nothing may be added afterwards. Throws UserError if it could not be written in full.
  void close();

 private:
  bool inside(Time at) const { return at >= window_.from && at < window_.until; }
  void added(Time at);
  void flush();
  /// @returns whether there was room
  bool write_block();

  Window window_;
  Size size_;
  std::size_t block_bytes_;
  std::unique_ptr<TraceFormat> format_;  ///< of the file, and what is told of the same events
  std::unique_ptr<TraceOutput> output_;  ///< null: there is no file
  std::map<std::pair<std::string, std::string>, Track> tracks_;
  std::map<int, std::map<int, std::string>> thread_names_;  ///< by process, thread
  std::map<std::string, int> processes_;
  std::unordered_set<std::uint64_t> open_flows_;
  std::uint64_t arrows_ = 0;
  Time latest_{0};         ///< of all events
  Time written_until_{0};  ///< latest_ of those in the file
  std::optional<Time> cut_at_;
  std::exception_ptr failure_;  ///< why nothing more can be written
  bool empty_ = true;           ///< apart from names of tracks
  bool closed_ = false;
};

}  // namespace sanvp
