/// The card in a trace (`--trace`): a row for each unit, and arrows that follow packets from the command that started
/// them, through the DMA engine or the thread processor and along the links (models/net/leg_trace), to the far
/// inputter.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "platform/core/trace.hpp"

namespace sanvp::nic::elan3 {

class Tracks {
 public:
  enum class Unit : std::uint8_t { command_port, dma, thread, input0, input1, count_ };
  static Unit input(int channel) { return channel == 0 ? Unit::input0 : Unit::input1; }

  /// @param trace  null: nothing is drawn
  /// @param board  name of the host, under which its links have their rows too
  Tracks(Trace* trace, std::string board) : trace_(trace), board_(std::move(board)) {}

  /// Whether anything of begin..end will be seen: lets the caller save the work of making names.
  bool wants(Time begin, Time end) const { return trace_ != nullptr && trace_->wants(begin, end); }
  void slice(Unit unit, std::string_view name, Time begin, Time end, Trace::Arguments arguments = {}) {
    trace_->slice(track(unit), name, begin, end, arguments);
  }
  /// The next point of a packet's arrow; it sticks to the slice that covers `at`.
  void arrow(Unit unit, std::uint64_t packet, Time at) { trace_->flow(track(unit), packet, at); }
  void arrow_end(Unit unit, std::uint64_t packet, Time at) { trace_->flow_end(track(unit), packet, at); }

  /// An arrow by itself, from elsewhere.
  void arrow(const Trace::Point& from, Unit unit, Time at) { trace_->arrow(from, {track(unit), at}); }
  /// Where an arrow may begin; nothing where none is drawn.
  std::optional<Trace::Point> point(Unit unit, Time at) {
    return wants(at, at) ? std::optional(Trace::Point{track(unit), at}) : std::nullopt;
  }

 private:
  Trace::Track track(Unit unit) {
    constexpr std::array names{"command port", "DMA", "thread processor", "inputter 0", "inputter 1"};
    auto& known = tracks_[static_cast<std::size_t>(unit)];
    if (!known) known = trace_->track(board_, names[static_cast<std::size_t>(unit)]);
    return *known;
  }

  Trace* trace_;
  std::string board_;
  std::array<std::optional<Trace::Track>, static_cast<std::size_t>(Unit::count_)> tracks_{};
};

}  // namespace sanvp::nic::elan3
