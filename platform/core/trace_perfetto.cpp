/// Perfetto's protobuf format (perfetto.proto). A block is sorted by time and has the names that it uses, so that
/// memory does not grow with the trace.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>
#include <vector>

#include "platform/core/protobuf.hpp"
#include "platform/core/trace_format.hpp"

namespace sanvp {
namespace {

using Fields = ProtobufMessage;

// Field numbers of perfetto.proto, by message.
namespace packet_field {
constexpr unsigned timestamp = 8, sequence = 10, event = 11, names = 12, flags = 13, track = 60, picoseconds = 2047;
}
namespace track_field {
constexpr unsigned uuid = 1, name = 2, process = 3, parent = 5, counter = 8;
}
namespace process_field {
constexpr unsigned pid = 1, name = 6;
}
namespace event_field {
constexpr unsigned argument = 4, type = 9, name = 10, track = 11, counter = 30, flow = 47, last_flow = 48;
}
namespace argument_field {
constexpr unsigned name = 1, value = 4;
}
constexpr unsigned trace_packet = 1;
constexpr unsigned event_names = 2, argument_names = 3;  // of InternedData
constexpr unsigned iid = 1, text = 2;                    // of its entries

constexpr std::uint64_t one_sequence = 1;                   // any but 0: all packets have one author
constexpr std::uint64_t names_cleared = 1, uses_names = 2;  // TracePacket.SequenceFlags

/// TrackEvent.Type
enum class Type : std::uint8_t { begin = 1, end = 2, instant = 3, counter = 4 };

/// Texts of a block by number, from 1 on.
class Names {
 public:
  std::uint64_t number(std::string_view name) {
    const auto known = numbers_.find(name);
    if (known != numbers_.end()) return known->second;
    return numbers_.emplace(name, numbers_.size() + 1).first->second;
  }
  void write(Fields& interned, unsigned field) const {
    for (const auto& [name, number] : numbers_) {
      Fields entry;
      entry.add(iid, number);
      entry.add(text, valid(name));
      interned.add(field, entry);
    }
  }
  void clear() { numbers_.clear(); }

  /// In UTF-8, which texts of the format are: names may come from the user's files, in any encoding.
  static std::string valid(const std::string& name) {
    using nlohmann::json;
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::all_of(name.begin(), name.end(), is_ascii)) return name;
    return json::parse(json(name).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
  }

 private:
  std::map<std::string, std::uint64_t, std::less<>> numbers_;
};

struct Event {
  Time at;
  Type type;
  std::uint64_t track;  ///< its uuid
  Time span{0};         ///< of the slice that begins or ends here
  std::size_t order;    ///< in which it was given
  Fields fields{};      ///< the rest of TrackEvent
};

/// A point of an arrow.
struct Point {
  std::uint64_t track;
  Time at;
  std::uint64_t id;
  bool is_last;
};

/// A row of a track.
struct Row {
  struct Slice {
    Time begin, end;
  };

  std::uint64_t uuid;
  std::vector<Slice> slices{};  ///< the latest ones

  /// Takes the slice unless it overlaps another without nesting.
  bool takes(const Slice& slice) {
    std::erase_if(slices, [&](const Slice& other) { return other.end <= slice.begin; });
    const auto crosses = [&](const Slice& other) {
      return (other.begin < slice.begin && other.end < slice.end) ||
             (slice.begin < other.begin && other.begin < slice.end && slice.end < other.end);
    };
    if (std::any_of(slices.begin(), slices.end(), crosses)) return false;
    slices.push_back(slice);
    return true;
  }
};

/// Readers sort by time and leave what is simultaneous in the file's order, so that order matters: slices end before
/// others begin; among those that begin at once the longest, which contains the others, is first; among those that end
/// it is last. A slice without length is among those that begin, and its two events stay together.
auto place_in_file(const Event& event) {
  constexpr int ends = 0, levels = 1, begins = 2, others = 3;
  const bool has_length = event.span > Time{0};
  const auto order = static_cast<std::int64_t>(event.order);
  const auto place = [&](int group, Time span, std::int64_t n) { return std::tuple(event.at, group, span, n); };
  if (event.type == Type::counter) return place(levels, Time{0}, order);
  if (event.type == Type::end && has_length) return place(ends, event.span, order);
  if (event.type == Type::begin && has_length) return place(begins, -event.span, -order);
  return place(others, Time{0}, order);
}

class PerfettoTrace final : public TraceFormat {
 public:
  PerfettoTrace() {
    Fields packet = start_of_packet(names_cleared);
    append(packet);
  }

