/// Chrome's JSON trace format.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "platform/core/trace_format.hpp"

namespace sanvp {
namespace {

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Appends to a text without a check of its capacity for each piece. The text has its length back in the end.
class Line {
 public:
  /// @param most  bytes that it may take, together with the names that it quotes
  Line(std::string& text, std::size_t most) : text_(text) {
    const std::size_t before = text.size();
    text.resize(before + most);
    at_ = text.data() + before;
  }
  ~Line() { text_.resize(static_cast<std::size_t>(at_ - text_.data())); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  Line& operator<<(std::string_view text) {
    at_ = std::copy(text.begin(), text.end(), at_);
    return *this;
  }
  Line& operator<<(std::int64_t number) {
    at_ = std::to_chars(at_, at_ + most_digits, number).ptr;
    return *this;
  }
  Line& operator<<(std::uint64_t number) {
    at_ = std::to_chars(at_, at_ + most_digits, number).ptr;
    return *this;
  }
  Line& operator<<(int number) { return *this << std::int64_t{number}; }
  Line& operator<<(char letter) {
    *at_++ = letter;
    return *this;
  }
  /// The format counts in microseconds; integer arithmetic keeps them exact.
  Line& operator<<(Time time) {
    constexpr std::int64_t per_microsecond = 1'000'000;
    constexpr int decimals = 6;
    if (time < Time{0}) *this << '-';
    const std::int64_t ps = std::abs(time.count());
    *this << ps / per_microsecond << '.';
    std::int64_t rest = ps % per_microsecond;
    for (int place = decimals - 1; place >= 0; --place, rest /= 10) at_[place] = static_cast<char>('0' + rest % 10);
    at_ += decimals;
    return *this;
  }
  Line& quote(std::string_view text) {
    if (!std::all_of(text.begin(), text.end(), is_plain)) return *this << json_string(text);
    return *this << '"' << text << '"';
  }

  static constexpr std::size_t most_digits = 20;

 private:
  static bool is_plain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

  std::string& text_;
  char* at_;
};

/// Bytes of a line beside its names: the longest text of a format, and five numbers.
constexpr std::size_t most_beside = 256;

/// A character of a name takes six bytes at most: \u001f.
std::size_t most_of(std::string_view name) { return 2 + 6 * name.size(); }

std::size_t most_of(Trace::Arguments arguments) {
  std::size_t most = 0;
  for (const auto& [name, value] : arguments) most += most_of(name) + Line::most_digits + 2;
  return most;
}

class JsonTrace final : public TraceFormat {
 public:
  void track(Trace::Track track, const std::string& process, const std::string& thread, bool is_first) override {
    const auto name = [&](std::string_view kind, const std::string& text) {
      Line line(block_, most_beside + most_of(text));
      begin(line, R"({"ph":"M")", track);
      line << R"(,"name":")" << kind << R"(","args":{"name":)";
      line.quote(text) << "}}";
    };
    if (is_first) name("process_name", process);
    name("thread_name", thread);
  }

  void slice(Trace::Track track, std::string_view name, Time begins, Time ends, Trace::Arguments arguments) override {
    Line line(block_, most_beside + most_of(name) + most_of(arguments));
    begin(line, R"({"ph":"X")", track);
    line << R"(,"ts":)" << begins << R"(,"dur":)" << ends - begins;
    end(line, name, arguments);
  }

  void instant(Trace::Track track, std::string_view name, Time at, Trace::Arguments arguments) override {
    Line line(block_, most_beside + most_of(name) + most_of(arguments));
    begin(line, R"({"ph":"i","s":"t")", track);
    line << R"(,"ts":)" << at;
    end(line, name, arguments);
  }

  void counter(Trace::Track track, const std::string& name, Time at, std::int64_t level) override {
    Line line(block_, most_beside + most_of(name));
    begin(line, R"({"ph":"C")", track);
    line << R"(,"ts":)" << at << R"(,"name":)";
    line.quote(name) << R"(,"args":{"value":)" << level << "}}";
  }

  void flow(Flow phase, Trace::Track track, std::uint64_t id, Time at) override {
    Line line(block_, most_beside);
    // "bp":"e" attaches the end of an arrow to the enclosing slice instead of the next one.
    line << separator() << R"({"ph":")" << static_cast<char>(phase) << R"(","bp":"e","cat":"flow","name":"flow","id":)"
         << id;
    put(line, track);
    line << R"(,"ts":)" << at << '}';
  }

  std::size_t pending() const override { return block_.size(); }
  std::string take() override { return std::exchange(block_, {}); }
  std::string_view ending() const override { return "\n]}\n"; }

 private:
  std::string_view separator() { return std::exchange(first_, false) ? "\n" : ",\n"; }

  static void put(Line& line, Trace::Track track) {
    line << R"(,"pid":)" << track.process << R"(,"tid":)" << track.thread;
  }

  void begin(Line& line, std::string_view kind, Trace::Track track) {
    line << separator() << kind;
    put(line, track);
  }

  static void end(Line& line, std::string_view name, Trace::Arguments arguments) {
    line << R"(,"name":)";
    line.quote(name);
    if (arguments.size() != 0) line << R"(,"args":{)";
    bool is_first = true;
    for (const auto& [argument, value] : arguments) {
      if (!std::exchange(is_first, false)) line << ',';
      line.quote(argument) << ':' << value;
    }
    line << (arguments.size() != 0 ? "}}" : "}");
  }

  std::string block_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
  bool first_ = true;
};

}  // namespace

std::unique_ptr<TraceFormat> json_trace() { return std::make_unique<JsonTrace>(); }

}  // namespace sanvp
