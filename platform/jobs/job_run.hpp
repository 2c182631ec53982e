/// Running jobs on a cluster: the output, reports and outcome of their processes.
#pragma once

#include <unistd.h>

#include <chrono>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/host/services.hpp"
#include "models/host/usage.hpp"
#include "models/native/standard_input.hpp"
#include "platform/core/acceptance.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/results.hpp"
#include "platform/jobs/listener.hpp"
#include "platform/jobs/sent_messages.hpp"
#include "platform/mpi_check/checker.hpp"

namespace sanvp::jobs {

class JobRun final : public host::Services {
 public:
  struct Metric {
    double value = 0;
    std::string unit{};
  };
  /// A rank that failed.
  struct Failure {
    host::Identity process;
    std::string cause;
    Time at{0};
  };
  struct Job {
    std::string name;
    std::vector<int> nodes{};                               ///< per rank
    std::vector<Time> ended{};                              ///< per rank; never: still running
    std::vector<std::map<std::string, Metric>> reported{};  ///< by each rank
    std::vector<const char*> owes{};  ///< per rank: the call that it must make before its end, or null
    SentMessages messages{};          ///< that are not received yet
    Acceptance acceptance{};          ///< for a program that offers traffic
    Time measured_until{0};           ///< 0: it has not said
    bool over = false;                ///< one of its ranks has ended the whole job

    /// The mean over the ranks that report a metric.
    std::map<std::string, Metric> metrics() const;
  };

  /// @param settings  settings of -s that no part of the machine reads
  /// @param out  takes the output of processes; `error` takes their standard error
  JobRun(std::vector<Job> jobs, ParameterSet settings, std::ostream& out, std::ostream& error);

  /// Called once, when all processes have ended or one has failed.
  void when_over(std::function<void()> over) { over_ = std::move(over); }
  /// Called at intervals while a process only polls for something that has not arrived.
  void when_looking(std::function<void()> looking) { looking_ = std::move(looking); }

  /// Passes on what processes have written, if it has waited for a while: to a file, or a pipe, it would wait until a
  /// block is full.
  void flush_at_intervals();

  /// Called before each line that a process writes.
  void before_output(std::function<void()> before) { before_output_ = std::move(before); }

  /// Calls of MPI are checked.
  void check_by(mpi_check::Checker& checker) { checker_ = &checker; }
  /// Asks whether a call of MPI that has begun takes the algorithms of changed settings (change_settings).
  void choose_algorithms_by(std::function<bool(const host::Identity& process)> has_others) {
    has_other_algorithms_ = std::move(has_others);
  }
  /// From now on software that asks for a setting gets these values.
  void change_settings(const ParameterSet& settings);
  /// Tells it of calls and messages; it must live as long as the processes.
  void tell(Listener& listener) { listeners_.push_back(&listener); }
  /// Messages are recorded.
  using Record =
      std::function<void(const host::Identity& process, const host::Recorded& recorded, Time at, Time worked)>;
  void record_by(Record record) { recorder_ = std::move(record); }
  /// Calls `changed` when messages to a rank, or its posted receives, have changed. @return what forget_messages takes
  using MessagesChanged = std::function<void(int job, int rank)>;
  int watch_messages(MessagesChanged changed);
  void forget_messages(int watching) { messages_changed_.erase(watching); }
  /// Keeps what programs read from standard input: each process that is forked from now on gets the same.
  void keep_input() { input_.keep(); }
  /// The output of a single process is passed on unchanged.
  void leave_output() { leaves_output_ = true; }

