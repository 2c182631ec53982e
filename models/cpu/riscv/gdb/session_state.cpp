/// A session as text, for a process that continues in the place of this one.
#include <sstream>

#include "models/cpu/riscv/gdb/session.hpp"

namespace sanvp::riscv::gdb {

std::string Session::state() const {
  std::ostringstream text;
  text << acknowledges_ << ' ' << has_processes_ << ' ' << knows_reason_of_breakpoints_ << ' ' << passed_.size();
  for (const int signal : passed_) text << ' ' << signal;
  for (const auto& inferior : inferiors_.all()) {
    const std::vector<Watchpoint> watchpoints = inferior->watchpoints.all();
    text << ' ' << inferior->is_debugged << ' ' << inferior->breakpoints.size();
    for (const std::uint64_t pc : inferior->breakpoints) text << ' ' << pc;
    text << ' ' << watchpoints.size();
    for (const Watchpoint& one : watchpoints)
      text << ' ' << static_cast<int>(one.of) << ' ' << one.address << ' ' << one.bytes;
  }
  return text.str();
}

/// The present contents of watched bytes are the ones that changes are compared with.
void Session::restore(const std::string& state) {
  std::istringstream in(state);
  std::size_t count = 0;
  in >> acknowledges_ >> has_processes_ >> knows_reason_of_breakpoints_ >> count;
  passed_.clear();
  for (int signal = 0; count > 0; --count) {
    in >> signal;
    passed_.insert(signal);
  }
  for (const auto& inferior : inferiors_.all()) {
    inferior->release();
    in >> inferior->is_debugged >> count;
    for (std::uint64_t pc = 0; count > 0; --count) {
      in >> pc;
      inferior->set_breakpoint(pc);
    }
    in >> count;
    for (; count > 0; --count) {
      int of = 0;
      Watchpoint one;
      in >> of >> one.address >> one.bytes;
      one.of = static_cast<Watchpoint::Of>(of);
      inferior->watchpoints.add(one);
    }
  }
}

}  // namespace sanvp::riscv::gdb
