#include "platform/commands/otf2_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "platform/commands/kinds_of_programs.hpp"
#include "platform/core/elf_file.hpp"
#include "platform/core/terminal.hpp"

namespace sanvp::commands {

bool is_otf2(const std::string& file) { return file.ends_with(".otf2"); }

Otf2File::Otf2File(const Invocation& invocation, const Machine& machine, const std::vector<Program>& programs) {
  if (!is_otf2(invocation.common.trace)) return;
  path_ = invocation.common.trace;
  if (const char* const why = otf2::unavailable()) throw UserError("--trace " + path_, why);
  if (programs.size() > 1)
    throw UserError("--trace " + path_, "there are " + std::to_string(programs.size()) + " jobs",
                    "record a job alone, or name a .pftrace file");
  if (!std::ofstream(path_, std::ios::app))
    throw UserError("--trace", path_ + " cannot be written: " + std::strerror(errno),
                    "name a file in a folder of yours");
  const Program& program = programs.front();
  if (!tells_its_calls(program))
    std::cerr << heading("note") << program.arguments.front()
              << ": not linked with --check-mpi, so the trace has its calls and messages, but no collective operations "
                 "and communicators\n";
  std::string command;
  for (const std::string& argument : program.arguments) command += (command.empty() ? "" : " ") + argument;
  recorder_.emplace(machine.name(), command, program.nodes);
}

void Otf2File::close() {
  if (!recorder_) return;
  const otf2::Recording recording = recorder_->take();
  otf2::write(recording, path_);
  std::size_t events = 0;
  for (const auto& rank : recording.events) events += rank.size();
  std::cerr << fmt::format("trace in {}: {} ranks, {} events\n", path_, recording.events.size(), events);
}

}  // namespace sanvp::commands
