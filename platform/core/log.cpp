#include "platform/core/log.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "platform/core/error.hpp"
#include "platform/core/text.hpp"
#include "platform/core/trace_format.hpp"
#include "platform/core/units.hpp"

namespace sanvp {
namespace {

constexpr const char* place = "--log";

Log::Level level_named(const std::string& name) {
  if (name == "off") return Log::Level::off;
  if (name == "info") return Log::Level::info;
  if (name == "debug") return Log::Level::debug;
  const std::string near = nearest(name, {"off", "info", "debug"});
  throw UserError(place, "there is no level " + in_quotes(name),
                  near.empty() ? "known: off, info, debug" : "did you mean " + in_quotes(near) + "?");
}

bool fits_name(const std::string& pattern, const std::string& path) {
  return fnmatch(pattern.c_str(), path.c_str(), 0) == 0;
}

/// Whether the pattern is the path's name, or that of something above it.
bool fits_path_or_above(const std::string& pattern, const std::string& path) {
  for (std::size_t end = path.find('.'); end != std::string::npos; end = path.find('.', end + 1))
    if (fits_name(pattern, path.substr(0, end))) return true;
  return fits_name(pattern, path);
}

class LogOfTrace final : public TraceFormat {
 public:
  LogOfTrace(const Log& log, std::function<std::string(const std::string&, const std::string&)> path)
      : log_(log), path_(std::move(path)) {}

  void track(Trace::Track track, const std::string& process, const std::string& thread, bool) override {
    std::string path = path_(process, thread);
    if (log_.level_of(path) == Log::Level::debug) paths_.emplace(std::pair(track.process, track.thread), path);
  }
  void slice(Trace::Track track, std::string_view name, Time begin, Time end, Trace::Arguments arguments) override {
    if (const std::string* path = find(track))
      log_.add(begin, *path, fmt::format("{} for {}{}", name, to_text(end - begin), text_of(arguments)));
  }
  void instant(Trace::Track track, std::string_view name, Time at, Trace::Arguments arguments) override {
    if (const std::string* path = find(track)) log_.add(at, *path, std::string(name) + text_of(arguments));
  }
  void counter(Trace::Track track, const std::string& name, Time at, std::int64_t level) override {
    if (const std::string* path = find(track)) log_.add(at, *path, fmt::format("{} is {}", name, level));
  }
  void flow(Flow, Trace::Track, std::uint64_t, Time) override {}
  std::size_t pending() const override { return 0; }
  std::string take() override { return {}; }
  std::string_view ending() const override { return {}; }

 private:
  const std::string* find(Trace::Track track) const {
    const auto found = paths_.find({track.process, track.thread});
    return found == paths_.end() ? nullptr : &found->second;
  }
  static std::string text_of(Trace::Arguments arguments) {
    std::string text;
    for (const auto& [name, value] : arguments) text += fmt::format(", {} {}", name, value);
    return text;
  }

  const Log& log_;
  std::function<std::string(const std::string&, const std::string&)> path_;
  std::map<std::pair<int, int>, std::string> paths_;  ///< of the rows that are logged
};

}  // namespace

Log::Log(std::string root, const std::vector<std::string>& wishes, Write write)
    : root_(std::move(root)), write_(std::move(write)) {
  for (const std::string& text : wishes) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0)
      throw UserError(place, in_quotes(text) + " is no OBJECT=LEVEL", "write --log node_3.nic=debug");
    wishes_.push_back({text.substr(0, equals), level_named(text.substr(equals + 1))});
  }
}

bool Log::fits(const Wish& wish, const std::string& path) const {
  return fits_path_or_above(wish.object, path) || fits_path_or_above(wish.object, root_ + "." + path);
}

void Log::require_known(const std::vector<std::string>& objects, const std::vector<std::string>& open) const {
  for (const Wish& wish : wishes_) {
    const auto is_known = [&](const std::string& object) { return fits(wish, object); };
    const std::string above = wish.object.substr(0, wish.object.rfind('.'));
    const auto may_be_below = [&](const std::string& object) {
      return above != wish.object && (fits_name(above, object) || fits_name(above, root_ + "." + object));
    };
    if (std::any_of(objects.begin(), objects.end(), is_known) || std::any_of(open.begin(), open.end(), is_known) ||
        std::any_of(open.begin(), open.end(), may_be_below))
      continue;
    std::vector<std::string> known = objects;
    known.insert(known.end(), open.begin(), open.end());
    throw UserError(place, "this machine has no object " + in_quotes(wish.object),
                    "the nearest is " + in_quotes(nearest_of_all(wish.object, known)));
  }
}

Log::Level Log::level_of(const std::string& path) const {
  const auto found = std::find_if(wishes_.rbegin(), wishes_.rend(), [&](const Wish& wish) { return fits(wish, path); });
  return found == wishes_.rend() ? Level::off : found->level;
}

void Log::add(Time at, const std::string& path, std::string_view what) const {
  for (const Wish& wish : wishes_)
    if (fits(wish, path)) wish.has_spoken = true;
  write_(fmt::format("{} {}.{}: {}\n", to_text(at), root_, path, what));
}

std::vector<std::string> Log::silent() const {
  std::vector<std::string> objects;
  for (const Wish& wish : wishes_)
    if (wish.level != Level::off && !wish.has_spoken) objects.push_back(wish.object);
  return objects;
}

std::string log_name(std::string_view text) {
  std::string name(text);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == '.'; }, '_');
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

std::unique_ptr<TraceFormat> log_of_trace(
    const Log& log, std::function<std::string(const std::string& board, const std::string& row)> path) {
  return std::make_unique<LogOfTrace>(log, std::move(path));
}

}  // namespace sanvp
