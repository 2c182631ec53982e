#include "platform/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>

#include "platform/core/error.hpp"

namespace sanvp {
namespace {

constexpr std::string_view start_of_file = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
constexpr std::string_view end_of_file = "\n]}\n";
constexpr std::size_t block_bytes = std::size_t{1} << 20;  // large enough to make the cost of writing negligible

/// The format counts in microseconds; integer arithmetic keeps them exact.
std::string microseconds(Time t) {
  constexpr std::int64_t per_microsecond = 1'000'000;
  return fmt::format("{}.{:06}", t.count() / per_microsecond, t.count() % per_microsecond);
}

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_arguments(Trace::Arguments arguments) {
  if (arguments.size() == 0) return {};
  std::string json;
  for (const auto& [name, value] : arguments)
    json += fmt::format("{}{}:{}", json.empty() ? "" : ",", json_string(name), value);
  return ",\"args\":{" + json + "}";
}

[[noreturn]] void fail_to_write(const std::string& path) {
  throw UserError(path, "cannot be written: " + std::generic_category().message(errno));
}

}  // namespace

Trace::Trace(std::string path, Window window) : path_(std::move(path)), window_(window), block_(start_of_file) {
  errno = 0;
  file_.open(path_, std::ios::binary | std::ios::trunc);
  if (!file_) fail_to_write(path_);
  flush();
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
  const int pid = owner->second;
  auto& threads = thread_names_[pid];
  const int tid = static_cast<int>(threads.size()) + 1;
  threads.emplace(tid, thread);
  const auto name = [&](const char* kind, const std::string& text) {
    add(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"{}","args":{{"name":{}}}}})", pid, tid, kind,
                    json_string(text)));
  };
  if (is_new) name("process_name", process);
  name("thread_name", thread);
  return tracks_.emplace(std::pair{process, thread}, Track{pid, tid}).first->second;
}

void Trace::slice(Track track, std::string_view name, Time begin, Time end, Arguments arguments) {
  if (!wants(begin, end)) return;
  begin = std::max(begin, window_.from);
  end = std::min(end, window_.until);
  event(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{}{}}})", track.process, track.thread,
                    microseconds(begin), microseconds(end - begin), json_string(name), json_arguments(arguments)));
}

void Trace::instant(Track track, std::string_view name, Time at, Arguments arguments) {
  if (!inside(at)) return;
  event(fmt::format(R"({{"ph":"i","s":"t","pid":{},"tid":{},"ts":{},"name":{}{}}})", track.process, track.thread,
                    microseconds(at), json_string(name), json_arguments(arguments)));
}

void Trace::counter(Track track, std::string_view name, Time at, std::int64_t level) {
  if (!inside(at)) return;
  // Viewers identify a counter by process and name only, so its name includes that of the track.
  const std::string full_name = thread_names_[track.process][track.thread] + " " + std::string(name);
  event(fmt::format(R"({{"ph":"C","pid":{},"tid":{},"ts":{},"name":{},"args":{{"value":{}}}}})", track.process,
                    track.thread, microseconds(at), json_string(full_name), level));
}

void Trace::flow(Track track, std::uint64_t id, Time at) {
  if (!inside(at)) return;
  const bool is_first = open_flows_.insert(id).second;
  flow_event(is_first ? 's' : 't', track, id, at);
}

void Trace::flow_end(Track track, std::uint64_t id, Time at) {
  if (open_flows_.erase(id) != 0 && inside(at)) flow_event('f', track, id, at);
}

void Trace::arrow(const Point& from, const Point& to) {
  if (!inside(from.at) || !inside(to.at)) return;
  constexpr std::uint64_t first_id = std::uint64_t{1} << 52;  // far from the ids of chains, and exact in JavaScript
  const std::uint64_t id = first_id + arrows_++;
  flow_event('s', from.track, id, from.at);
  flow_event('f', to.track, id, to.at);
}

void Trace::flow_event(char phase, Track track, std::uint64_t id, Time at) {
  // "bp":"e" attaches the end of an arrow to the enclosing slice instead of the next one.
  event(fmt::format(R"({{"ph":"{}","bp":"e","cat":"flow","name":"flow","id":{},"pid":{},"tid":{},"ts":{}}})", phase, id,
                    track.process, track.thread, microseconds(at)));
}

void Trace::event(const std::string& json) {
  empty_ = false;
  add(json);
}

void Trace::add(const std::string& json) {
  block_.append(first_ ? "\n" : ",\n").append(json);
  first_ = false;
  if (block_.size() >= block_bytes) flush();
}

void Trace::flush() {
  errno = 0;
  file_.write(block_.data(), static_cast<std::streamsize>(block_.size()));
  block_.clear();
  // The ending follows every block, and the next block overwrites it; a file that cannot seek gets it only at the end.
  const auto end = closed_ ? std::ofstream::pos_type(-1) : file_.tellp();
  if (closed_ || end != std::ofstream::pos_type(-1)) file_.write(end_of_file.data(), end_of_file.size());
  file_.flush();
  if (!file_) fail_to_write(path_);
  if (!closed_ && end != std::ofstream::pos_type(-1)) file_.seekp(end);
}

void Trace::close() {
  if (closed_) return;
  closed_ = true;
  flush();
  file_.close();
  if (!file_) fail_to_write(path_);
}

}  // namespace sanvp
