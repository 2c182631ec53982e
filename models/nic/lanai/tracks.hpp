/// The card in a trace (`--trace`): a row for each DMA machine and one for the processor; arrows follow packets from
/// SEND to RECV.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "platform/core/trace.hpp"

namespace sanvp::nic::lanai {

class Tracks {
 public:
  enum class Unit : std::uint8_t { sdma, send, recv, rdma, processor, in_transit, count_ };

  /// @param trace  null: nothing is drawn
  /// @param board  name of the host, under which its links have their rows too
  Tracks(Trace* trace, std::string board) : trace_(trace), board_(std::move(board)) {}

  bool wants(Time begin, Time end) const { return trace_ != nullptr && trace_->wants(begin, end); }
  void slice(Unit unit, std::string_view name, Time begin, Time end, Trace::Arguments arguments = {}) {
    if (wants(begin, end)) trace_->slice(track(unit), name, begin, end, arguments);
  }
  /// The next point of a packet's arrow; it sticks to the slice that covers `at`.
  void arrow(Unit unit, std::uint64_t packet, Time at) {
    if (wants(at, at)) trace_->flow(track(unit), packet, at);
  }

 private:
  Trace::Track track(Unit unit) {
    constexpr std::array names{"SDMA", "SEND", "RECV", "RDMA", "LANai", "in-transit"};
    auto& known = tracks_[static_cast<std::size_t>(unit)];
    if (!known) known = trace_->track(board_, names[static_cast<std::size_t>(unit)]);
    return *known;
  }

  Trace* trace_;
  std::string board_;
  std::array<std::optional<Trace::Track>, static_cast<std::size_t>(Unit::count_)> tracks_{};
};

}  // namespace sanvp::nic::lanai
