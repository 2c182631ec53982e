#include "platform/mpi_check/checker.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "sw/abi/hal/arguments.h"

namespace sanvp::mpi_check {

Checker::Checker(const std::vector<std::size_t>& ranks, bool with_memory) : with_memory_(with_memory) {
  for (const std::size_t count : ranks) jobs_.push_back(std::make_unique<Job>(count, with_memory));
}

const Handler& Checker::handler_of(Rank& rank, std::uint64_t name) {
  const Handler*& known = rank.handlers[name];
  if (known == nullptr) known = &Handlers::of(rank.text(name));
  return *known;
}

bool Checker::check(const host::Identity& identity, const host::CheckedProcess& process, const hal_checked_call& call) {
  Job& job = *jobs_.at(static_cast<std::size_t>(identity.job));
  if (identity.rank < 0 || static_cast<std::size_t>(identity.rank) >= job.ranks.size()) return false;
  Rank& rank = job.ranks[static_cast<std::size_t>(identity.rank)];
  rank.process = &process;
  if (call.what == HAL_CHECK_LAYOUT) {
    const auto layout = rank.value<mpi_check_layout>(call.arguments);
    if (layout.bytes == sizeof layout) rank.layout = layout;
    return false;
  }
  if (call.what == MPI_CHECK_COPY) {
    if (call.count != 0)
      rank.copies.insert(call.arguments);
    else
      rank.copies.erase(call.arguments);
    return false;
  }
  if (!rank.layout) return true;
  if (call.what == HAL_CHECK_END && call.id != 0) {
    job.end(rank, call.id, call.result);
    return false;
  }
  const Handler& handler = handler_of(rank, call.name);
  Call made{.handler = &handler,
            .words = rank.array<std::uint64_t>(call.arguments, static_cast<std::size_t>(call.count)),
            .site = {.rank = identity.rank,
                     .call = &handler.name,
                     .program = &*texts_.insert(process.checked_program()).first,
                     .code = process.checked_code(call.place)},
            .result = 0,
            .thread = call.thread,
            .stack = call.id,
            .posts = {},
            .handles = {},
            .needs_all = true,
            .uses = {},
            .communicator = nullptr};
  if (call.what == HAL_CHECK_END) {  // it was refused before it began
    job.refused(made.site, call.result);
    return false;
  }
  if (made.words.size() != static_cast<std::size_t>(call.count)) return false;
  job.begin(rank, std::move(made), call.id);
  return false;
}

void Checker::check(const host::Identity& identity, const host::CheckedAccess& access) {
  static const std::string load = "a load", store = "a store";
  Job& job = *jobs_.at(static_cast<std::size_t>(identity.job));
  if (identity.rank < 0 || static_cast<std::size_t>(identity.rank) >= job.ranks.size()) return;
  Rank& rank = job.ranks[static_cast<std::size_t>(identity.rank)];
  const Site site{.rank = identity.rank,
                  .call = access.is_store ? &store : &load,
                  .program = rank.last.program,
                  .code = access.code + 1};  // as behind a call
  job.access(rank, access.thread, site,
             {static_cast<std::int64_t>(access.address), static_cast<std::int64_t>(access.bytes)}, access.is_store);
}

void Checker::refused(const host::Identity& identity, const host::CheckedProcess& process, const std::string& message,
                      std::uint64_t code) {
  constexpr std::string_view separator = ": ";
  const std::size_t end = message.find(separator);
  Job& job = *jobs_.at(static_cast<std::size_t>(identity.job));
  const bool is_rank = identity.rank >= 0 && static_cast<std::size_t>(identity.rank) < job.ranks.size();
  if (!is_rank || !message.starts_with("MPI_") || end == std::string::npos) return;
  job.refused({.rank = identity.rank,
               .call = &*texts_.insert(message.substr(0, end)).first,
               .program = &*texts_.insert(process.checked_program()).first,
               .code = code == 0 ? 0 : code + 1},  // as behind the call
              message.substr(end + separator.size()));
}

void Checker::ended(const host::Identity& identity, bool owes_finalize) {
  Job& job = *jobs_.at(static_cast<std::size_t>(identity.job));
  if (identity.rank >= 0 && static_cast<std::size_t>(identity.rank) < job.ranks.size())
    job.ended(identity.rank, owes_finalize);
}

void Checker::finish(Outcome outcome) {
  for (const auto& job : jobs_) job->finish(outcome);
}

bool Checker::has_errors() const {
  return std::any_of(jobs_.begin(), jobs_.end(), [](const auto& job) { return job->findings.has(Severity::error); });
}

std::vector<std::pair<Severity, std::string>> Checker::lines() {
  std::vector<std::pair<Severity, std::string>> all;
  for (std::size_t i = 0; i < jobs_.size(); ++i)
    for (auto& line : jobs_[i]->findings.lines(places_, jobs_.size() > 1 ? "job " + std::to_string(i) + ": " : ""))
      all.push_back(std::move(line));
  return all;
}

nlohmann::ordered_json Checker::to_json() {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  std::array<int, 3> counts{};
  for (std::size_t i = 0; i < jobs_.size(); ++i)
    for (auto& finding : jobs_[i]->findings.to_json(places_, static_cast<int>(i)))
      findings.push_back(std::move(finding));
  for (const auto& [severity, line] : lines()) ++counts.at(static_cast<std::size_t>(severity));
  return {{"errors", counts[0]}, {"warnings", counts[1]}, {"notes", counts[2]}, {"findings", findings}};
}

Table Checker::table() {
  Table table(Findings::columns());
  for (std::size_t i = 0; i < jobs_.size(); ++i) jobs_[i]->findings.add_to(table, places_, static_cast<int>(i));
  return table;
}

}  // namespace sanvp::mpi_check
