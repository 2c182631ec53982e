/// What a cluster tells of a run: instructions, calls, use of its processors, statistics.
#include <algorithm>
#include <numeric>
#include <optional>

#include "models/native/symbols.hpp"
#include "platform/machine/cluster.hpp"

namespace sanvp {

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

void Cluster::report(StatisticsTable& statistics) const {
  for (const auto& node : nodes_) node->report(statistics);
  for (const auto& card : cards_) card->report(statistics);
  router_load_->report(statistics);
}

}  // namespace sanvp