  /// When the last measured time ends, if every job has named one (hal_measures): soon after it the run ends.
  std::optional<Time> measured_until() const;
  const std::vector<Job>& jobs() const { return jobs_; }
  const std::vector<Failure>& failures() const { return failures_; }
  /// Ranks whose node went down before they ended.
  const std::vector<Failure>& deaths() const { return deaths_; }
  /// Whether all processes have ended, including those that went down with their node.
  bool all_ended() const { return running_ == 0; }
  /// A line for each job with ended ranks: "ranks 0, 3-7 have ended".
  std::vector<std::string> ended_ranks() const;
  /// Remarks on programs that ended without failure, one per line: required calls that ranks left out, messages that
  /// were never received.
  std::vector<std::string> notes() const;
  /// A line for each message that no receive takes: for the report of a hang.
  std::vector<std::string> unmatched_messages() const;
  /// Settings that software has read; its require_all_read() names the others.
  const ParameterSet& settings() const { return settings_; }
  /// "rank 3 of job 1 (ping) on node 7", without the parts that are not needed to identify it.
  std::string text(const host::Identity& process) const;

  void report(StatisticsTable& statistics) const;
  /// A line for each job that measures its throughput: whether it was in steady state.
  std::string steadiness() const;
  /// job, rank, node, ended_ns, and a column for each metric that ranks report
  /// @param usage  of all ranks
  Table ranks(const std::vector<host::RankUsage>& usage) const;

  // host::Services
  const char* setting(const char* key, const char* fallback, const char* documentation, const char* source) override;
  void metric(const host::Identity& process, const char* name, double value, const char* unit) override;
  void output(const host::Identity& process, bool is_error, std::string_view line) override;
  bool leaves_output(const host::Identity&) const override { return leaves_output_; }
  void bytes(const host::Identity& process, bool is_error, std::string_view bytes) override;
  native::StandardInput* standard_input() override { return &input_; }
  void ended(const host::Identity& process, int status, Time at) override;
  void ended_job(const host::Identity& process, int status, Time at) override;
  void failed(const host::Identity& process, const std::string& cause, Time at) override;
  void died(const host::Identity& process, Time at) override;
  void owes(const host::Identity& process, const char* call) override;
  void message_sent(const host::Identity& process, int to, std::uint64_t tag, std::uint64_t bytes) override;
  void receive_posted(const host::Identity& process, std::uint64_t receive, int from, std::uint64_t tag,
                      std::uint64_t mask) override;
  void message_over(const host::Identity& process, int from, int to, std::uint64_t tag, std::uint64_t receive) override;
  void accepted(const host::Identity& process, double bytes, Time from, Time until) override;
  void measures(const host::Identity& process, Time from, Time until) override;
  void tests_without_progress() override;
  bool records(const host::Identity& process) const override;
  void record(const host::Identity& process, const host::Recorded& recorded, Time at, Time worked) override;
  bool checks(const host::Identity& process) const override {
    return (checker_ != nullptr || !listeners_.empty()) && process.rank >= 0;
  }
  void call_begins(const host::Identity& process, int thread, const char* name, int peer, std::uint64_t bytes,
                   Time at) override;
  void call_ends(const host::Identity& process, int thread, Time at) override;
  bool check(const host::Identity& process, const host::CheckedProcess& memory, const hal_checked_call& call) override;
  bool checks_memory(const host::Identity& process) const override;
  void check(const host::Identity& process, const host::CheckedAccess& access) override;
  void refused(const host::Identity& process, const host::CheckedProcess& memory, const std::string& message,
               std::uint64_t code) override;

 private:
  void finish();
  void note_messages(int job, int rank) const {
    for (const auto& [number, changed] : messages_changed_) changed(job, rank);
  }
  std::string label(std::size_t job) const;

  std::vector<Job> jobs_;
  ParameterSet settings_;
  std::ostream& out_;
  std::ostream& error_;
  std::function<void()> over_;
  std::function<void()> looking_;
  std::function<void()> before_output_;
  std::chrono::steady_clock::time_point flushed_{};
  std::set<std::string> texts_;  ///< values of settings; processes keep pointers to them
  std::vector<Failure> failures_;
  std::vector<Failure> deaths_;
  int running_ = 0;
  bool leaves_output_ = false;
  native::StandardInput input_{STDIN_FILENO};
  mpi_check::Checker* checker_ = nullptr;
  std::vector<Listener*> listeners_;
  std::function<bool(const host::Identity& process)> has_other_algorithms_;
  Record recorder_;
  std::map<int, MessagesChanged> messages_changed_;
};

}  // namespace sanvp::jobs
