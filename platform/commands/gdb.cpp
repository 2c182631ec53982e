#include "platform/commands/gdb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "models/native/safety_net.hpp"
#include "platform/core/own_files.hpp"
#include "platform/core/text.hpp"

namespace sanvp::commands {
namespace {

namespace po = boost::program_options;

bool can_be_debugged(const Program& program) { return host::process_kind_of(program.image).name == "riscv64"; }

/// The pending work of a node's card, and its counters.
std::string card_text(Cluster& cluster, int node) {
  const std::vector<nic::NicModule*> cards = cluster.cards();
  if (static_cast<std::size_t>(node) >= cards.size()) return "this machine's nodes have no cards\n";
  const nic::NicModule& card = *cards[static_cast<std::size_t>(node)];
  const std::string busy = card.busy();
  std::string text = fmt::format("the card of node {}: {}\n", node, busy.empty() ? "idle" : busy);
  StatisticsTable counters;
  card.report(counters);
  std::istringstream lines(counters.table().csv());
  std::string line;
  std::getline(lines, line);           // the heading
  while (std::getline(lines, line)) {  // path,name,unit,value
    while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.pop_back();
    const std::size_t value = line.rfind(','), name = line.find(',') + 1;
    if (value == std::string::npos || line.substr(value + 1) == "0") continue;
    text += fmt::format("  {}: {}\n", line.substr(name, line.find(',', name) - name), line.substr(value + 1));
  }
  return text;
}

std::string rank_name(const host::Identity& rank, bool has_jobs) {
  return fmt::format("{}rank {} on node {}", has_jobs ? fmt::format("job {} ", rank.job) : "", rank.rank, rank.node);
}

}  // namespace

void add_gdb_options(po::options_description_easy_init add) {
  add("gdb", po::value<std::string>()->value_name("PORT"),
      "debug programs for RISC-V by gdb-multiarch, which connects to this port of the loopback address; 0: any that is "
      "free. They run until it connects (docs/binaries.md)");
  add("gdb-wait", po::bool_switch(), "with --gdb: wait for gdb before the first instruction");
}

Gdb::Gdb(const Invocation& invocation, const std::vector<Program>& programs)
    : waits_(invocation.values["gdb-wait"].as<bool>()) {
  if (!invocation.has("gdb")) {
    if (waits_) throw UserError("--gdb-wait", "there is no --gdb PORT to wait at", "give --gdb 0, for any port");
    return;
  }
  port_ = riscv::gdb::parse_port(invocation.text("gdb"), "--gdb");
  const auto program = std::find_if(programs.begin(), programs.end(), can_be_debugged);
  if (program == programs.end())
    throw UserError("--gdb", in_quotes(invocation.text("app")) + " is not a program for RISC-V",
                    "compile it with " + own_program("sanvp-cc") + " --target riscv64 -g");
  program_ = program->image;
}

void Gdb::serve(Cluster& cluster) {
  if (port_ < 0) return;
  server_ = std::make_unique<riscv::gdb::Server>(
      riscv::gdb::ServerSettings{.port = port_, .waits = waits_, .goes_on = [] { return !native::was_interrupted(); }});
  std::vector<int> nodes;
  const std::vector<host::Process*>& processes = cluster.processes();
  const bool has_jobs = !processes.empty() && processes.back()->identity().job > 0;
  for (host::Process* process : processes) {
    nodes.push_back(process->identity().node);
    if (riscv::os::Process* const program = process->interpreted())
      server_->add(*program, static_cast<int>(nodes.size()), rank_name(process->identity(), has_jobs));
  }
  server_->monitor().add("card",
                         {"what the card of the selected rank's node has to do, and its counters",
                          [&cluster, nodes](riscv::gdb::Inferior& inferior, riscv::os::Thread&, std::string_view) {
                            return card_text(cluster, nodes.at(static_cast<std::size_t>(inferior.id) - 1));
                          }});
  std::cerr << fmt::format("gdb: gdb-multiarch {} -ex 'target remote :{}'{}\n", program_, server_->port(),
                           waits_ ? " (the run waits for it)" : "");
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
