#include "platform/commands/run_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "models/native/safety_net.hpp"
#include "platform/commands/interruption.hpp"
#include "platform/core/units.hpp"

namespace sanvp::commands {
namespace {

using jobs::JobRun;

/// @param cause  that ended it
Verdict interrupted(const Cluster& cluster, Exit exit, const std::string& cause, const std::string& failures) {
  std::string message = cause + " at " + to_text(cluster.now()) + " of simulated time";
  if (!failures.empty()) message += "\n       " + failures;
  for (const std::string& line : cluster.waiting()) message += "\n       " + line;
  return {"interrupted", exit, message};
}

/// One line each, and only the first ones if there are many.
std::string lines_of(const std::vector<std::string>& lines) {
  constexpr std::size_t most = 32;
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) text += (i > 0 ? "\n       " : "") + lines[i];
  if (lines.size() > most) text += "\n       and " + std::to_string(lines.size() - most) + " more";
  return text;
}

/// Packets that the network lost or damaged, a possible reason for a failed run: one more line, or empty.
std::string network_losses(const net::Network& network) {
  if (network.lost() + network.corrupt() == 0) return {};
  return fmt::format("\n       of the packets {} were lost (failed parts, full pools) and {} damaged (bit errors)",
                     network.lost(), network.corrupt());
}

/// The first few packets that parts lost when they failed during the run, one per line; empty if none.
std::vector<std::string> lost_packets(Cluster& cluster, const Machine& machine) {
  std::vector<std::string> lines;
  if (cluster.outages() == nullptr) return lines;
  const faults::Account& account = cluster.outages()->account();
  const int ports = machine.nic().ports;
  for (const auto& [at, source, destination] : account.first_losses())
    lines.push_back(
        fmt::format("lost at {}: a packet of node {} to node {}", to_text(at), source / ports, destination / ports));
  const std::int64_t more = account.totals().lost.packets - static_cast<std::int64_t>(lines.size());
  if (more > 0) lines.push_back(fmt::format("and {} packets more", more));
  return lines;
}

/// A line each; one for all ranks that failed at once for the same reason, such as a card that the machine lacks.
std::vector<std::string> failure_lines(const JobRun& run) {
  std::vector<std::pair<const JobRun::Failure*, int>> groups;  // the first of them, and how many
  for (const JobRun::Failure& failure : run.failures()) {
    const auto same = [&](const auto& group) {
      return group.first->cause == failure.cause && group.first->at == failure.at;
    };
    const auto known = std::find_if(groups.begin(), groups.end(), same);
    if (known == groups.end())
      groups.emplace_back(&failure, 1);
    else
      ++known->second;
  }
  std::vector<std::string> lines;
  for (const auto& [first, ranks] : groups)
    lines.push_back(run.text(first->process) +
                    (ranks > 1 ? fmt::format(" and {} more rank{}", ranks - 1, ranks == 2 ? "" : "s") : "") + ": " +
                    first->cause + ", at " + to_text(first->at));
  return lines;
}

/// Whether ranks wait in calls of MPI, and none for what the checker of these calls does not see.
bool is_of_mpi(const std::vector<std::string>& waiting) {
  const auto any = [&](std::string_view words) {
    return std::any_of(waiting.begin(), waiting.end(),
                       [&](const std::string& line) { return line.find(words) != std::string::npos; });
  };
  return (any(" waits in MPI_") || any(" makes no progress in MPI_")) && !any(" waits for another thread") &&
         !any(" waits in shmem_") && !any(" makes no progress in shmem_");
}

/// Sent messages that no receive takes, and how to find out why: lines after those of the waiting ranks.
std::string unmatched_messages(const JobRun& run, const std::vector<std::string>& waiting, bool is_checked) {
  constexpr std::size_t most = 8;
  constexpr const char* indent = "\n       ";
  std::vector<std::string> lines = run.unmatched_messages();
  const std::size_t more = lines.size() - std::min(lines.size(), most);
  lines.resize(lines.size() - more);
  std::string text = lines.empty() ? "" : std::string(indent) + "messages that no receive takes:";
  for (const std::string& line : lines) text += indent + line;
  if (more > 0) text += indent + fmt::format("and {} more", more);
  if (!is_checked && is_of_mpi(waiting)) text += std::string(indent) + "--check-mpi looks for the mistake";
  return text;
}

}  // namespace

Verdict verdict(Cluster& cluster, const Machine& machine, const JobRun& run, Cluster::End end, const Gdb& gdb,
                bool is_checked) {
  std::vector<std::string> failed;
  for (const auto& [process, cause, at] : run.deaths())
    failed.push_back(run.text(process) + ": " + cause + ", at " + to_text(at));
  const std::string deaths = failed.empty() ? "" : "\n       " + lines_of(failed);
  for (std::string& line : failure_lines(run)) failed.push_back(std::move(line));
  const std::string failures = lines_of(failed);
  if (native::was_interrupted()) return interrupted(cluster, status_of_interrupt(), name_of_interrupt(), failures);
  if (gdb.has_ended_run()) return interrupted(cluster, Exit::interrupted, "gdb has ended the run", failures);
  if (!run.failures().empty() || (run.all_ended() && !run.deaths().empty()))
    return {"failed", Exit::program_failed, failures + network_losses(cluster.network())};
  if (run.all_ended()) return {"done", Exit::done};
  if (end == Cluster::End::until)
    return {"until reached", Exit::until_reached,
            "--until " + to_text(cluster.now()) + " is reached, and programs still run:" + deaths + "\n       " +
                lines_of(cluster.waiting())};
  if (const std::string cycle = cluster.network().find_deadlock(); !cycle.empty())
    return {"deadlock", Exit::deadlock, "deadlock: " + cycle};
  if (cluster.outlasts_time())
    return {"until reached", Exit::until_reached,
            "simulated time ends after 106 days, and there are ranks that sleep longer:\n       " +
                lines_of(cluster.waiting())};
  std::vector<std::string> lines = run.ended_ranks();
  for (const std::string& line : cluster.waiting()) lines.push_back(line);
  const std::vector<std::string> lost = lost_packets(cluster, machine);
  const char* const cause = lost.empty() ? "nothing more can happen, and there are ranks that wait:"
                                         : "packets were lost to failed parts, and there are ranks that wait for ever:";
  const std::string message = cause + deaths + (lost.empty() ? "" : "\n       " + lines_of(lost)) + "\n       " +
                              lines_of(lines) + unmatched_messages(run, lines, is_checked) +
                              network_losses(cluster.network());
  return {"hangs", Exit::deadlock, message};
}

}  // namespace sanvp::commands
