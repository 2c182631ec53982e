/// The card in a trace (`--trace`): a row for each half of its virtual channel processor, and one for its link, which
/// shows when that is down.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "platform/core/trace.hpp"

namespace sanvp::nic::ds_link {

class Tracks {
 public:
  /// @param trace  null: nothing is drawn
  /// @param board  name of the host, under which its cable has its rows too
  Tracks(Trace* trace, std::string board) : trace_(trace), board_(std::move(board)) {}

  /// From its turn until the link has taken it.
  void output(const char* what, std::uint32_t link, Time begin, Time end) {
    draw("VCP output", what, begin, end, {{"virtual link", link}});
  }
  void input(const char* what, std::uint32_t link, Time begin, Time end) {
    draw("VCP input", what, begin, end, {{"virtual link", link}});
  }
  /// From its silence until it runs.
  void link_down(Time begin, Time end) { draw("DS link", "down", begin, end, {}); }

 private:
  void draw(const char* unit, const char* what, Time begin, Time end, Trace::Arguments arguments) {
    if (trace_ != nullptr && trace_->wants(begin, end))
      trace_->slice(trace_->track(board_, unit), what, begin, end, arguments);
  }

  Trace* trace_;
  std::string board_;
};

}  // namespace sanvp::nic::ds_link
