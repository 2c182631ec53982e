/// Handles a client's requests while the simulation is halted, packet by packet. Knows nothing of sockets.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/cpu/riscv/gdb/files.hpp"
#include "models/cpu/riscv/gdb/monitor.hpp"

namespace sanvp::riscv::gdb {

/// An answer to a packet, and whether the simulation continues.
struct Answer {
  enum class Then : std::uint8_t {
    stay,
    resume,         ///< the answer comes at the next stop
    step_back,      ///< the answer comes where the thread `resumed` has executed one instruction less
    continue_back,  ///< the answer comes at the last stop before
    detach,         ///< from all: the client goes
    kill            ///< the run is to end
  };
  std::string text{};
  Then then = Then::stay;
  std::vector<std::string> before{};  ///< packets that go before it: console output
};

class Session {
 public:
  Session(Inferiors& inferiors, const Monitor& monitor) : inferiors_(inferiors), monitor_(monitor) {}

  /// A new client: resets what was negotiated.
  void begin();
  /// The simulation is halted at this thread. @param reason  of the stop reply, such as "05", with what follows it
  void stopped_at(ThreadId thread, int gdb_signal, const std::string& reason = {});
  /// The stop reply for the last stop.
  std::string stop_reply() const;
  /// The reply when a process has ended.
  std::string end_reply(const Inferior& inferior) const;

  Answer answer(std::string_view packet);

  /// The client can go back (packets bs, bc).
  void allow_going_back() { goes_back_ = true; }
  /// The thread of a step back.
  ThreadId resumed() const { return resumed_; }
  /// What the client has negotiated, and its breakpoints and watchpoints: for a process that continues in its place.
  std::string state() const;
  void restore(const std::string& state);

  bool needs_acknowledgement() const { return acknowledges_; }
  /// Whether the client wants to see this signal, in its own numbers.
  bool reports(int gdb_signal) const { return !passed_.contains(gdb_signal); }
  /// The signal, in Linux's numbers, with which the client resumes the stopped thread; 0: none.
  int signal_to_deliver() const { return signal_; }
  /// The reason field of a stop reply at a breakpoint. By it gdb recognises a breakpoint that it has removed since, as
  /// it does if several threads continue while it steps over one; without the field the stop looks like a SIGTRAP of
  /// the program.
  std::string reason_of_breakpoint() const { return knows_reason_of_breakpoints_ ? "swbreak:;" : ""; }

 private:
  Answer question(Cursor packet);
  Answer setting(Cursor packet);
  std::string supported(Cursor packet);
  std::string transfer(Cursor packet);
  std::string threads_xml() const;
  std::string thread_list() const;
  Answer monitor(Cursor packet);
  std::string thread_info(Cursor packet);
  std::string thread_local_address(Cursor packet);
  Answer verbose(Cursor packet);
  Answer resume(Cursor actions);
  Answer resume_old(char action, Cursor packet);
  bool apply(char action, const Step& step, ThreadId threads);
  std::string select(Cursor packet);
  std::string is_alive(Cursor packet) const;
  std::string registers() const;
  std::string write_registers(Cursor packet);
  std::string register_value(Cursor packet) const;
  std::string write_register_value(Cursor packet);
  std::string memory(Cursor packet) const;
  std::string write_memory(Cursor packet, bool is_binary);
  std::string point(Cursor packet, bool inserts);
  Answer detach(Cursor packet);

  std::string text_of(ThreadId id) const { return to_text(id, has_processes_); }
  Inferior* inferior() const { return inferiors_.find(selected_.process); }
  os::Thread* thread() const;
  bool change_hart(const std::function<bool(Hart64&)>& change);
  bool change_pc(std::uint64_t pc);

  Inferiors& inferiors_;
  const Monitor& monitor_;
  Files files_{};
  ThreadId selected_{};
  ThreadId stopped_{};
  ThreadId resumed_{};  ///< of the last Hc
  bool goes_back_ = false;
  int stop_signal_ = 0;
  std::string stop_reason_{};
  int signal_ = 0;
  std::set<int> passed_{};
  bool acknowledges_ = true;
  bool knows_reason_of_breakpoints_ = false;
  bool has_processes_ = false;
};

}  // namespace sanvp::riscv::gdb
