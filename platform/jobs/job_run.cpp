#include "platform/jobs/job_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <ostream>
#include <set>
#include <utility>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/mpi_check/algorithms.hpp"

namespace sanvp::jobs {
namespace {

bool is_of_key(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-'; }

/// "rank 3" or "ranks 0, 3-7": those for which `is` holds. Empty if it holds for none.
template <class Is>
std::string ranks_where(std::size_t ranks, Is is) {
  std::string list;
  for (std::size_t first = 0; first < ranks; ++first) {
    if (!is(first)) continue;
    std::size_t last = first;
    while (last + 1 < ranks && is(last + 1)) ++last;
    list += (list.empty() ? "" : ", ") + std::to_string(first) + (last > first ? "-" + std::to_string(last) : "");
    first = last;
  }
  if (list.empty()) return {};
  return (list.find_first_of(",-") == std::string::npos ? "rank " : "ranks ") + list;
}

/// "2 to rank 0, 1 to rank 5", and only the first ones if there are many.
std::string messages_by_rank(const std::vector<std::int64_t>& messages) {
  constexpr int most = 8;
  std::string list;
  int named = 0;
  for (std::size_t rank = 0; rank < messages.size(); ++rank) {
    if (messages[rank] <= 0) continue;
    if (++named > most) return list + " ...";
    list += (list.empty() ? "" : ", ") + std::to_string(messages[rank]) + " to rank " + std::to_string(rank);
  }
  return list;
}

constexpr double ns_per_ms = 1e6;

const char* verb(const std::string& ranks) { return ranks.starts_with("ranks") ? " have" : " has"; }

}  // namespace

JobRun::JobRun(std::vector<Job> jobs, ParameterSet settings, std::ostream& out, std::ostream& error)
    : jobs_(std::move(jobs)), settings_(std::move(settings)), out_(out), error_(error) {
  for (Job& job : jobs_) {
    job.ended.assign(job.nodes.size(), never);
    job.reported.resize(job.nodes.size());
    job.owes.resize(job.nodes.size());
    running_ += static_cast<int>(job.nodes.size());
  }
}

std::string JobRun::text(const host::Identity& process) const {
  if (process.rank < 0) return "the driver of node " + std::to_string(process.node);
  std::string text = "rank " + std::to_string(process.rank);
  if (jobs_.size() > 1) text += " of job " + std::to_string(process.job) + " (" + jobs_[process.job].name + ")";
  return text + " on node " + std::to_string(process.node);
}

std::vector<std::string> JobRun::ended_ranks() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const auto& ended = jobs_[i].ended;
    const std::string ranks = ranks_where(ended.size(), [&](std::size_t rank) { return ended[rank] != never; });
    if (!ranks.empty()) lines.push_back(label(i) + ranks + verb(ranks) + " ended");
  }
  return lines;
}

std::vector<std::string> JobRun::notes() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const Job& job = jobs_[i];
    if (job.over) continue;
    std::set<std::string> calls;
    for (const char* call : job.owes)
      if (call != nullptr) calls.insert(call);
    for (const std::string& call : calls) {
      const std::string ranks = ranks_where(job.owes.size(), [&](std::size_t rank) {
        return job.ended[rank] != never && job.owes[rank] != nullptr && call == job.owes[rank];
      });
      if (!ranks.empty())
        lines.push_back(label(i) + ranks + verb(ranks) + " ended without " + call +
                        ", which other systems may call a failure; call it before the end");
    }
    const auto ended = [](Time at) { return at != never; };
    if (!std::all_of(job.ended.begin(), job.ended.end(), ended)) continue;
    const std::vector<std::int64_t> unreceived = job.messages.counts(job.nodes.size());
    const std::int64_t left = std::accumulate(unreceived.begin(), unreceived.end(), std::int64_t{0});
    if (left > 0)
      lines.push_back(label(i) + std::to_string(left) + (left == 1 ? " message was" : " messages were") +
                      " sent and never received: " + messages_by_rank(unreceived));
  }
  return lines;
}

/// Names the job if there are several.
std::string JobRun::label(std::size_t job) const { return jobs_.size() > 1 ? "job " + std::to_string(job) + ": " : ""; }

const char* JobRun::setting(const char* key, const char* fallback, const char* documentation, const char* source) {
  const std::string whole = key;
  const std::size_t dot = whole.find('.');
  if (!std::all_of(whole.begin(), whole.end(), is_of_key))
    throw UserError("hal_setting", "the key has other characters than letters, digits, '.', '_' and '-'",
                    "call it such as mpi.alltoall");
  if (dot == std::string::npos || dot == 0)
    throw UserError("hal_setting", "the key '" + whole + "' has no section", "call it such as mpi." + whole);
  const Parameters section(settings_, whole.substr(0, dot));
  return texts_.insert(section.text(whole.substr(dot + 1), fallback, documentation, source)).first->c_str();
}

void JobRun::metric(const host::Identity& process, const char* name, double value, const char* unit) {
  if (process.rank >= 0) jobs_[process.job].reported[process.rank][name] = {value, unit};
}

