/// Perfetto's protobuf format (perfetto.proto). A block is sorted by time and has the names that it uses, so that
/// memory does not grow with the trace.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <unordered_map>
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
  /// In alphabetical order.
  void write(Fields& interned, unsigned field) const {
    std::vector<const std::pair<const std::string, std::uint64_t>*> sorted;
    for (const auto& entry : numbers_) sorted.push_back(&entry);
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->first < b->first; });
    for (const auto* name : sorted) {
      Fields entry;
      entry.add(iid, name->second);
      entry.add(text, valid(name->first));
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
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> numbers_;
};

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

struct Event {
  Time at;
  Type type;
  std::uint64_t track;                                  ///< its uuid
  Time span{0};                                         ///< of the slice that begins or ends here
  std::uint32_t order = 0;                              ///< in which it was given
  std::uint32_t fields = 0, fields_end = 0;             ///< the rest of TrackEvent, among those of all events
  std::uint32_t first_point = none, last_point = none;  ///< of arrows
};

/// A point of an arrow.
struct Point {
  std::uint64_t track;
  Time at;
  std::uint64_t id;
  bool is_last;
  std::uint32_t next = none;  ///< of the same event
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

/// The events of a block in the order of place_in_file. Sorted by counting digits of their times, since comparing them
/// would take half of the time of a trace; those of an instant, by comparison.
std::vector<std::uint32_t> sorted(const std::vector<Event>& events) {
  struct Key {
    std::uint64_t since;  ///< ps from the first event
    std::uint32_t event;
  };
  constexpr unsigned digit_bits = 11;
  constexpr std::size_t digits = std::size_t{1} << digit_bits;
  if (events.empty()) return {};
  std::vector<Key> keys(events.size()), moved(events.size());
  Time first = never, last = Time{std::numeric_limits<std::int64_t>::min()};
  for (const Event& event : events) {
    first = std::min(first, event.at);
    last = std::max(last, event.at);
  }
  const auto since = [&](Time at) {
    return static_cast<std::uint64_t>(at.count()) - static_cast<std::uint64_t>(first.count());
  };
  for (std::uint32_t i = 0; i < events.size(); ++i) keys[i] = {since(events[i].at), i};
  for (unsigned shift = 0; shift < 64 && since(last) >> shift != 0; shift += digit_bits) {
    std::array<std::uint32_t, digits + 1> places{};
    for (const Key& key : keys) ++places[(key.since >> shift) % digits + 1];
    for (std::size_t digit = 0; digit < digits; ++digit) places[digit + 1] += places[digit];
    for (const Key& key : keys) moved[places[(key.since >> shift) % digits]++] = key;
    keys.swap(moved);
  }
  for (auto begin = keys.begin(); begin != keys.end();) {
    const auto end = std::find_if(begin, keys.end(), [&](const Key& key) { return key.since != begin->since; });
    if (end - begin > 1)
      std::sort(begin, end, [&](const Key& a, const Key& b) {
        return place_in_file(events[a.event]) < place_in_file(events[b.event]);
      });
    begin = end;
  }
  std::vector<std::uint32_t> order;
  order.reserve(keys.size());
  for (const Key& key : keys) order.push_back(key.event);
  return order;
}

/// The shortest slice that begins, or ends, at an instant of a track; the first such one.
class Innermost {
 public:
  /// @param type  begin or end. A slice is found at its last picosecond, too.
  Innermost(const std::vector<Event>& events, Type type) : events_(events), type_(type) {
    std::size_t slices = 0;
    for (const Event& event : events) slices += event.type == type ? 1 : 0;
    places_.resize(std::bit_ceil(4 * slices + 1), none);
    for (const Event& event : events)
      if (event.type == type) put(event.order);
  }
  /// @returns `none` if none exists
  std::uint32_t at(std::uint64_t track, Time at) const { return places_[place(track, at)]; }

 private:
  Time found_at(const Event& event) const { return type_ == Type::end ? event.at - Time{1} : event.at; }

  void put(std::uint32_t number) {
    const Event& event = events_[number];
    std::uint32_t& known = places_[place(event.track, found_at(event))];
    if (known == none || event.span < events_[known].span) known = number;
  }

  std::size_t place(std::uint64_t track, Time at) const {
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;  // 2^64 by the golden ratio
    constexpr int upper = 32;
    std::size_t slot = (static_cast<std::uint64_t>(at.count()) + (track << upper)) * golden >> upper;
    for (;; ++slot) {
      slot &= places_.size() - 1;
      const std::uint32_t known = places_[slot];
      if (known == none || (events_[known].track == track && found_at(events_[known]) == at)) return slot;
    }
  }

