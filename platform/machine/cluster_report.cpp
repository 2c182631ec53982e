/// What a cluster tells of a run: what its ranks do and wait for, instructions, calls, use of its processors,
/// statistics.
#include <algorithm>
#include <numeric>
#include <optional>

#include "models/cpu/riscv/linux/crash.hpp"
#include "models/native/symbols.hpp"
#include "platform/core/units.hpp"
#include "platform/machine/cluster.hpp"

namespace sanvp {
namespace {

std::string after(const char* words, const std::string& place) { return place.empty() ? "" : words + place; }

/// The places of the first thread and of the others, of a rank that is in no library call.
std::string places_of_threads(host::Process& process) {
  constexpr int most = 8;
  std::string text = after(", in ", process.own_calls(0).text);
  const riscv::os::Process* const program = process.interpreted();
  if (program == nullptr) return text;
  int named = 0;
  for (const auto& thread : program->threads()) {
    const int number = thread->id - program->settings().id;
    if (number == 0 || thread->has_ended || ++named > most) continue;
    text += after(("; thread " + std::to_string(number) + " in ").c_str(), process.own_calls(number).text);
  }
  return text;
}

/// " waits in MPI_Recv (rank 1, tag 5, 4 bytes) since 40us, called by main() at prog.c:16"
/// @param no_progress_since  a rank that has only tested since then is said to make no progress
/// @param is_long            with its place, which takes a while to find out
std::string state_of(host::Process& process, Time no_progress_since, bool is_long) {
  const host::CallProfile& calls = process.calls();
  const auto called_by = [&](int thread) {
    return is_long ? after(", called by ", process.own_calls(thread).text) : "";
  };
  const auto tester = process.tests_without_progress();
  if (tester && process.has_waited(no_progress_since))
    return " makes no progress in " + calls.last(*tester) + " since " + to_text(calls.looks(*tester).since) +
           called_by(*tester);
  const auto in_call = calls.thread_of_oldest();
  if (const auto waiting = process.waiting())
    return in_call ? " waits in " + calls.oldest() + " since " + to_text(waiting->since) + called_by(*in_call)
                   : " waits " + waiting->what + " since " + to_text(waiting->since) +
                         (is_long ? places_of_threads(process) : "");
  if (in_call) return " is in " + calls.oldest() + called_by(*in_call);
  return after(" computes, in ", process.place());
}

}  // namespace

std::uint64_t Cluster::damaged() const {
  std::uint64_t damaged = 0;
  for (const auto& card : cards_) damaged += card->damaged();
  return damaged;
}

std::map<std::string, native::Executed> Cluster::executed(std::size_t job) {
  const std::string& image = programs_[job].image;
  std::map<std::string, native::Executed> functions = loader_.executed_by_function(image);
  std::optional<native::Symbols> symbols;
  for (const host::Process* process : processes_) {
    if (process->identity().job != static_cast<int>(job)) continue;
    for (const auto& [address, counts] : process->executed_by_address()) {
      const std::uint64_t instructions = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
      if (instructions == 0) continue;
      if (!symbols) symbols.emplace(loader_.program(image)->path());  // not what the program has left there
      functions[symbols->function_at(address)] += {.instructions = instructions, .counts = counts};
    }
  }
  return functions;
}

std::optional<cpu::InstructionCounts> Cluster::interpreted() const {
  std::optional<cpu::InstructionCounts> sum;
  for (const host::Process* process : processes_) {
    const auto executed = process->executed();
    if (!executed) continue;
    if (!sum) sum.emplace();
    std::transform(sum->begin(), sum->end(), executed->begin(), sum->begin(), std::plus<>());
  }
  return sum;
}

std::vector<host::RankCalls> Cluster::calls() const {
  std::vector<host::RankCalls> calls;
  for (const host::Process* process : processes_)
    calls.push_back({process->identity().job, process->identity().rank, &process->calls()});
  return calls;
}

std::vector<host::RankUsage> Cluster::usage() const {
  std::vector<host::RankUsage> usage;
  for (const host::Process* process : processes_)
    usage.push_back({process->identity().job, process->identity().rank, process->usage()});
  return usage;
}

std::vector<std::string> Cluster::waiting() const {
  constexpr std::size_t most_with_places = 32;
  std::vector<std::string> lines;
  for (const auto& node : nodes_)
    for (const auto& process : node->processes()) {
      if (process->has_ended()) continue;
      const host::Identity& id = process->identity();
      if (id.rank >= id.ranks - id.io_servers) continue;  // serves files, and waits for requests
      std::string line = programs_.size() > 1 ? "job " + std::to_string(id.job) + ", " : "";
      line += "rank " + std::to_string(id.rank) + " on node " + std::to_string(id.node);
      // It has crashed ahead of the rest of the machine, and ends when that has come so far.
      const riscv::os::Process* const program = process->interpreted();
      if (program != nullptr && program->end() && program->end()->signal != 0)
        line += ": " + riscv::os::crash_text(*program);
      else
        line += state_of(*process, now() - std::min(looks_, progress_period), lines.size() < most_with_places);
      lines.push_back(line);
    }
  for (std::size_t i = 0; i < cards_.size(); ++i)
    if (const std::string busy = cards_[i]->busy(); !busy.empty() && !is_dead(i))
      lines.push_back("the card of node " + std::to_string(i) + ": " + busy);
  return lines;
}

void Cluster::report(StatisticsTable& statistics) const {
  for (const auto& node : nodes_) node->report(statistics);
  for (const auto& card : cards_) card->report(statistics);
  router_load_->report(statistics);
}

}  // namespace sanvp
