#include "platform/commands/proof.hpp"
#include "platform/core/terminal.hpp"
#include "platform/machine/buffer_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>

namespace sanvp::commands {
namespace {

/// Above what every pair of macrame-clos-1024 and of qsnet-1024 takes: 0.2 s each.
constexpr std::int64_t most_steps = 45'000'000;

/// A program or a pattern may not need these pairs; packets between them are lost.
void warn_of_unserved(const topologies::CheckReport& report) {
  if (report.pairs_unserved == 0) return;
  std::cerr << heading("warning") << report.pairs_unserved << " of " << report.pairs_checked << " pairs of hosts "
            << (report.sampled() ? "looked at " : "") << "are not served: packets between them may be lost";
  if (!report.examples.empty()) std::cerr << "; for one, " << report.examples.front();
  std::cerr << " (sanvp check lists more)\n";
}

/// The proof and its notes, except for pairs that are not served.
topologies::CheckReport prove(const Invocation& invocation, const Machine& machine, topologies::CheckOptions options) {
  if (const std::string failures = machine.about_failures(); !failures.empty())
    std::cerr << heading("note") << failures << "\n";
  if (const std::string buffers = buffer_advice(machine.graph(), machine.wiring()); !buffers.empty())
    std::cerr << heading("note") << buffers << "\n";
  options.work = most_steps;
  topologies::CheckReport report = machine.check(options);
  if (!report.pool_cycle.empty())
    std::cerr << heading("note") << report.verdict() << ": " << about_pools(machine, report) << "\n";
  if (report.deadlock_free()) return report;
  if (invocation.common.force) {
    std::cerr << heading("warning") << report.cycle_text() << "\n";
    return report;
  }
  invocation.write_json(
      {{"machine", machine.name()}, {"verdict", report.verdict()}, {"cycle", report.cycle}, {"status", "deadlock"}});
  throw Deadlock(report.cycle_text() + "\nnothing was run; --force runs it anyway, until it happens");
}

/// The network's hosts at the cards of these nodes, each once.
std::vector<int> ports_of(const std::vector<int>& nodes, int ports) {
  std::set<int> hosts;
  for (const int node : nodes)
    for (int port = 0; port < ports; ++port) hosts.insert(node * ports + port);
  return {hosts.begin(), hosts.end()};
}

}  // namespace

std::string about_pools(const Machine& machine, const topologies::CheckReport& report) {
  const auto passes_hosts = [](const topologies::PathLengths& lengths) { return lengths.in_transit_hosts > 0; };
  const bool has_in_transit_hosts =
      !report.pool_cycle.empty() ||
      std::any_of(report.by_alternative.begin(), report.by_alternative.end(), passes_hosts);
  const net::NicRules& rules = machine.wiring().nics.front().rules;
  if (!has_in_transit_hosts || rules.pool_flits == INT64_MAX) return {};
  const std::string pools =
      fmt::format("an in-transit pool has {} bytes (nic.pool); a packet for which it has no room ",
                  rules.pool_flits * machine.format().flit_bytes);
  switch (rules.full_pool) {
    case net::FullPool::drops:
      return pools + "is lost (nic.full_pool), and never blocks the network";
    case net::FullPool::spills:
      return pools + "goes on to its host's memory (nic.full_pool), and never blocks the network" +
             (machine.nic().card_drops_when_full ? "; in `run` it is dropped, and the software sends it again" : "");
    case net::FullPool::holds_back:
      break;
  }
  return pools + "waits in the network (nic.full_pool = back-pressure)" +
         (report.pool_cycle.empty() ? "; no cycle includes a pool, but a packet longer than the pool never passes"
                                    : "; " + report.pool_cycle_text());
}

void prove_deadlock_free(const Invocation& invocation, const Machine& machine,
                         std::vector<topologies::RouteUse> routes) {
  topologies::CheckOptions options;
  options.only = std::move(routes);
  warn_of_unserved(prove(invocation, machine, std::move(options)));
}

void prove_for_jobs(const Invocation& invocation, const Machine& machine, const std::vector<std::vector<int>>& nodes) {
  topologies::CheckOptions options;
  for (const std::vector<int>& of_job : nodes) options.groups.push_back(ports_of(of_job, machine.nic().ports));
  const topologies::CheckReport report = prove(invocation, machine, std::move(options));
  if (report.pairs_unserved == 0) return;
  if (invocation.common.force) return warn_of_unserved(report);
  std::string examples;
  for (const std::string& example : report.examples) examples += "\n  " + example;
  throw UserError(machine.name(),
                  std::to_string(report.pairs_unserved) + " of " + std::to_string(report.pairs_checked) +
                      " pairs of hosts that the ranks run on are not served:" + examples +
                      (report.pairs_unserved > static_cast<std::int64_t>(report.examples.size()) ? "\n  ..." : ""),
                  "leave out nodes that are cut off (--map), or use --force: operations that wait for them then fail");
}

std::string about_deadlock(const std::string& waits) {
  if (waits.empty()) return {};
  std::string text = "packets can never move again:";
  for (std::size_t begin = 0; begin <= waits.size();) {
    const std::size_t end = std::min(waits.find('\n', begin), waits.size());
    text += "\n  " + waits.substr(begin, end - begin);
    begin = end + 1;
  }
  return text;
}

void stop_at_deadlock(const std::string& waits) { throw Deadlock(about_deadlock(waits)); }

}  // namespace sanvp::commands
