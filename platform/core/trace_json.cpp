/// Chrome's JSON trace format.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "platform/core/trace_format.hpp"

namespace sanvp {
namespace {

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

class JsonTrace final : public TraceFormat {
 public:
  void track(Trace::Track track, const std::string& process, const std::string& thread, bool is_first) override {
    const auto name = [&](const char* kind, const std::string& text) {
      add(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"{}","args":{{"name":{}}}}})", track.process, track.thread,
                      kind, json_string(text)));
    };
    if (is_first) name("process_name", process);
    name("thread_name", thread);
  }

  void slice(Trace::Track track, std::string_view name, Time begin, Time end, Trace::Arguments arguments) override {
    add(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{}{}}})", track.process, track.thread,
                    microseconds(begin), microseconds(end - begin), json_string(name), json_arguments(arguments)));
  }

  void instant(Trace::Track track, std::string_view name, Time at, Trace::Arguments arguments) override {
    add(fmt::format(R"({{"ph":"i","s":"t","pid":{},"tid":{},"ts":{},"name":{}{}}})", track.process, track.thread,
                    microseconds(at), json_string(name), json_arguments(arguments)));
  }

  void counter(Trace::Track track, const std::string& name, Time at, std::int64_t level) override {
    add(fmt::format(R"({{"ph":"C","pid":{},"tid":{},"ts":{},"name":{},"args":{{"value":{}}}}})", track.process,
                    track.thread, microseconds(at), json_string(name), level));
  }

  void flow(Flow phase, Trace::Track track, std::uint64_t id, Time at) override {
    // "bp":"e" attaches the end of an arrow to the enclosing slice instead of the next one.
    add(fmt::format(R"({{"ph":"{}","bp":"e","cat":"flow","name":"flow","id":{},"pid":{},"tid":{},"ts":{}}})",
                    static_cast<char>(phase), id, track.process, track.thread, microseconds(at)));
  }

  std::size_t pending() const override { return block_.size(); }
  std::string take() override { return std::exchange(block_, {}); }
  std::string_view ending() const override { return "\n]}\n"; }

 private:
  void add(const std::string& json) { block_.append(std::exchange(first_, false) ? "\n" : ",\n").append(json); }

  std::string block_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
  bool first_ = true;
};

}  // namespace

std::unique_ptr<TraceFormat> json_trace() { return std::make_unique<JsonTrace>(); }

}  // namespace sanvp
