/// Packets that resume the simulation.
#include "models/cpu/riscv/gdb/session.hpp"
#include "models/cpu/riscv/gdb/signals.hpp"

namespace sanvp::riscv::gdb {

Answer Session::verbose(Cursor packet) {
  if (packet.take("Cont?")) return {"vCont;c;C;s;S;r"};
  if (packet.take("Cont;")) return resume(packet);
  if (packet.take("File:")) return {files_.answer(inferiors_, packet)};
  if (packet.take("Kill;")) return {"OK", Answer::Then::kill};
  return {};
}

/// For each thread the first action that names it applies. All runnable threads continue: which one, and for how long,
/// is up to the simulated machine, even if the client asks for some to stay stopped.
Answer Session::resume(Cursor actions) {
  int signal = 0;
  for (const auto& inferior : inferiors_.all()) inferior->steps.clear();
  while (!actions.at_end()) {
    Cursor action(actions.until(';'));
    const std::string_view kind = action.rest().substr(0, 1);
    if (kind.empty() || !action.take(kind)) return {"E01"};
    const char letter = kind.front();
    Step step;
    if (letter == 'C' || letter == 'S') {
      const auto number = action.hex();
      if (!number) return {"E01"};
      signal = to_linux(static_cast<int>(*number));
    } else if (letter == 'r') {
      const auto begin = action.hex();
      action.take(",");
      const auto end = action.hex();
      if (!begin || !end) return {"E01"};
      step = {*begin, *end};
    }
    ThreadId threads{ThreadId::all, ThreadId::all};
    if (action.take(":")) {
      const auto named = parse_thread_id(action);
      if (!named) return {"E01"};
      threads = *named;
    }
    if (!action.at_end() || !apply(letter, step, threads)) return {"E01"};
  }
  signal_ = signal;
  return {{}, Answer::Then::resume};
}

/// A thread that has an action keeps it. Others continue, so that only steps need be kept.
bool Session::apply(char action, const Step& step, ThreadId threads) {
  if (action == 'c' || action == 'C') return true;
  if (action != 's' && action != 'S' && action != 'r') return false;
  if (threads.process == ThreadId::any) threads.process = selected_.process;
  for (const auto& inferior : inferiors_.all()) {
    if (!inferior->is_debugged || (threads.process != ThreadId::all && inferior->id != threads.process)) continue;
    for (const auto& thread : inferior->process->threads())
      if (threads.thread == ThreadId::all || threads.thread == thread->id)
        inferior->steps.try_emplace(thread->id, step);
  }
  return true;
}

/// c, s, C and S of clients that do not know vCont: `s [address]`, `S signal[;address]`.
Answer Session::resume_old(char action, Cursor packet) {
  int signal = 0;
  if (action == 'C' || action == 'S') {
    const auto number = packet.hex();
    if (!number) return {"E01"};
    signal = to_linux(static_cast<int>(*number));
    packet.take(";");
  }
  if (const auto address = packet.hex(); address && !change_pc(*address)) return {"E02"};
  for (const auto& inferior : inferiors_.all()) inferior->steps.clear();
  if (!apply(action, {}, selected_)) return {"E01"};
  signal_ = signal;
  return {{}, Answer::Then::resume};
}

}  // namespace sanvp::riscv::gdb
