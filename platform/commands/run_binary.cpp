#include "platform/commands/run_binary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iostream>

#include "models/cpu/riscv/gdb/server.hpp"
#include "models/cpu/riscv/linux/crash.hpp"
#include "models/cpu/riscv/linux/scheduler.hpp"
#include "models/native/safety_net.hpp"
#include "platform/commands/run_folder.hpp"
#include "platform/core/terminal.hpp"
#include "platform/core/units.hpp"
#include "platform/jobs/known_settings.hpp"

namespace sanvp::commands {
namespace {

using Json = nlohmann::ordered_json;
using riscv::os::Process;
using riscv::os::ProcessSettings;
using riscv::os::Scheduler;

void require_single(const Invocation& invocation) {
  for (const char* option : {"map", "job"})
    if (invocation.has(option) && !invocation.values[option].defaulted())
      throw UserError(std::string("--") + option, "a program for RISC-V runs as one process on node 0", "leave it out");
  if (invocation.has("np") && invocation.text("np") != "1")
    throw UserError("--np", "a program for RISC-V runs as one process",
                    "compile it with build/sanvp-cc for more ranks");
}

/// Addresses for what the node's memory holds, guards and reservations.
std::uint64_t window_bytes(std::uint64_t memory_bytes) {
  constexpr std::uint64_t least = std::uint64_t{4} << 30;
  return std::max(least, riscv::os::rounded_to_pages(2 * memory_bytes));
}

ProcessSettings settings_of(const Invocation& invocation, const Machine& machine, const std::string& path,
                            std::ostream& out) {
  const host::Settings& host = machine.host();
  const std::string app = invocation.text("app");
  ProcessSettings settings{.path = path, .arguments = {app}};
  settings.arguments.insert(settings.arguments.end(), invocation.program_arguments.begin(),
                            invocation.program_arguments.end());
  settings.cpus = host.cpus;
  settings.seed = invocation.common.seed;
  settings.memory_bytes = static_cast<std::uint64_t>(host.memory_bytes);
  settings.window_bytes = window_bytes(settings.memory_bytes);
  settings.stack_bytes = static_cast<std::uint64_t>(host.stack_bytes);
  settings.costs = host.cpu.program_costs;
  settings.system_call_ps = host.system_call.count();
  settings.output = [&out](bool is_error, std::string_view bytes) { (is_error ? std::cerr : out) << bytes; };
  settings.warn = [app](const std::string& sentence) {
    std::cerr << heading("warning") << app << ": " << sentence << "\n";
  };
  return settings;
}

/// Instructions that a thread executes while the others of the node wait for their turn.
std::uint64_t quantum_of(const host::Settings& host) {
  constexpr std::uint64_t least = 1000;  // a turn costs the simulator as much as a few hundred instructions
  const double cycles = static_cast<double>(host.quantum.count()) / std::max(1.0, host.cpu.costs.cycle_ps);
  return std::max(least, static_cast<std::uint64_t>(cycles));
}

/// The server of --gdb; null without it.
std::unique_ptr<riscv::gdb::Server> gdb_server(const Invocation& invocation) {
  const bool waits = invocation.values["gdb-wait"].as<bool>();
  if (!invocation.has("gdb")) {
    if (waits) throw UserError("--gdb-wait", "there is no --gdb PORT to wait at", "give --gdb 0, for any port");
    return nullptr;
  }
  auto server = std::make_unique<riscv::gdb::Server>(riscv::gdb::ServerSettings{
      .port = riscv::gdb::parse_port(invocation.text("gdb"), "--gdb"), .waits = waits, .goes_on = [] {
        return !native::was_interrupted();
      }});
  std::cerr << fmt::format("gdb: gdb-multiarch {} -ex 'target remote :{}'{}\n", invocation.text("app"), server->port(),
                           waits ? " (the run waits for it)" : "");
  return server;
}

struct Outcome {
  std::string status;
  Exit exit;
  std::string message{};
};

/// Where the first thread is that has not ended: " in main() at loop.c:4"; or empty.
std::string where(Process& process) {
  for (const auto& thread : process.threads()) {
    if (thread->has_ended) continue;
    const std::string place = place_text(process, *thread);
    return place.empty() ? "" : " " + place;
  }
  return {};
}

Outcome outcome_of(Process& process, Scheduler::Over over, Time now, bool is_killed) {
  const std::string at = ", at " + to_text(now);
  const std::string& app = process.settings().arguments.front();
  if (native::was_interrupted())
    return {"interrupted", Exit::interrupted, "Ctrl-C" + at + " of simulated time" + where(process)};
  if (is_killed) return {"interrupted", Exit::interrupted, "gdb has ended the run" + at + " of simulated time"};
  if (over == Scheduler::Over::limit)
    return {"until reached", Exit::until_reached,
            "--until " + to_text(now) + " is reached, and " + app + " still runs" + where(process)};
  if (over == Scheduler::Over::hangs) return {"hangs", Exit::deadlock, app + ": all its threads wait for ever" + at};
  const riscv::os::End& end = *process.end();
  if (end.signal != 0) return {"failed", Exit::program_failed, app + ": " + crash_text(process) + at};
  if (end.status != 0)
    return {"failed", Exit::program_failed, fmt::format("{}: exited with status {}{}", app, end.status, at)};
  return {"done", Exit::done};
}

Json to_json(const Machine& machine, Process& process, const Outcome& outcome, Time now) {
  Json by_class = Json::object();
  const native::InstructionCounts counts = process.interpreter().blocks().executed();
  for (std::size_t i = 0; i < counts.size(); ++i) by_class[std::string(native::instruction_class_name(i))] = counts[i];
  Json json{{"machine", machine.name()},
            {"status", outcome.status},
            {"jobs", {{{"app", process.settings().arguments.front()}, {"ranks", 1}}}},
            {"instructions", process.retired()},
            {"instructions_by_class", by_class},
            {"sim_time_ns", in_ns(now)},
            {"cpu_time_s", static_cast<double>(std::clock()) / CLOCKS_PER_SEC}};
  if (!outcome.message.empty()) json["message"] = outcome.message;
  return json;
}

}  // namespace

Exit run_binary(const Invocation& invocation, const Machine& machine, const std::string& path) {
  require_single(invocation);
  jobs::require_known(invocation.software_settings(), machine.parameters(), {});
  RunFolder folder(invocation, machine.parameters());
  return folder.watch([&] {
    // If JSON goes to standard output, the output of the program must go elsewhere.
    Process process(settings_of(invocation, machine, path, invocation.common.json == "-" ? std::cerr : std::cout));
    Scheduler scheduler(process, quantum_of(machine.host()));
    native::catch_interrupts();
    const auto gdb = gdb_server(invocation);
    if (gdb != nullptr) gdb->add(process, 1, "rank 0 on node 0");
    const auto is_killed = [&] { return gdb != nullptr && gdb->is_killed(); };
    const auto over = scheduler.run({.until_ps = invocation.common.until.count(),
                                     .goes_on = [&] { return !native::was_interrupted() && !is_killed(); }});
    if (gdb != nullptr) gdb->finish();
    const Time now{scheduler.now_ps()};
    std::cout.flush();
    const Outcome outcome = outcome_of(
        process, over, over == Scheduler::Over::limit && !is_killed() ? invocation.common.until : now, is_killed());
    std::cerr << fmt::format("job 0 ({}, 1 process on RISC-V): {} instructions in {}{}\n", invocation.text("app"),
                             process.retired(), to_text(now),
                             machine.host().cpu.timing ? "" : "; computing takes no time (host.cpu.timing=off)");
    if (!outcome.message.empty()) std::cerr << heading("error") << outcome.message << "\n";
    invocation.write_json(to_json(machine, process, outcome, now));
    folder.ended(outcome.status, now, outcome.message);
    return outcome.exit;
  });
}

}  // namespace sanvp::commands
