#include "platform/commands/proof.hpp"

#include <algorithm>
#include <iostream>

namespace sanvp::commands {
namespace {

/// Every pair of macrame-clos-1024 takes 41 million steps and 0.8 s, of qsnet-1024 26 million and 0.5 s.
constexpr std::int64_t most_steps = 45'000'000;

/// A program or a pattern may do without these pairs; whoever uses them loses packets.
void warn_of_unserved(const topologies::CheckReport& report) {
  if (report.pairs_unserved == 0) return;
  std::cerr << "warning: " << report.pairs_unserved << " of " << report.pairs_checked << " pairs of hosts "
            << (report.sampled() ? "looked at " : "") << "are not served: packets between them may be lost";
  if (!report.examples.empty()) std::cerr << "; for one, " << report.examples.front();
  std::cerr << " (sanvp check lists more)\n";
}

}  // namespace

void prove_deadlock_free(const Invocation& invocation, const Machine& machine,
                         std::vector<topologies::RouteUse> routes) {
  topologies::CheckOptions options;
  options.work = most_steps;
  options.only = std::move(routes);
  const topologies::CheckReport report = machine.check(options);
  warn_of_unserved(report);
  if (report.deadlock_free()) return;
  if (invocation.common.force) {
    std::cerr << "warning: " << report.circle() << "\n";
    return;
  }
  invocation.write_json({{"machine", machine.name()}, {"verdict", report.verdict()}, {"cycle", report.cycle}});
  throw Deadlock(report.circle() + "\nnothing was run; --force runs it all the same, until it happens");
}

void stop_at_deadlock(const std::string& waits) {
  std::string text = "packets can never move again:";
  for (std::size_t begin = 0; begin <= waits.size();) {
    const std::size_t end = std::min(waits.find('\n', begin), waits.size());
    text += "\n  " + waits.substr(begin, end - begin);
    begin = end + 1;
  }
  throw Deadlock(text);
}

}  // namespace sanvp::commands
