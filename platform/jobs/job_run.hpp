/// Jobs at work on a cluster: what their processes print, report and come to.
#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/host/services.hpp"
#include "models/host/usage.hpp"
#include "platform/core/acceptance.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/results.hpp"

namespace sanvp::jobs {

class JobRun final : public host::Services {
 public:
  struct Metric {
    double value = 0;
    std::string unit{};
  };
  /// A rank that did not end well.
  struct Failure {
    host::Identity who;
    std::string why;
    Time at{0};
  };
  struct Job {
    std::string name;
    std::vector<int> nodes{};                           ///< of each rank
    std::vector<Time> ended{};                          ///< of each rank; never: it has not
    std::vector<std::map<std::string, Metric>> told{};  ///< by each rank
    std::vector<const char*> owes{};                    ///< of each rank: what it has to call before its end; or null
    std::vector<std::int64_t> unreceived{};  ///< messages sent to each rank, less those received or taken back
    Acceptance acceptance{};                 ///< of a program that offers traffic
    bool over = false;                       ///< one of its ranks has ended it as a whole

    /// Of what several ranks tell, the mean.
    std::map<std::string, Metric> metrics() const;
  };

  /// @param settings  those of -s that no part of the machine reads
  /// @param out       takes what processes print; `error` what they print on standard error
  JobRun(std::vector<Job> jobs, ParameterSet settings, std::ostream& out, std::ostream& error);

  /// Called once: when all processes have ended or one has failed.
  void when_over(std::function<void()> over) { over_ = std::move(over); }
  /// Called now and then while some process does nothing but look for what has not come.
  void when_looking(std::function<void()> looking) { looking_ = std::move(looking); }

  const std::vector<Job>& jobs() const { return jobs_; }
  const std::vector<Failure>& failures() const { return failures_; }
  /// Ranks whose node went down before their end.
  const std::vector<Failure>& deaths() const { return deaths_; }
  /// By themselves or with their node.
  bool all_ended() const { return running_ == 0; }
  /// A line for each job that has some: "ranks 0, 3-7 have ended".
  std::vector<std::string> ended_ranks() const;
  /// What a user wants to know of programs that have ended without a failure, a line each: ranks that have left
  /// something out, messages that nobody has received.
  std::vector<std::string> notes() const;
  /// What software has read; its require_all_read() names the rest.
  const ParameterSet& settings() const { return settings_; }
  /// "rank 3 of job 1 (ping) on node 7": as much of it as tells it from others.
  std::string text(const host::Identity& who) const;

  void report(StatisticsTable& statistics) const;
  /// A line for each job that measures what it gets through: whether that had settled.
  std::string steadiness() const;
  /// job, rank, node, ended_ns, and what ranks tell: a column for each metric
  /// @param usage  of all ranks
  Table ranks(const std::vector<host::RankUsage>& usage) const;

  // host::Services
  const char* setting(const char* key, const char* fallback, const char* documentation, const char* source) override;
  void metric(const host::Identity& who, const char* name, double value, const char* unit) override;
  void output(const host::Identity& who, bool is_error, std::string_view line) override;
  void ended(const host::Identity& who, int status, Time at) override;
  void ended_job(const host::Identity& who, int status, Time at) override;
  void failed(const host::Identity& who, const std::string& why, Time at) override;
  void died(const host::Identity& who, Time at) override;
  void owes(const host::Identity& who, const char* call) override;
  void message_sent(const host::Identity& who, int to) override;
  void message_over(const host::Identity& who, int to) override;
  void accepted(const host::Identity& who, double bytes, Time from, Time until) override;
  void measures(const host::Identity& who, Time from, Time until) override;
  void tests_without_progress() override;

 private:
  void finish();
  std::string label(std::size_t job) const;

  std::vector<Job> jobs_;
  ParameterSet settings_;
  std::ostream& out_;
  std::ostream& error_;
  std::function<void()> over_;
  std::function<void()> looking_;
  std::set<std::string> texts_;  ///< values of settings, to which processes keep pointers
  std::vector<Failure> failures_;
  std::vector<Failure> deaths_;
  int running_ = 0;
};

}  // namespace sanvp::jobs
