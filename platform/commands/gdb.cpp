#include "platform/commands/gdb.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

#include "models/native/safety_net.hpp"
#include "platform/core/own_files.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"

namespace sanvp::commands {
namespace {

namespace po = boost::program_options;

std::string indented(const std::string& lines) {
  std::string text;
  std::istringstream all(lines);
  for (std::string line; std::getline(all, line);) text += "  " + line + "\n";
  return text;
}

bool can_be_debugged(const Program& program) { return host::process_kind_of(program.image).name == "riscv64"; }

/// What a command says, or why it does not do it.
std::string said(const std::function<std::string()>& command) {
  try {
    return command();
  } catch (const Error& error) {
    return std::string(error.what()) + "\n";
  }
}

/// The first line is that of a card; JSON is asked for by "json SUBJECT".
std::string answer(const Inspected& inspected, const std::string& line, bool as_json) {
  return said([&] {
    const nlohmann::ordered_json seen = inspect(inspected, line, "monitor");
    return as_json ? seen.dump() + "\n" : to_text(seen);
  });
}

/// The pending work of a node's card, its counters, and registers that have changed.
std::string card_text(const Inspected& inspected, int node) {
  if (static_cast<std::size_t>(node) >= inspected.cluster.cards().size()) return "this machine's nodes have no cards\n";
  const nlohmann::ordered_json card = inspect(inspected, fmt::format("card {}", node), "monitor");
  return fmt::format("the card of node {}: {}\n", node, card["state"].get<std::string>()) +
         indented(to_text(card["counters"])) + (card["registers"].empty() ? "" : "registers:\n") +
         indented(to_text(card["registers"]));
}

/// How long a crash waits for gdb, of the computer's time; nothing: not at all.
std::optional<Time> wait_at_crash(const Invocation& invocation) {
  if (!invocation.has("on-crash")) {
    if (invocation.has("on-crash-wait"))
      throw UserError("--on-crash-wait", "there is no --on-crash", "give --on-crash gdb");
    return {};
  }
  if (const std::string what = invocation.text("on-crash"); what != "gdb")
    throw UserError("--on-crash", in_quotes(what) + " is not possible", "give gdb");
  if (invocation.has("on-crash-wait")) return parse_time(invocation.text("on-crash-wait"), "--on-crash-wait");
  constexpr Time in_batch = std::chrono::minutes(10);  // a job without a user ends
  return isatty(STDERR_FILENO) != 0 ? never : in_batch;
}

std::string rank_name(const host::Identity& rank, bool has_jobs) {
  return fmt::format("{}rank {} on node {}", has_jobs ? fmt::format("job {} ", rank.job) : "", rank.rank, rank.node);
}

/// A line for each rank, with the number of its process in gdb: what it does, or what it waits for.
std::string ranks_text(const Inspected& inspected, int selected) {
  const bool has_jobs = inspected.jobs.jobs().size() > 1;
  std::string text;
  int number = 0;
  for (host::Process* process : inspected.cluster.processes()) {
    ++number;
    const riscv::os::Process* const program = process->interpreted();
    if (program == nullptr) continue;
    const std::string call = process->calls().oldest();
    const auto waiting = process->waiting();
    std::string state = waiting ? "waits " + waiting->what : call.empty() ? "runs" : "runs, in " + call;
    if (const auto& end = program->end())
      state = end->signal != 0 ? "was killed: " + end->cause : fmt::format("exited with status {}", end->status);
    text += fmt::format("{}process {}: {}, {}\n", number == selected ? "* " : "  ", number,
                        rank_name(process->identity(), has_jobs), state);
  }
  return text;
}

}  // namespace

/// The machine around the processors, as the server sees it: breakpoints, and what arrives at cards.
class Gdb::Stops final : public riscv::gdb::MachineStops, private net::PacketObserver {
 public:
  Stops(const Watched& watched, riscv::gdb::Server& server)
      : breakpoints(watched,
                    [&server](const std::string& what) {
                      server.halt_by_machine(what);
                      return !server.is_killed();
                    }),
        watched_(watched) {}

  std::string state() const override { return breakpoints.state(); }
  void restore(const std::string& state) override { breakpoints.restore(state); }
  void clear() override { breakpoints.clear(); }
  std::int64_t now_ps() const override { return watched_.cluster.now().count(); }
  void watch_arrivals() override { watched_.cluster.observe_packets(*this); }
  std::string last_arrival(int inferior) const override;