void JobRun::output(const host::Identity& process, bool is_error, std::string_view line) {
  std::string label = process.rank < 0 ? "node " + std::to_string(process.node) : std::to_string(process.rank);
  if (process.rank >= 0 && jobs_.size() > 1) label = std::to_string(process.job) + "." + label;
  if (before_output_) before_output_();
  (is_error ? error_ : out_) << "[" << label << "] " << line << "\n";
  flush_at_intervals();
}

void JobRun::bytes(const host::Identity&, bool is_error, std::string_view bytes) {
  if (before_output_) before_output_();
  (is_error ? error_ : out_) << bytes;
  flush_at_intervals();
}

void JobRun::flush_at_intervals() {
  constexpr std::chrono::milliseconds interval{1};  // a flush takes some microseconds
  const auto now = std::chrono::steady_clock::now();
  if (now - flushed_ < interval) return;
  flushed_ = now;
  out_.flush();
}

void JobRun::ended_job(const host::Identity& process, int status, Time at) {
  Job& job = jobs_[process.job];
  if (job.over) return;
  for (std::size_t rank = 0; rank < job.ended.size(); ++rank) {
    if (job.ended[rank] != never || static_cast<int>(rank) == process.rank) continue;
    job.ended[rank] = at;
    --running_;
  }
  ended(process, status, at);
  job.over = true;
}

void JobRun::ended(const host::Identity& process, int status, Time at) {
  if (jobs_[process.job].over) return;
  if (checker_ != nullptr) checker_->ended(process, jobs_[process.job].owes[process.rank] != nullptr);
  jobs_[process.job].ended[process.rank] = at;
  --running_;
  if (status != 0) failures_.push_back({process, "exited with status " + std::to_string(status), at});
  finish();
}

void JobRun::failed(const host::Identity& process, const std::string& cause, Time at) {
  if (process.rank >= 0 && jobs_[process.job].over) return;
  failures_.push_back({process, cause, at});
  finish();
}

void JobRun::died(const host::Identity& process, Time at) {
  Job& job = jobs_[process.job];
  if (job.over) return;
  if (checker_ != nullptr) checker_->ended(process, jobs_[process.job].owes[process.rank] != nullptr);
  job.ended[process.rank] = at;
  --running_;
  deaths_.push_back({process, "its node went down", at});
  finish();
}

void JobRun::owes(const host::Identity& process, const char* call) {
  if (process.rank >= 0) jobs_[process.job].owes[process.rank] = call;
}

void JobRun::message_sent(const host::Identity& process, int to, std::uint64_t tag, std::uint64_t bytes) {
  jobs_[process.job].messages.sent(process.rank, to, tag, bytes);
  for (Listener* const listener : listeners_) listener->message_sent(process, to, tag, bytes);
  note_messages(process.job, to);
}

void JobRun::receive_posted(const host::Identity& process, std::uint64_t receive, int from, std::uint64_t tag,
                            std::uint64_t mask) {
  jobs_[process.job].messages.posted(process.rank, receive, from, tag, mask);
  for (Listener* const listener : listeners_) listener->receive_posted(process, receive);
  note_messages(process.job, process.rank);
}

void JobRun::message_over(const host::Identity& process, int from, int to, std::uint64_t tag, std::uint64_t receive) {
  jobs_[process.job].messages.over(from, to, tag, receive);
  for (Listener* const listener : listeners_) listener->message_over(process, from, to, tag, receive);
  note_messages(process.job, to);
}

int JobRun::watch_messages(MessagesChanged changed) {
  const int number = messages_changed_.empty() ? 0 : messages_changed_.rbegin()->first + 1;
  messages_changed_[number] = std::move(changed);
  return number;
}

bool JobRun::records(const host::Identity& process) const { return recorder_ && process.rank >= 0; }

void JobRun::record(const host::Identity& process, const host::Recorded& recorded, Time at, Time worked) {
  if (recorder_) recorder_(process, recorded, at, worked);
}

std::vector<std::string> JobRun::unmatched_messages() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < jobs_.size(); ++i)
    for (const std::string& line : jobs_[i].messages.unmatched()) lines.push_back(label(i) + line);
  return lines;
}

void JobRun::accepted(const host::Identity& process, double bytes, Time from, Time until) {
  if (process.rank >= 0) jobs_[process.job].acceptance.add(bytes, from, until);
}

void JobRun::measures(const host::Identity& process, Time from, Time until) {
  if (process.rank < 0) return;
  Job& job = jobs_[process.job];
  job.acceptance.measure(from, until);
  job.measured_until = std::max(job.measured_until, until);
}

std::optional<Time> JobRun::measured_until() const {
  Time last{0};
  for (const Job& job : jobs_) {
    if (job.measured_until == Time{0}) return {};
    last = std::max(last, job.measured_until);
  }
  return last;
}

void JobRun::tests_without_progress() {
  if (looking_) looking_();
}

void JobRun::change_settings(const ParameterSet& settings) {
  for (const auto& [key, given] : settings.given()) settings_.set(key, given.text, given.place);
}

