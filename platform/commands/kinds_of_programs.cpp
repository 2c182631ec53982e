#include "platform/commands/kinds_of_programs.hpp"

#include <algorithm>
#include <iostream>

#include "platform/core/elf_file.hpp"
#include "platform/core/error.hpp"
#include "platform/core/own_files.hpp"
#include "platform/core/terminal.hpp"
#include "platform/core/text.hpp"

namespace sanvp::commands {
namespace {

bool is_native(const std::string& path) { return host::process_kind_of(path).name == "native"; }

}  // namespace

jobs::AppKind asked_kind(const Invocation& invocation) {
  if (!invocation.has("cpu")) return jobs::usual_kind();
  return invocation.text("cpu") == "riscv" ? jobs::AppKind::riscv : jobs::AppKind::native;
}

void check_cpu_model(const Invocation& invocation, const std::vector<Program>& programs) {
  if (!invocation.has("cpu")) return;
  const std::string model = invocation.text("cpu");
  if (model != "native" && model != "riscv")
    throw UserError("--cpu", in_quotes(model) + " is not one of native, riscv");
  for (const Program& program : programs)
    if (const bool native = is_native(program.image); native != (model == "native"))
      throw UserError("--cpu", program.arguments.front() + " is a program for the other kind of CPU",
                      native ? "compile it with " + own_program("sanvp-cc") + " --target riscv64" : "leave --cpu out");
}

bool tells_its_calls(const Program& program) {
  return is_native(program.image) || ElfFile(program.image).has_section(".sanvp.check");
}

void check_wrappers(const Invocation& invocation, const std::vector<Program>& programs) {
  if (!invocation.has("check-mpi")) return;
  const std::string what = invocation.text("check-mpi");
  if (what != "calls" && what != "memory")
    throw UserError("--check-mpi", in_quotes(what) + " is not one of calls, memory");
  for (const Program& program : programs)
    if (what == "memory" && is_native(program.image))
      throw UserError(
          "--check-mpi=memory", program.arguments.front() + " is native, whose loads and stores are not seen",
          "compile it with " + own_program("sanvp-cc") + " --target riscv64 --check-mpi, or leave =memory out");
  for (const Program& program : programs)
    if (!tells_its_calls(program))
      throw UserError("--check-mpi", program.arguments.front() + " was not linked for it",
                      "link it by " + own_program("sanvp-cc") + " --target riscv64 --check-mpi");
}

void require_told_calls(const std::vector<Program>& programs) {
  for (const Program& program : programs)
    if (!tells_its_calls(program) && sends_messages(program.image))
      throw UserError("--branch",
                      program.arguments.front() +
                          " does not tell which collective calls its ranks have begun, and all "
                          "ranks need the same algorithm",
                      "link it by " + own_program("sanvp-cc") + " --target riscv64 --check-mpi");
}

void note_if_not_translated(const host::CpuSettings& cpu, const std::vector<Program>& programs) {
  if (cpu.translates != host::Translates::everything) return;
  const std::string on = heading("note") + "host.cpu.translate=on does nothing ";
  if (std::all_of(programs.begin(), programs.end(), [](const Program& one) { return is_native(one.image); }))
    std::cerr << on << "for " << programs.front().arguments.front()
              << ", which is native: leave it out, or compile the program with " << own_program("sanvp-cc")
              << " --target riscv64\n";
  else if (cpu.follows == host::Follows::everything && cpu.caches.has_any() &&
           cpu.caches.instructions.bytes + cpu.caches.data.bytes == 0)
    std::cerr << on << "with host.cpu.caches=on and no first level, for which programs are interpreted: leave one of "
              << "them out\n";
}

std::string time_model_text(const host::CpuSettings& cpu, const Program& program) {
  if (!cpu.timing) return "; computing takes no time (host.cpu.timing=off)";
  if (is_native(program.image)) return "; memory: ranges of loops, strides, gathers";
  if (!cpu.caches.has_any()) return "; memory: in the price of loads, as the CPU has no cache";
  if (cpu.follows == host::Follows::everything) return "; memory: caches";
  if (cpu.follows == host::Follows::a_sample) return "; memory: sampled caches, data alone";
  return "; memory: none, as if all data were in the first level";
}

bool is_of_linux_alone(const std::string& path) { return !is_native(path) && !ElfFile(path).has_section(".sanvp.hal"); }

bool sends_messages(const std::string& path) {
  const std::vector<std::string> settings = ElfFile(path).texts(".sanvp.settings");
  return std::any_of(settings.begin(), settings.end(),
                     [](const std::string& text) { return text.find("transport.") != std::string::npos; });
}

}  // namespace sanvp::commands
