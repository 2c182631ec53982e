/// Commands of `monitor` in gdb: a question about the simulated machine, answered by text.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "models/cpu/riscv/gdb/inferior.hpp"

namespace sanvp::riscv::gdb {

struct MonitorCommand {
  std::string summary{};
  /// @param inferior, thread the selected ones in gdb
  /// @param arguments the text after the command's name
  std::function<std::string(Inferior& inferior, os::Thread& thread, std::string_view arguments)> run{};
};

class Monitor {
 public:
  /// With `help`, `time` and `ranks`, which a platform that knows more of them may replace.
  Monitor();

  void add(const std::string& name, MonitorCommand command) { commands_[name] = std::move(command); }
  /// One or more lines, each with its end.
  std::string run(const Inferiors& inferiors, Inferior& inferior, os::Thread& thread, std::string_view line) const;

 private:
  std::map<std::string, MonitorCommand, std::less<>> commands_;
};

/// The thread's simulated time at its pc.
std::int64_t time_ps_at_pc(const Inferior& inferior, const os::Thread& thread);
/// What a process or thread is doing, in a few words: "runs", "waits for a wake-up", "exited with status 0".
std::string state_text(const Inferior& inferior);
std::string state_text(const os::Thread& thread);

}  // namespace sanvp::riscv::gdb