bool JobRun::check(const host::Identity& process, const host::CheckedProcess& memory, const hal_checked_call& call) {
  if (mpi_check::asks_for_algorithms(call)) return has_other_algorithms_ && has_other_algorithms_(process);
  bool wants_layout = checker_ != nullptr && checker_->check(process, memory, call);
  for (Listener* const listener : listeners_) wants_layout |= listener->check(process, memory, call);
  return wants_layout;
}

void JobRun::call_begins(const host::Identity& process, int thread, const char* name, int peer, std::uint64_t bytes,
                         Time at) {
  for (Listener* const listener : listeners_) listener->call_begins(process, thread, name, peer, bytes, at);
}

void JobRun::call_ends(const host::Identity& process, int thread, Time at) {
  for (Listener* const listener : listeners_) listener->call_ends(process, thread, at);
}

bool JobRun::checks_memory(const host::Identity& process) const {
  return checker_ != nullptr && process.rank >= 0 && checker_->checks_memory();
}

void JobRun::check(const host::Identity& process, const host::CheckedAccess& access) {
  if (checker_ != nullptr) checker_->check(process, access);
}

void JobRun::refused(const host::Identity& process, const host::CheckedProcess& memory, const std::string& message,
                     std::uint64_t code) {
  if (checker_ != nullptr) checker_->refused(process, memory, message, code);
}

void JobRun::finish() {
  if ((all_ended() || !failures_.empty()) && over_) std::exchange(over_, {})();
}

void JobRun::report(StatisticsTable& statistics) const {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const std::string path = "job " + std::to_string(i);
    for (const auto& [name, metric] : jobs_[i].metrics()) statistics.add(path, name, metric.unit, metric.value);
    const auto found = jobs_[i].acceptance.report();
    if (!found) continue;
    statistics.add(path, "settled", "1", found->has_settled ? 1 : 0);
    statistics.add(path, "warm_up", "ns", in_ns(found->warm_up));
    statistics.add(path, "window", "ns", in_ns(found->window));
    if (std::isfinite(found->MBps.half_width))
      statistics.add(path, "accepted_half_width", "MB/s", found->MBps.half_width);
  }
}

std::string JobRun::steadiness() const {
  std::string lines;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const auto found = jobs_[i].acceptance.report();
    if (!found) continue;
    const bool is_known = std::isfinite(found->MBps.half_width);
    const auto ms = [](Time time) {
      constexpr double rounds_up = 9999.5;  // to four digits
      const double value = in_ns(time) / ns_per_ms;
      return value < rounds_up ? fmt::format("{:.4g}", value) : fmt::format("{:.0f}", value);
    };
    lines += fmt::format(
        "{}{}: accepted {:.1f}{} MB/s in {} ms, after {} ms of warm-up\n", label(i),
        found->has_settled ? "settled" : "not settled", found->MBps.mean,
        is_known ? fmt::format(" +- {:.1f}", found->MBps.half_width) : " (too short a time for an interval)",
        ms(found->window), ms(found->warm_up));
  }
  return lines;
}

std::map<std::string, JobRun::Metric> JobRun::Job::metrics() const {
  std::map<std::string, Metric> means;
  std::map<std::string, double> counts;
  for (const auto& of_rank : reported)
    for (const auto& [name, metric] : of_rank) {
      auto& [mean, unit] = means[name];
      mean += (metric.value - mean) / ++counts[name];
      unit = metric.unit;
    }
  return means;
}

Table JobRun::ranks(const std::vector<host::RankUsage>& usage) const {
  std::map<std::pair<int, int>, host::Usage> times;
  for (const host::RankUsage& of : usage) times[{of.job, of.rank}] = of.usage;
  std::vector<std::string> columns{"job",        "rank",       "node",     "ended_ns",           "computing_ns",
                                   "library_ns", "waiting_ns", "noise_ns", "computing_least_ns", "computing_most_ns"};
  std::set<std::string> names;
  for (const Job& job : jobs_)
    for (const auto& [name, metric] : job.metrics()) names.insert(name);
  columns.insert(columns.end(), names.begin(), names.end());
  Table table(columns);
  for (std::size_t i = 0; i < jobs_.size(); ++i)
    for (std::size_t rank = 0; rank < jobs_[i].nodes.size(); ++rank) {
      const Time ended = jobs_[i].ended[rank];
      std::vector<Cell> row{static_cast<std::int64_t>(i), static_cast<std::int64_t>(rank),
                            static_cast<std::int64_t>(jobs_[i].nodes[rank]),
                            ended == never ? Cell("") : Cell(in_ns(ended))};
      const host::Usage& time = times[{static_cast<int>(i), static_cast<int>(rank)}];
      for (const Time part :
           {time.computing, time.library, time.waiting, time.noise, time.least_computing, time.most_computing})
        row.emplace_back(in_ns(part));
      const auto& of_rank = jobs_[i].reported[rank];
      for (const std::string& name : names) {
        const auto found = of_rank.find(name);
        row.push_back(found == of_rank.end() ? Cell("") : Cell(found->second.value));
      }
      table.add(row);
    }
  return table;
}

}  // namespace sanvp::jobs
