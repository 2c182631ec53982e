#include "models/cpu/riscv/gdb/monitor.hpp"

#include <fmt/format.h>

#include "platform/core/time.hpp"
#include "platform/core/units.hpp"

namespace sanvp::riscv::gdb {

std::int64_t time_ps_at_pc(const Inferior& inferior, const os::Thread& thread) {
  return thread.hart.time_ps - inferior.process->interpreter().ahead(thread.hart).time_ps;
}

std::string state_text(const os::Thread& thread) {
  if (thread.has_ended) return "has ended";
  switch (thread.wait.what) {
    case os::Wait::For::turn:
      return "runs";
    case os::Wait::For::disk:
      return "waits for the disk";
    case os::Wait::For::memory:
      return "waits for memory to be written";
    case os::Wait::For::time:
      return "sleeps";
    case os::Wait::For::futex:
      return fmt::format("waits for a wake-up at {:#x}", thread.wait.address);
    default:
      return "waits in a system call";
  }
}

std::string state_text(const Inferior& inferior) {
  const auto& end = inferior.process->end();
  if (!end) return "runs";
  return end->signal != 0 ? "was killed: " + end->cause : fmt::format("exited with status {}", end->status);
}

Monitor::Monitor() {
  add("time", {"simulated time of the selected thread, at its pc",
               [](Inferior& inferior, os::Thread& thread, std::string_view) {
                 return sanvp::to_text(Time{time_ps_at_pc(inferior, thread)}) + "\n";
               }});
}

std::string Monitor::run(const Inferiors& inferiors, Inferior& inferior, os::Thread& thread,
                         std::string_view line) const {
  const std::string_view name = line.substr(0, line.find(' '));
  const std::string_view arguments = line.size() > name.size() ? line.substr(name.size() + 1) : std::string_view();
  if (const auto found = commands_.find(name); found != commands_.end())
    return found->second.run(inferior, thread, arguments);
  std::string text;
  if (name == "ranks") {
    for (const auto& one : inferiors.all())
      text += fmt::format("{}process {}: {}, {}\n", one.get() == &inferior ? "* " : "  ", one->id, one->name,
                          state_text(*one));
    return text;
  }
  if (name != "help") text = fmt::format("there is no '{}'. There are:\n", name);
  text += "help: these lines\n";
  if (!commands_.contains("ranks")) text += "ranks: all processes\n";
  for (const auto& [known, command] : commands_) text += known + ": " + command.summary + "\n";
  return text;
}

}  // namespace sanvp::riscv::gdb
