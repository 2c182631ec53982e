/// The card in a trace (`--trace`): a row for each interface's sending and receiving side and one for the barrier, with
/// arrows from the CPU's store to the order, along the links, to the far side, and on to who waits for what it writes.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "models/nic/tofu/registers.h"
#include "platform/core/trace.hpp"

namespace sanvp::nic::tofu {

class Tracks {
 public:
  static constexpr std::uint32_t barrier_row = 2 * TOFU_TNIS;
  static std::uint32_t sending(std::uint32_t tni) { return 2 * tni; }
  static std::uint32_t receiving(std::uint32_t tni) { return 2 * tni + 1; }

  /// @param trace  null: nothing is drawn
  /// @param board  name of the host, under which its links have their rows too
  Tracks(Trace* trace, std::string board) : trace_(trace), board_(std::move(board)) {}

  bool wants(Time begin, Time end) const { return trace_ != nullptr && trace_->wants(begin, end); }
  void slice(std::uint32_t row, std::string_view name, Time begin, Time end, Trace::Arguments arguments = {}) {
    if (wants(begin, end)) trace_->slice(track(row), name, begin, end, arguments);
  }
  /// A packet's arrow: its next point, and its last.
  void arrow(std::uint32_t row, std::uint64_t packet, Time at) {
    if (packet != 0 && wants(at, at)) trace_->flow(track(row), packet, at);
  }
  void arrow_end(std::uint32_t row, std::uint64_t packet, Time at) {
    if (packet != 0 && wants(at, at)) trace_->flow_end(track(row), packet, at);
  }
  /// An arrow by itself, from elsewhere.
  void arrow(const std::optional<Trace::Point>& from, std::uint32_t row, Time at) {
    if (from && wants(at, at)) trace_->arrow(*from, {track(row), at});
  }
  /// Where an arrow may begin; nothing where none is drawn.
  std::optional<Trace::Point> point(std::uint32_t row, Time at) {
    return wants(at, at) ? std::optional(Trace::Point{track(row), at}) : std::nullopt;
  }

 private:
  Trace::Track track(std::uint32_t row) {
    auto& known = tracks_[row];
    if (known) return *known;
    const std::string name =
        row == barrier_row ? "barrier interface" : "TNI " + std::to_string(row / 2) + (row % 2 == 0 ? " out" : " in");
    known = trace_->track(board_, name);
    return *known;
  }

  Trace* trace_;
  std::string board_;
  std::array<std::optional<Trace::Track>, barrier_row + 1> tracks_{};
};

}  // namespace sanvp::nic::tofu
