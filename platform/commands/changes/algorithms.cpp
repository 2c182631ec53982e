/// Algorithms of collective operations after a branch.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

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

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (;; text.remove_prefix(text.find(separator) + separator.size())) {
    parts.emplace_back(text.substr(0, text.find(separator)));
    if (text.find(separator) == text.npos) return parts;
  }
}

/// Names of an operation's algorithms, as its library tells them (MPI_CHOICE_MEANING of
/// sw/mpi/collectives/collective.h).
std::vector<std::string> names_in(const std::string& meaning) {
  const std::size_t begin = meaning.find(": ") + 2;
  return split(meaning.substr(begin, meaning.find(';') - begin), ", ");
}

/// Nothing: it is no size as sw/mpi/collectives/choice_rules.c reads them.
std::optional<double> size_in(const std::string& text) {
  static const std::map<std::string, double> units{
      {"", 1},     {"B", 1},    {"k", 1 << 10}, {"K", 1 << 10},   {"M", 1 << 20},   {"G", 1 << 30},
      {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9},    {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto unit = units.find(text.substr(digits));
  if (digits == 0 || unit == units.end()) return std::nullopt;
  const double bytes = std::stod(text.substr(0, digits)) * unit->second;
  const double most = std::ldexp(1, std::numeric_limits<std::size_t>::digits);
  return bytes < most ? std::optional(bytes) : std::nullopt;
}

/// The library refuses a wrong rule, too: but not before the branch.
void require_rules(const std::string& key, const std::string& text, const std::vector<std::string>& names) {
  constexpr std::size_t most_rules = 6;  // MPI_RULES_MOST
  const auto refuse = [&](const std::string& cause, const std::string& cure = {}) {
    throw UserError("--branch", key + " is " + in_quotes(text) + cause, cure);
  };
  const std::string form = "by size, it is like " + names.at(1) + ":256," + names.at(2);
  const std::vector<std::string> rules = split(text, ",");
  if (rules.size() > most_rules) refuse(": there are " + std::to_string(most_rules) + " rules at most");
  double last = 0;
  for (const std::string& rule : rules) {
    const std::size_t colon = rule.find(':');
    if (std::ranges::count(names, rule.substr(0, colon)) == 0) {
      std::string all;
      for (const std::string& one : names) all += (all.empty() ? "" : ", ") + one;
      refuse("; choose one of " + all);
    }
    const bool is_last = &rule == &rules.back(), has_size = colon != rule.npos;
    const auto size = has_size ? size_in(rule.substr(colon + 1)) : std::nullopt;
    if (is_last == has_size || (has_size && !size)) refuse(": each name but the last has a size", form);
    if (has_size && &rule != &rules.front() && *size <= last) refuse(": sizes do not rise", form);
    last = size.value_or(last);
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
