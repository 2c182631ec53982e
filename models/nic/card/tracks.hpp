/// A card in a trace (`--trace`): a row for each of its units, and arrows that follow packets from row to row.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "platform/core/trace.hpp"

namespace sanvp::nic {

/// @tparam UnitOfCard  an enumeration that ends with count_; `name_of(unit)` is the name of a row
template <class UnitOfCard>
class Tracks {
 public:
  using Unit = UnitOfCard;

  /// @param trace  null: nothing is drawn
  /// @param board  name of the host, under which the rows of its links also appear
  Tracks(Trace* trace, std::string board) : trace_(trace), board_(std::move(board)) {}

  /// Whether begin..end overlaps the traced window: lets the caller skip building names.
  bool wants(Time begin, Time end) const { return trace_ != nullptr && trace_->wants(begin, end); }
  void slice(Unit unit, std::string_view name, Time begin, Time end, Trace::Arguments arguments = {}) {
    if (wants(begin, end)) trace_->slice(track(unit), name, begin, end, arguments);
  }
  /// The next point of a packet's arrow, and its last; it is attached to the slice that covers `at`.
  /// @param packet  nothing: a packet without an arrow
  void arrow(Unit unit, std::optional<std::uint64_t> packet, Time at) {
    if (packet && wants(at, at)) trace_->flow(track(unit), *packet, at);
  }
  void arrow_end(Unit unit, std::optional<std::uint64_t> packet, Time at) {
    if (packet && wants(at, at)) trace_->flow_end(track(unit), *packet, at);
  }
  /// A separate arrow that starts elsewhere.
  void arrow(const std::optional<Trace::Point>& from, Unit unit, Time at) {
    if (from && wants(at, at)) trace_->arrow(*from, {track(unit), at});
  }
  /// A point where an arrow may start; nothing if none is drawn.
  std::optional<Trace::Point> point(Unit unit, Time at) {
    return wants(at, at) ? std::optional(Trace::Point{track(unit), at}) : std::nullopt;
  }

 private:
  Trace::Track track(Unit unit) {
    auto& known = tracks_[static_cast<std::size_t>(unit)];
    if (!known) known = trace_->track(board_, name_of(unit));
    return *known;
  }

  Trace* trace_;
  std::string board_;
  std::array<std::optional<Trace::Track>, static_cast<std::size_t>(Unit::count_)> tracks_{};
};

}  // namespace sanvp::nic