  void track(Trace::Track track, const std::string& process, const std::string& thread, bool is_first) override {
    if (is_first) {
      Fields board;
      board.add(process_field::pid, static_cast<std::uint64_t>(track.process));
      board.add(process_field::name, Names::valid(process));
      Fields descriptor;
      descriptor.add(track_field::uuid, new_uuid({track.process, 0}));
      descriptor.add(track_field::process, board);
      add_descriptor(descriptor);
    }
    const std::uint64_t uuid = new_uuid({track.process, track.thread});
    tracks_.emplace(uuid, DrawnTrack{.process = track.process, .name = thread, .rows = {Row{uuid}}});
    add_descriptor(below(track.process, uuid, thread));
  }

  void slice(Trace::Track track, std::string_view name, Time begin, Time end, Trace::Arguments arguments) override {
    const std::uint64_t number = names_.number(name);
    Event& opening = add({.at = begin, .type = Type::begin, .track = uuid(track), .span = end - begin, .order = 0});
    opening.fields.add(event_field::name, number);
    add_arguments(opening.fields, arguments);
    // The name tells readers which slice ends, should one of a later block hold one of this that begins with it.
    add({.at = end, .type = Type::end, .track = uuid(track), .span = end - begin, .order = 0})
        .fields.add(event_field::name, number);
  }

  void instant(Trace::Track track, std::string_view name, Time at, Trace::Arguments arguments) override {
    Event& event = add({.at = at, .type = Type::instant, .track = uuid(track), .order = 0});
    event.fields.add(event_field::name, names_.number(name));
    add_arguments(event.fields, arguments);
  }

  void counter(Trace::Track track, const std::string& name, Time at, std::int64_t level) override {
    auto& known = counters_[{track.process, name}];
    if (known == 0) {
      known = ++last_uuid_;
      Fields descriptor = below(track.process, known, name);
      descriptor.add(track_field::counter, Fields());
      add_descriptor(descriptor);
    }
    add({.at = at, .type = Type::counter, .track = known, .order = 0})
        .fields.add(event_field::counter, static_cast<std::uint64_t>(level));
  }

  void flow(Flow phase, Trace::Track track, std::uint64_t id, Time at) override {
    points_.push_back({uuid(track), at, id, phase == Flow::end});
  }

  std::size_t pending() const override {
    constexpr std::size_t bytes_event = 36;  // about: a packet with time, track, name and an argument
    return block_.size() + bytes_event * (events_.size() + points_.size());
  }

  std::string take() override {
    attach_points();
    std::sort(events_.begin(), events_.end(),
              [](const Event& a, const Event& b) { return place_in_file(a) < place_in_file(b); });
    if (!events_.empty()) write_names();
    choose_rows();
    for (const Event& event : events_) write(event);
    events_.clear();
    return std::exchange(block_, {});
  }

  std::string_view ending() const override { return {}; }

 private:
  struct DrawnTrack {
    int process;
    std::string name;
    std::vector<Row> rows;  ///< the first has the track's uuid
  };

  std::uint64_t new_uuid(std::pair<int, int> track) { return uuids_[track] = ++last_uuid_; }
  std::uint64_t uuid(Trace::Track track) const { return uuids_.at({track.process, track.thread}); }

  static Fields start_of_packet(std::uint64_t flags) {
    Fields packet;
    packet.add(packet_field::sequence, one_sequence);
    packet.add(packet_field::flags, flags);
    return packet;
  }

  void append(const Fields& packet) {
    Fields framed;
    framed.add(trace_packet, packet);
    block_ += framed.bytes();
  }

  Fields below(int process, std::uint64_t uuid, const std::string& name) const {
    Fields descriptor;
    descriptor.add(track_field::uuid, uuid);
    descriptor.add(track_field::name, Names::valid(name));
    descriptor.add(track_field::parent, uuids_.at({process, 0}));
    return descriptor;
  }

  void add_descriptor(const Fields& descriptor) {
    Fields packet = start_of_packet(uses_names);
    packet.add(packet_field::track, descriptor);
    append(packet);
  }

