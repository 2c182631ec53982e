#include "platform/jobs/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "models/native/executed_time.hpp"

namespace sanvp::jobs {
namespace {

using Totals = host::CallProfile::Totals;

double share(const Totals& totals) {
  return totals.time > Time{0} ? static_cast<double>(totals.waiting.count()) / static_cast<double>(totals.time.count())
                               : 0;
}

/// ", computing 12.3 ms (11.1 to 13.6)"
std::string interval_text(const host::Usage& usage) {
  if (usage.computing <= Time{0}) return {};
  constexpr double thousand = 1000;
  double unit_ps = 1;
  std::size_t unit = 0;
  constexpr std::array names{"ps", "ns", "us", "ms", "s"};
  while (unit + 1 < names.size() && static_cast<double>(usage.computing.count()) >= thousand * unit_ps)
    unit_ps *= thousand, ++unit;
  const auto text = [unit_ps](Time time) {
    const double value = static_cast<double>(time.count()) / unit_ps;
    return fmt::format("{:.{}f}", value, value < 10 ? 2 : value < 100 ? 1 : 0);
  };
  return fmt::format(", computing {} {} ({} to {})", text(usage.computing), names[unit], text(usage.least_computing),
                     text(usage.most_computing));
}

}  // namespace

Table profile_table(const std::vector<host::RankCalls>& ranks) {
  Table table({"job", "rank", "call", "count", "bytes", "time_ns", "waiting_ns", "waiting_share"});
  for (const host::RankCalls& of : ranks)
    for (const auto& [call, totals] : of.calls->totals())
      table.add({std::int64_t{of.job}, std::int64_t{of.rank}, call, static_cast<std::int64_t>(totals.calls),
                 static_cast<std::int64_t>(totals.bytes), in_ns(totals.time), in_ns(totals.waiting), share(totals)});
  return table;
}

host::Usage usage_of(const std::vector<host::RankUsage>& ranks, int job) {
  host::Usage all;
  for (const host::RankUsage& rank : ranks)
    if (rank.job == job) all += rank.usage;
  return all;
}

std::string usage_text(const std::vector<host::RankUsage>& ranks, int job) {
  const host::Usage all = usage_of(ranks, job);
  const auto percent = [whole = all.total()](Time part) {
    return whole > Time{0} ? 100.0 * static_cast<double>(part.count()) / static_cast<double>(whole.count()) : 0;
  };
  return fmt::format("computing {:.1f} %, library {:.1f} %, waiting {:.1f} %, noise {:.1f} %{}", percent(all.computing),
                     percent(all.library), percent(all.waiting), percent(all.noise), interval_text(all));
}

Table executed_table(const std::vector<std::map<std::string, native::Executed>>& jobs) {
  std::vector<std::string> columns{"job", "function", "instructions"};
  for (std::size_t i = 0; i < cpu::instruction_classes; ++i) columns.emplace_back(cpu::instruction_class_name(i));
  Table table(columns);
  for (std::size_t job = 0; job < jobs.size(); ++job)
    for (const auto& [function, executed] : jobs[job]) {
      std::vector<Cell> row{static_cast<std::int64_t>(job), function, static_cast<std::int64_t>(executed.instructions)};
      for (const std::uint64_t count : executed.counts) row.emplace_back(static_cast<std::int64_t>(count));
      table.add(row);
    }
  return table;
}

std::string executed_text(const std::map<std::string, native::Executed>& functions, const cpu::InstructionCosts& costs,
                          bool is_foreign) {
  native::Executed all;
  for (const auto& [function, executed] : functions) all += executed;
  const auto time_ps = [&](std::size_t of_class) {
    return native::least_time_ps(costs, of_class, all.counts[of_class], is_foreign);
  };
  double whole_ps = 0;
  for (std::size_t i = 0; i < cpu::instruction_classes; ++i) whole_ps += time_ps(i);
  if (!(whole_ps > 0)) return {};
  constexpr double percent = 100, ps_per_us = 1e6;
  std::string text = fmt::format("{:<28}{:>14}{:>14}{:>10}\n", "operations, all ranks", "count", "time us", "share");
  for (std::size_t i = 0; i < cpu::instruction_classes; ++i) {
    if (all.counts[i] == 0) continue;
    const double ps = time_ps(i);
    text += fmt::format("{:<28}{:>14}{:>14.3f}{:>9.1f}%\n", cpu::instruction_class_name(i), all.counts[i],
                        ps / ps_per_us, percent * ps / whole_ps);
  }
  return text;
}

std::string profile_text(const std::vector<host::RankCalls>& ranks, int job) {
  std::map<std::string, Totals> by_call;
  for (const host::RankCalls& of : ranks) {
    if (of.job != job) continue;
    for (const auto& [call, totals] : of.calls->totals()) by_call[call] += totals;
  }
  if (by_call.empty()) return "no calls of a library were made\n";
  std::vector<std::pair<std::string, Totals>> rows(by_call.begin(), by_call.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second.time > b.second.time; });
  std::string text =
      fmt::format("{:<28}{:>10}{:>14}{:>14}{:>10}\n", "call, all ranks", "count", "bytes", "time us", "waiting");
  constexpr double ns_per_us = 1000;
  constexpr double percent = 100;
  for (const auto& [call, totals] : rows)
    text += fmt::format("{:<28}{:>10}{:>14}{:>14.3f}{:>9.1f}%\n", call, totals.calls, totals.bytes,
                        in_ns(totals.time) / ns_per_us, percent * share(totals));
  return text;
}

}  // namespace sanvp::jobs