  Breakpoints breakpoints;

 private:
  struct Arrival {
    std::uint64_t packet;
    int from;
    Time at;
  };
  void packet_sent(const net::Packet&, Time) override {}
  void packet_delivered(const net::Packet& packet, int host, Time now) override {
    const int ports = watched_.machine.nic().ports;
    arrivals_[host / ports] = {packet.id, packet.source / ports, now};
  }
  void packet_lost(const net::Packet&, std::span<const int>, Time) override {}

  Watched watched_;
  std::map<int, Arrival> arrivals_;  ///< the last one, by node
};

std::string Gdb::Stops::last_arrival(int inferior) const {
  const std::vector<host::Process*>& processes = watched_.cluster.processes();
  const host::Identity& to = processes.at(static_cast<std::size_t>(inferior) - 1)->identity();
  const auto found = arrivals_.find(to.node);
  if (found == arrivals_.end()) return {};
  const Arrival& last = found->second;
  std::string text = fmt::format(
      "written by the card of node {}, or by a system call; the last packet that it got: {} "
      "from node {}, at {}",
      to.node, last.packet, last.from, to_text(last.at));
  for (const jobs::SentMessages::Open& message :
       watched_.jobs.jobs()[static_cast<std::size_t>(to.job)].messages.sends())
    for (const host::Process* process : processes) {
      const host::Identity& from = process->identity();
      if (from.job != to.job || from.node != last.from || from.rank != message.from || to.rank != message.to) continue;
      const std::string call = process->calls().oldest();
      text += fmt::format("; rank {} there, {}, has sent rank {} {} bytes, tag {}, {}", from.rank,
                          call.empty() ? "which computes" : "now in " + call, to.rank, message.bytes, message.tag,
                          message.communicator);
    }
  return text;
}

Gdb::Gdb(Gdb&& other) noexcept = default;
Gdb::~Gdb() = default;

void add_gdb_options(po::options_description_easy_init add) {
  add("gdb", po::value<std::string>()->value_name("PORT"),
      "debug programs for RISC-V by gdb-multiarch, which connects to this port of the loopback address; 0: any that is "
      "free. They run until it connects (docs/binaries.md)");
  add("gdb-wait", po::bool_switch(), "with --gdb: wait for gdb before the first instruction");
  add("on-crash", po::value<std::string>()->value_name("gdb"),
      "gdb: a program for RISC-V that crashes, or calls MPI_Abort, waits for gdb there, which can go back from it "
      "(docs/time-travel.md)");
  add("on-crash-wait", po::value<std::string>()->value_name("TIME"),
      "with --on-crash: how long it waits, of the computer's time; default: at a terminal for ever, otherwise 10min");
}

Gdb::Gdb(const Invocation& invocation, const std::vector<Program>& programs)
    : waits_(invocation.values["gdb-wait"].as<bool>()),
      only_at_crash_(!invocation.has("gdb")),
      wait_at_crash_(wait_at_crash(invocation)) {
  if (waits_ && !invocation.has("gdb"))
    throw UserError("--gdb-wait", "there is no --gdb PORT to wait at", "give --gdb 0, for any port");
  if (only_at_crash_ && !wait_at_crash_) return;
  port_ = only_at_crash_ ? 0 : riscv::gdb::parse_port(invocation.text("gdb"), "--gdb");
  const auto program = std::find_if(programs.begin(), programs.end(), can_be_debugged);
  if (program == programs.end())
    throw UserError(only_at_crash_ ? "--on-crash" : "--gdb",
                    in_quotes(invocation.text("app")) + " is not a program for RISC-V",
                    "compile it with " + own_program("sanvp-cc") + " --target riscv64 -g");
  program_ = program->image;
}

void Gdb::add_subjects(const Inspected& inspected, const std::vector<int>& nodes) {
  riscv::gdb::Monitor& monitor = server_->monitor();
  for (const auto& [name, subject] : Registry<Inspection>::all()) {
    if (name == "ranks" || name == "card") continue;
    monitor.add(name, {subject.summary, [inspected, name = name](auto&, auto&, std::string_view arguments) {
                         return answer(inspected, name + " " + std::string(arguments), false);
                       }});
  }
  monitor.add("ranks", {"ranks: which ranks run, what the others wait for, and how they have ended",
                        [inspected](riscv::gdb::Inferior& inferior, auto&, std::string_view) {
                          return ranks_text(inspected, inferior.id);
                        }});
  monitor.add("card", {"what the card of the selected rank's node, or of node N, has to do, its counters and registers",
                       [inspected, nodes](riscv::gdb::Inferior& inferior, auto&, std::string_view arguments) {
                         if (!arguments.empty()) return answer(inspected, "card " + std::string(arguments), false);
                         return card_text(inspected, nodes.at(static_cast<std::size_t>(inferior.id) - 1));
                       }});
  monitor.add("json", {"json SUBJECT: the same as JSON, such as json card 0",
                       [inspected](auto&, auto&, std::string_view arguments) {
                         return answer(inspected, std::string(arguments), true);
                       }});
}

/// `break`, `breaks`, `delete`.
void Gdb::add_breakpoints(const Inspected& inspected, jobs::JobRun& jobs) {
  stops_ = std::make_unique<Stops>(Watched{inspected.machine, inspected.cluster, jobs}, *server_);
  server_->keep(*stops_);
  riscv::gdb::Monitor& monitor = server_->monitor();
  Breakpoints& breakpoints = stops_->breakpoints;
  monitor.add("break", {"breakpoints on the machine:\n" + Breakpoints::forms() + "  breaks lists them",
                        [&breakpoints](auto&, auto&, std::string_view line) {
                          return said([&] { return breakpoints.set(line) + "\n"; });
                        }});
  monitor.add("breaks", {"the breakpoints on the machine that are set",
                         [&breakpoints](auto&, auto&, std::string_view) { return breakpoints.list(); }});
  monitor.add("delete", {"delete [N]: deletes a breakpoint on the machine, or all",
                         [&breakpoints](auto&, auto&, std::string_view number) {
                           return said([&] {
                             breakpoints.erase(trimmed(number));
                             return breakpoints.list();
                           });
                         }});
}

std::string Gdb::how_to_connect() const {
  return fmt::format("gdb: gdb-multiarch {} -ex 'target remote :{}'", program_, server_->port());
}

/// Nothing without --on-crash.
std::optional<riscv::gdb::AtCrash> Gdb::at_crash() const {
  if (!wait_at_crash_) return {};
  riscv::gdb::AtCrash crash;
  const bool has_limit = *wait_at_crash_ != never;
  if (has_limit) crash.wait = std::chrono::duration_cast<std::chrono::milliseconds>(*wait_at_crash_);
  const std::string limit =
      has_limit ? "for at most " + to_text(*wait_at_crash_) + ", or until Ctrl-C" : "until Ctrl-C";
  crash.say = [this, limit](const std::string& rank, const std::string& what, std::int64_t now_ps) {
    std::cerr << fmt::format("{}: {}, at {}; the run waits there for gdb, {}\n{}\n", rank, what, to_text(Time{now_ps}),
                             limit, how_to_connect());
  };
  return crash;
}

void Gdb::serve(const Inspected& inspected, jobs::JobRun& jobs, GoingBack& going_back) {
  if (port_ < 0) return;
  Cluster& cluster = inspected.cluster;
  server_ = std::make_unique<riscv::gdb::Server>(riscv::gdb::ServerSettings{
      .port = port_, .waits = waits_, .at_crash = at_crash(), .goes_on = [] { return !native::was_interrupted(); }});
  std::vector<int> nodes;
  const std::vector<host::Process*>& processes = cluster.processes();
  const bool has_jobs = !processes.empty() && processes.back()->identity().job > 0;
  for (host::Process* process : processes) {
    nodes.push_back(process->identity().node);
    if (riscv::os::Process* const program = process->interpreted())
      server_->add(*program, static_cast<int>(nodes.size()), rank_name(process->identity(), has_jobs));
  }
  add_subjects(inspected, nodes);
  add_breakpoints(inspected, jobs);
  if (!only_at_crash_) std::cerr << how_to_connect() << (waits_ ? " (the run waits for it)\n" : "\n");
  if (!going_back.is_wanted()) return;
  jobs.keep_input();
  going_back.begin([&cluster] { cluster.continue_in_child(); });
  server_->keep_history(going_back);
}

bool Gdb::lets_go_on() {
  if (server_ == nullptr) return true;
  server_->look();
  return !server_->is_killed();
}

void Gdb::finish() {
  if (server_ != nullptr) server_->finish();
}

}  // namespace sanvp::commands
