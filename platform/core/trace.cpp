#include "platform/core/trace.hpp"

#include <algorithm>
#include <utility>

#include "platform/core/error.hpp"
#include "platform/core/trace_format.hpp"
#include "platform/core/trace_output.hpp"

namespace sanvp {
namespace {

/// Blocks are large enough to make the cost of writing negligible, and some of them fit into the limit.
std::size_t block_bytes(std::int64_t limit) {
  constexpr std::int64_t blocks = 16, least = std::int64_t{4} << 10, most = std::int64_t{1} << 20;
  return static_cast<std::size_t>(std::clamp(limit / blocks, least, most));
}

bool is_compressed(std::string_view file) { return file.ends_with(".gz"); }

std::unique_ptr<TraceFormat> format_of(std::string_view file) {
  if (is_compressed(file)) file.remove_suffix(std::string_view(".gz").size());
  const bool is_perfetto = file.ends_with(".pftrace") || file.ends_with(".perfetto-trace");
  return is_perfetto ? perfetto_trace() : json_trace();
}

/// The same events for two formats, of which the first is the file's.
class BothFormats final : public TraceFormat {
 public:
  BothFormats(std::unique_ptr<TraceFormat> file, std::unique_ptr<TraceFormat> other)
      : file_(std::move(file)), other_(std::move(other)) {}

  void track(Trace::Track track, const std::string& process, const std::string& thread, bool is_first) override {
    file_->track(track, process, thread, is_first);
    other_->track(track, process, thread, is_first);
  }
  void slice(Trace::Track track, std::string_view name, Time begin, Time end, Trace::Arguments arguments) override {
    file_->slice(track, name, begin, end, arguments);
    other_->slice(track, name, begin, end, arguments);
  }
  void instant(Trace::Track track, std::string_view name, Time at, Trace::Arguments arguments) override {
    file_->instant(track, name, at, arguments);
    other_->instant(track, name, at, arguments);
  }
  void counter(Trace::Track track, const std::string& name, Time at, std::int64_t level) override {
    file_->counter(track, name, at, level);
    other_->counter(track, name, at, level);
  }
  void flow(Flow phase, Trace::Track track, std::uint64_t id, Time at) override { file_->flow(phase, track, id, at); }
  std::size_t pending() const override { return file_->pending(); }
  std::string take() override { return file_->take(); }
  std::string_view ending() const override { return file_->ending(); }

 private:
  std::unique_ptr<TraceFormat> file_, other_;
};

std::unique_ptr<TraceFormat> with_file(const std::string& path, std::unique_ptr<TraceFormat> also) {
  if (path.empty()) return also;
  if (also == nullptr) return format_of(path);
  return std::make_unique<BothFormats>(format_of(path), std::move(also));
}

}  // namespace

Trace::Trace(const std::string& path, Window window) : Trace(path, window, Size()) {}

Trace::Trace(const std::string& path, Window window, Size size) : Trace(path, window, std::move(size), nullptr) {}

Trace::Trace(const std::string& path, Window window, Size size, std::unique_ptr<TraceFormat> also)
    : window_(window),
      size_(std::move(size)),
      block_bytes_(block_bytes(size_.limit)),
      format_(with_file(path, std::move(also))),
      output_(path.empty() ? nullptr : std::make_unique<TraceOutput>(path, is_compressed(path), size_.limit)) {
  flush();
  if (failure_) std::rethrow_exception(failure_);
}

Trace::~Trace() {
  try {
    close();
  } catch (const UserError&) {
    // A destructor may run during another error, which is the one to report; callers that need the error call close().
  }
}

Trace::Track Trace::track(const std::string& process, const std::string& thread) {
  if (const auto known = tracks_.find({process, thread}); known != tracks_.end()) return known->second;
  const auto [owner, is_new] = processes_.emplace(process, static_cast<int>(processes_.size()) + 1);
  auto& threads = thread_names_[owner->second];
  const Track track{owner->second, static_cast<int>(threads.size()) + 1};
  threads.emplace(track.thread, thread);
  if (!cut_at_) format_->track(track, process, thread, is_new);
  return tracks_.emplace(std::pair{process, thread}, track).first->second;
}

void Trace::slice(Track track, std::string_view name, Time begin, Time end, Arguments arguments) {
  if (!wants(begin, end)) return;
  begin = std::max(begin, window_.from);
  end = std::min(end, window_.until);
  format_->slice(track, name, begin, end, arguments);
  added(end);
}

void Trace::instant(Track track, std::string_view name, Time at, Arguments arguments) {
  if (!inside(at)) return;
  format_->instant(track, name, at, arguments);
  added(at);
}

void Trace::counter(Track track, std::string_view name, Time at, std::int64_t level) {
  if (!inside(at)) return;
  format_->counter(track, thread_names_[track.process][track.thread] + " " + std::string(name), at, level);
  added(at);
}

void Trace::flow(Track track, std::uint64_t id, Time at) {
  if (!inside(at)) return;
  const bool is_first = open_flows_.insert(id).second;
  format_->flow(is_first ? TraceFormat::Flow::start : TraceFormat::Flow::step, track, id, at);
  added(at);
}

void Trace::flow_end(Track track, std::uint64_t id, Time at) {
  if (open_flows_.erase(id) == 0 || !inside(at)) return;
  format_->flow(TraceFormat::Flow::end, track, id, at);
  added(at);
}

void Trace::arrow(const Point& from, const Point& to) {
  if (!inside(from.at) || !inside(to.at)) return;
  constexpr std::uint64_t first_id = std::uint64_t{1} << 52;  // far from the ids of chains, and exact in JavaScript
  const std::uint64_t id = first_id + arrows_++;
  format_->flow(TraceFormat::Flow::start, from.track, id, from.at);
  format_->flow(TraceFormat::Flow::end, to.track, id, to.at);
  added(to.at);
}

void Trace::added(Time at) {
  empty_ = false;
  latest_ = std::max(latest_, at);
  if (format_->pending() >= block_bytes_) flush();
}

bool Trace::write_block() {
  try {
    return output_->write(format_->take(), format_->ending());
  } catch (const UserError&) {
    failure_ = std::current_exception();
    return false;
  }
}

void Trace::flush() {
  if (cut_at_ || output_ == nullptr) return;
  if (!write_block()) {
    cut_at_ = written_until_;
    window_ = {Time{0}, Time{0}};  // it wants nothing more
    return;
  }
  written_until_ = latest_;
  if (output_->size() > size_.notice && size_.noticed) std::exchange(size_.noticed, {})(latest_);
}

void Trace::close() {
  if (std::exchange(closed_, true)) return;
  flush();
  if (failure_) std::rethrow_exception(failure_);
  if (output_ != nullptr) output_->close(format_->ending());
}

}  // namespace sanvp
