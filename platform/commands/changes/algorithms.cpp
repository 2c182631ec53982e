/// Algorithms of collective operations after a branch.
#include <algorithm>
#include <regex>

#include "platform/commands/changes/change.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/text.hpp"
#include "platform/jobs/told_settings.hpp"

namespace sanvp::commands {
namespace {

const std::vector<std::string> keys{"mpi.barrier",        "mpi.bcast",    "mpi.gather", "mpi.scatter",
                                    "mpi.allgather",      "mpi.alltoall", "mpi.reduce", "mpi.allreduce",
                                    "mpi.reduce_scatter", "mpi.scan"};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::string_view rest = text;; rest.remove_prefix(rest.find(',') + 1)) {
    parts.emplace_back(trimmed(rest.substr(0, rest.find(','))));
    if (rest.find(',') == rest.npos) return parts;
  }
}

/// Names of an operation's algorithms, as its library tells them (MPI_CHOICE_MEANING of
/// sw/mpi/collectives/collective.h).
std::vector<std::string> names_in(const std::string& meaning) {
  const std::size_t begin = meaning.find(": ") + 2;
  return split(meaning.substr(begin, meaning.find(';') - begin));
}

/// The library refuses a wrong rule, too: but not before the branch.
void require_rules(const std::string& key, const std::string& text, const std::vector<std::string>& names) {
  static const std::regex size("[0-9]+([kKMG]i?)?B?");  // sw/mpi/collectives/choice_rules.c
  const std::vector<std::string> rules = split(text);
  for (const std::string& rule : rules) {
    const std::size_t colon = rule.find(':');
    const std::string name = rule.substr(0, colon);
    const bool is_last = &rule == &rules.back(), has_size = colon != rule.npos;
    if (std::ranges::count(names, name) == 0) {
      std::string all;
      for (const std::string& one : names) all += (all.empty() ? "" : ", ") + one;
      throw UserError("--branch", key + " is " + in_quotes(text) + "; choose one of " + all);
    }
    if (is_last == has_size || (has_size && !std::regex_match(rule.substr(colon + 1), size)))
      throw UserError("--branch", key + " is " + in_quotes(text) + ": each name but the last has a size",
                      "by size, it is like " + names.at(1) + ":256," + names.at(2));
  }
}

void check(const PlannedBranch& branch) {
  const ParameterSet told = jobs::told_settings();
  for (const std::string& key : keys) {
    const auto* const given = branch.software.find(key);
    const auto declared = told.declared().find(key);
    if (given != nullptr && declared != told.declared().end())
      require_rules(key, given->text, names_in(declared->second.documentation));
  }
}

/// They count for the operations of a communicator that no rank has begun at the branch.
const Registration<Change> registration{{.name = "algorithms",
                                         .summary = "how collective operations are done that no rank has begun",
                                         .keys = keys,
                                         .check = check,
                                         .apply = [](const PlannedBranch& branch, const RunToChange& run) {
                                           if (run.choose_algorithms) run.choose_algorithms(branch.software);
                                         }}};

}  // namespace
}  // namespace sanvp::commands
