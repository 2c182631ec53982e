/// The card in a trace (`--trace`): a row for what its sender is at, and one for its receiver.
#pragma once

#include <cstdint>
#include <string>

#include "platform/core/trace.hpp"

namespace sanvp::nic::message_port {

class Tracks {
 public:
  /// @param trace  null: nothing is drawn
  /// @param board  name of the host, under which its links have their rows too
  Tracks(Trace* trace, std::string board) : trace_(trace), board_(std::move(board)) {}

  void sent(std::uint32_t to, std::uint32_t bytes, Time begin, Time end) {
    draw("sender", "message to node ", to, bytes, begin, end);
  }
  void received(std::uint32_t from, std::uint32_t bytes, Time begin, Time end) {
    draw("receiver", "message from node ", from, bytes, begin, end);
  }

 private:
  void draw(const char* unit, const char* what, std::uint32_t node, std::uint32_t bytes, Time begin, Time end) {
    if (trace_ == nullptr || !trace_->wants(begin, end)) return;
    trace_->slice(trace_->track(board_, unit), what + std::to_string(node), begin, end, {{"bytes", bytes}});
  }

  Trace* trace_;
  std::string board_;
};

}  // namespace sanvp::nic::message_port