  Event& add(Event event) {
    event.order = events_.size();
    return events_.emplace_back(std::move(event));
  }

  void add_arguments(Fields& event, Trace::Arguments arguments) {
    for (const auto& [name, value] : arguments) {
      Fields argument;
      argument.add(argument_field::name, argument_names_.number(name));
      argument.add(argument_field::value, static_cast<std::uint64_t>(value));
      event.add(event_field::argument, argument);
    }
  }

  /// Arrows lead from event to event. A point belongs to the slice of its track that begins there, or that ends there
  /// (it has its last picosecond); any other becomes an event of its own.
  void attach_points() {
    std::map<std::tuple<std::uint64_t, Time, Type>, std::size_t> innermost;
    for (const Event& event : events_) {
      if (event.type != Type::begin && event.type != Type::end) continue;
      const Time at = event.type == Type::end ? event.at - Time{1} : event.at;
      const auto [known, is_new] = innermost.try_emplace({event.track, at, event.type}, event.order);
      if (!is_new && event.span < events_[known->second].span) known->second = event.order;
    }
    for (const Point& point : points_) {
      auto found = innermost.find({point.track, point.at, Type::begin});
      if (found == innermost.end()) found = innermost.find({point.track, point.at, Type::end});
      if (found == innermost.end()) {
        Event& own = add({.at = point.at, .type = Type::instant, .track = point.track, .order = 0});
        own.fields.add(event_field::name, names_.number("arrow"));
        found = innermost.emplace(std::tuple(point.track, point.at, Type::begin), own.order).first;
      }
      events_[found->second].fields.add_fixed(point.is_last ? event_field::last_flow : event_field::flow, point.id);
    }
    points_.clear();
  }

  /// In the format the slices of a row are nested. A unit that does several things at once gets several rows, of the
  /// same name. Two events of a slice follow each other in Event::order.
  void choose_rows() {
    std::vector<std::uint64_t> chosen(events_.size());
    for (Event& event : events_) {
      if (event.type == Type::begin) chosen[event.order + 1] = event.track = row_for(event);
      if (event.type == Type::end) event.track = chosen[event.order];
    }
  }

  std::uint64_t row_for(const Event& slice) {
    auto& [process, name, rows] = tracks_.at(slice.track);
    for (Row& row : rows)
      if (row.takes({slice.at, slice.at + slice.span})) return row.uuid;
    Row& added = rows.emplace_back(Row{++last_uuid_});
    add_descriptor(below(process, added.uuid, name));
    added.takes({slice.at, slice.at + slice.span});
    return added.uuid;
  }

  void write_names() {
    Fields interned;
    names_.write(interned, event_names);
    argument_names_.write(interned, argument_names);
    Fields packet = start_of_packet(names_cleared | uses_names);
    packet.add(packet_field::names, interned);
    append(packet);
    names_.clear();
    argument_names_.clear();
  }

  void write(const Event& event) {
    constexpr std::int64_t ps_per_ns = 1000;
    Fields fields;
    fields.add(event_field::type, static_cast<std::uint64_t>(event.type));
    fields.add(event_field::track, event.track);
    fields.append(event.fields.bytes());
    Fields packet;
    packet.add(packet_field::timestamp, static_cast<std::uint64_t>(event.at.count() / ps_per_ns));
    packet.append(start_of_event_.bytes());
    packet.add(packet_field::event, fields);
    if (const std::int64_t rest = event.at.count() % ps_per_ns; rest != 0)
      packet.add(packet_field::picoseconds, static_cast<std::uint64_t>(rest));
    append(packet);
  }

  const Fields start_of_event_ = start_of_packet(uses_names);
  std::string block_;  ///< finished packets
  std::vector<Event> events_;
  std::vector<Point> points_;
  Names names_, argument_names_;
  std::uint64_t last_uuid_ = 0;
  std::map<std::pair<int, int>, std::uint64_t> uuids_;             ///< by process and thread; 0: of the process
  std::map<std::uint64_t, DrawnTrack> tracks_;                     ///< by uuid
  std::map<std::pair<int, std::string>, std::uint64_t> counters_;  ///< by process and name
};

}  // namespace

std::unique_ptr<TraceFormat> perfetto_trace() { return std::make_unique<PerfettoTrace>(); }

}  // namespace sanvp