  const std::vector<Event>& events_;
  Type type_;
  std::vector<std::uint32_t> places_;  ///< a power of two, most of them empty
};

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
    const std::uint64_t uuid = new_uuid(track);
    tracks_.resize(uuid + 1);
    tracks_[uuid] =
        std::make_unique<DrawnTrack>(DrawnTrack{.process = track.process, .name = thread, .rows = {Row{uuid}}});
    add_descriptor(below(track.process, uuid, thread));
  }

  void slice(Trace::Track track, std::string_view name, Time begin, Time end, Trace::Arguments arguments) override {
    const std::uint64_t number = names_.number(name), row = uuid(track);
    const auto fields = static_cast<std::uint32_t>(fields_.bytes().size());
    fields_.add(event_field::name, number);
    // The name tells readers which slice ends, should one of a later block hold one of this that begins with it.
    const auto end_of_name = static_cast<std::uint32_t>(fields_.bytes().size());
    add_arguments(arguments);
    add({.at = begin, .type = Type::begin, .track = row, .span = end - begin, .fields = fields});
    add({.at = end, .type = Type::end, .track = row, .span = end - begin, .fields = fields}).fields_end = end_of_name;
  }

  void instant(Trace::Track track, std::string_view name, Time at, Trace::Arguments arguments) override {
    const auto fields = static_cast<std::uint32_t>(fields_.bytes().size());
    fields_.add(event_field::name, names_.number(name));
    add_arguments(arguments);
    add({.at = at, .type = Type::instant, .track = uuid(track), .fields = fields});
  }

  void counter(Trace::Track track, const std::string& name, Time at, std::int64_t level) override {
    auto& known = counters_[{track.process, name}];
    if (known == 0) {
      known = ++last_uuid_;
      Fields descriptor = below(track.process, known, name);
      descriptor.add(track_field::counter, Fields());
      add_descriptor(descriptor);
    }
    const auto fields = static_cast<std::uint32_t>(fields_.bytes().size());
    fields_.add(event_field::counter, static_cast<std::uint64_t>(level));
    add({.at = at, .type = Type::counter, .track = known, .fields = fields});
  }

  void flow(Flow phase, Trace::Track track, std::uint64_t id, Time at) override {
    points_.push_back({uuid(track), at, id, phase == Flow::end});
  }

  std::size_t pending() const override {
    constexpr std::size_t bytes_event = 36;  // about: a packet with time, track, name and an argument
    return block_.bytes().size() + bytes_event * (events_.size() + points_.size());
  }

  std::string take() override {
    constexpr std::size_t most_of_event = 64;  // nearly always: with names, two arguments and a point
    attach_points();
    block_.reserve(block_.bytes().size() + most_of_event * events_.size());
    const std::vector<std::uint32_t> order = sorted(events_);
    if (!events_.empty()) write_names();
    choose_rows(order);
    for (const std::uint32_t event : order) write(events_[event]);
    events_.clear();
    points_.clear();
    fields_.clear();
    return block_.take();
  }

  std::string_view ending() const override { return {}; }

 private:
  struct DrawnTrack {
    int process;
    std::string name;
    std::vector<Row> rows;  ///< the first has the track's uuid
  };

  /// The uuid of a process (its thread is 0) or of a thread. Both count from 1.
  std::uint64_t new_uuid(Trace::Track track) {
    const auto process = static_cast<std::size_t>(track.process), thread = static_cast<std::size_t>(track.thread);
    if (uuids_.size() <= process) uuids_.resize(process + 1);
    if (uuids_[process].size() <= thread) uuids_[process].resize(thread + 1);
    return uuids_[process][thread] = ++last_uuid_;
  }
  std::uint64_t uuid(Trace::Track track) const {
    return uuids_[static_cast<std::size_t>(track.process)][static_cast<std::size_t>(track.thread)];
  }

  static Fields start_of_packet(std::uint64_t flags) {
    Fields packet;
    packet.add(packet_field::sequence, one_sequence);
    packet.add(packet_field::flags, flags);
    return packet;
  }

  void append(const Fields& packet) { block_.add(trace_packet, packet); }

  Fields below(int process, std::uint64_t row, const std::string& name) const {
    Fields descriptor;
    descriptor.add(track_field::uuid, row);
    descriptor.add(track_field::name, Names::valid(name));
    descriptor.add(track_field::parent, uuid({process, 0}));
    return descriptor;
  }

  void add_descriptor(const Fields& descriptor) {
    Fields packet = start_of_packet(uses_names);
    packet.add(packet_field::track, descriptor);
    append(packet);
  }

  /// An event whose fields are the last ones.
  Event& add(Event event) {
    event.order = static_cast<std::uint32_t>(events_.size());
    event.fields_end = static_cast<std::uint32_t>(fields_.bytes().size());
    return events_.emplace_back(event);
  }

  void add_arguments(Trace::Arguments arguments) {
    for (const auto& [name, value] : arguments) {
      part_.clear();
      part_.add(argument_field::name, argument_names_.number(name));
      part_.add(argument_field::value, static_cast<std::uint64_t>(value));
      fields_.add(event_field::argument, part_);
    }
  }

  /// Arrows lead from event to event. A point belongs to the slice of its track that begins there, or that ends there
  /// (it has its last picosecond); any other becomes an event of its own.
  void attach_points() {
    if (points_.empty()) return;
    const Innermost begins(events_, Type::begin);
    std::optional<Innermost> ends;  // seldom needed
    std::map<std::pair<std::uint64_t, Time>, std::uint32_t> own;
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
      const std::uint64_t track = points_[i].track;
      const Time at = points_[i].at;
      std::uint32_t event = begins.at(track, at);
      if (event == none && !ends) ends.emplace(events_, Type::end);
      if (event == none) event = ends->at(track, at);
      if (event == none) {
        const auto [known, is_new] = own.try_emplace({track, at});
        if (is_new) known->second = add_arrow(track, at);
        event = known->second;
      }
      attach(i, events_[event]);
    }
  }

  std::uint32_t add_arrow(std::uint64_t track, Time at) {
    const auto fields = static_cast<std::uint32_t>(fields_.bytes().size());
    fields_.add(event_field::name, names_.number("arrow"));
    return add({.at = at, .type = Type::instant, .track = track, .fields = fields}).order;
  }

  void attach(std::uint32_t point, Event& event) {
    (event.last_point == none ? event.first_point : points_[event.last_point].next) = point;
    event.last_point = point;
  }

  /// In the format the slices of a row are nested. A unit that does several things at once gets several rows, of the
  /// same name. Two events of a slice follow each other in Event::order.
  void choose_rows(const std::vector<std::uint32_t>& order) {
    std::vector<std::uint64_t> chosen(events_.size());
    for (const std::uint32_t number : order) {
      Event& event = events_[number];
      if (event.type == Type::begin) chosen[number + 1] = event.track = row_for(event);
      if (event.type == Type::end) event.track = chosen[number];
    }
  }

  std::uint64_t row_for(const Event& slice) {
    auto& [process, name, rows] = *tracks_[slice.track];
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
    part_.clear();
    part_.add(event_field::type, static_cast<std::uint64_t>(event.type));
    part_.add(event_field::track, event.track);
    part_.append(std::string_view(fields_.bytes()).substr(event.fields, event.fields_end - event.fields));
    for (std::uint32_t i = event.first_point; i != none; i = points_[i].next)
      part_.add_fixed(points_[i].is_last ? event_field::last_flow : event_field::flow, points_[i].id);
    packet_.clear();
    packet_.add(packet_field::timestamp, static_cast<std::uint64_t>(event.at.count() / ps_per_ns));
    packet_.append(start_of_event_.bytes());
    packet_.add(packet_field::event, part_);
    if (const std::int64_t rest = event.at.count() % ps_per_ns; rest != 0)
      packet_.add(packet_field::picoseconds, static_cast<std::uint64_t>(rest));
    append(packet_);
  }

  const Fields start_of_event_ = start_of_packet(uses_names);
  Fields block_;  ///< finished packets
  std::vector<Event> events_;
  std::vector<Point> points_;
  Fields fields_;         ///< of all events
  Fields part_, packet_;  ///< while they are written
  Names names_, argument_names_;
  std::uint64_t last_uuid_ = 0;
  std::vector<std::vector<std::uint64_t>> uuids_;                  ///< by process and thread; 0: of the process
  std::vector<std::unique_ptr<DrawnTrack>> tracks_;                ///< by uuid; null: of a process, counter or row
  std::map<std::pair<int, std::string>, std::uint64_t> counters_;  ///< by process and name
};

}  // namespace

std::unique_ptr<TraceFormat> perfetto_trace() { return std::make_unique<PerfettoTrace>(); }

}  // namespace sanvp
