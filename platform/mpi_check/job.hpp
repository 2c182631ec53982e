/// One job whose calls of MPI are checked: what its ranks have begun, and what was found.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "platform/core/registry.hpp"
#include "platform/mpi_check/clocks.hpp"
#include "platform/mpi_check/collectives.hpp"
#include "platform/mpi_check/finding.hpp"
#include "platform/mpi_check/mailboxes.hpp"
#include "platform/mpi_check/rank.hpp"
#include "platform/mpi_check/synchronous.hpp"
#include "platform/mpi_check/windows.hpp"

namespace sanvp::mpi_check {

class Job;

/// How a run has come to its end: all ranks have, ranks wait for what never comes, or it was cut off.
enum class Outcome { complete, hangs, cut_off };

using Handle = void (*)(Job& job, Rank& rank, Call& call);

/// What the checker does at the begin and at the end of a call.
struct Handler {
  std::string name{};
  std::vector<Handle> begin{}, end{};
};

/// Registers what a part of the checker does for calls of these names; null: nothing.
struct Handlers {
  Handlers(const std::vector<std::string>& names, Handle begin, Handle end);
  static const Handler& of(const std::string& name);
};

class Job {
 public:
  /// @param with_memory  loads and stores are reported, too
  explicit Job(std::size_t ranks, bool with_memory = false);
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  void begin(Rank& rank, Call call, std::uint64_t id);
  void end(Rank& rank, std::uint64_t id, std::int64_t result);
  /// A load or store of the program.
  void access(Rank& rank, std::uint64_t thread, const Site& site, const Bytes& bytes, bool is_store);
  /// A process has ended. @param owes_finalize  neither MPI_Finalize nor PMPI_Finalize was called
  void ended(int rank, bool owes_finalize);
  void finish(Outcome outcome);

  const bool checks_memory;
  std::vector<Rank> ranks;
  Findings findings;
  Mailboxes mail;
  Synchronous synchronous;
  Collectives collectives;
  Clocks clocks;
  Windows windows;

  // For handlers.
  void report(Severity severity, std::string kind, std::vector<Site> sites, std::string text, std::string cure);
  /// A call begins to use memory: compares with what others of the rank use.
  /// @returns the use, to be held (`hold`) as long as it lasts beyond the call; empty where there are no bytes
  std::optional<Use> use(Rank& rank, const Site& site, const std::vector<std::pair<std::uint64_t, Data>>& data,
                         bool is_written);
  void hold(Rank& rank, std::vector<Use> uses, std::uint64_t owner);
  void release(Rank& rank, std::uint64_t owner);
  /// The same; compares what has been read with what it was.
  void end_uses(Rank& rank, std::uint64_t owner);
  /// Whether another operation uses the same memory, as has been reported.
  static bool is_shared(const Rank& rank, std::uint64_t owner);
  /// Two buffers of one call.
  void compare_buffers(const Site& site, std::uint64_t send, const Data& sent, std::uint64_t receive,
                       const Data& received);
  /// @returns its use of memory
  std::optional<Use> start_message(Rank& rank, const std::shared_ptr<Message>& message);
  void compare_types(const Message& send, const Message& receive);
  /// For a receive from any source, which has taken the message of one: others that could have been received instead.
  void note_race(const Message& receive, int source);
  /// A message is over for the program. @param compares  its buffer with what it must hold
  void end_message(Rank& rank, const std::shared_ptr<Message>& message, bool compares);
  void end_request(Rank& rank, Request& request);
  /// A rank's part of a collective operation: what it has done is known to the ranks that get its data.
  void give(const Rank& rank, Part& part);
  /// The part is over: the rank knows what was done before those parts whose data it has.
  void take(const Rank& rank, const Part& part);
  /// A call has returned an error, of which nothing else is told.
  void refused(const Site& site, std::int64_t error);
  /// A call has ended the program with this message.
  void refused(const Site& site, const std::string& message);
  void check_leaks(Rank& rank, const Site& at);
  /// A call that all ranks of a communicator make, and that waits for all.
  /// @param arguments  those that must be the same in all of them
  void enter_together(Rank& rank, Call& call, const Communicator& communicator, std::vector<Argument> arguments = {});
  /// A predefined operation does not take characters.
  void check_operation(const Site& site, const std::string& operation, const Data& data);

 private:
  void matched(Message& send, Message& receive);
  void learn(const Rank& rank, const Message& message);
  bool is_complete() const;
  void report_accesses(const Rank& rank, const Use& use, bool begins) const;
  void accept(const Rank& rank, const Call& call);
  void withdraw(const Call& call);
  void check_state(Rank& rank, const Call& call);
  void check_threads(Rank& rank, const Call& call);
  void report_cycle(const std::vector<Site>& sites);
  void report_deadlock();
  /// Ranks that wait: the call, and for which other ranks.
  using Waiting = std::map<int, std::pair<const Call*, std::vector<int>>>;
  bool add_passed_over(const std::vector<int>& cycle, const Waiting& waiting, std::vector<Site>& sites,
                       std::string& text) const;
  void report_lost_messages();
  std::vector<int> waits_for(const Rank& rank, const Call*& call) const;
};

}  // namespace sanvp::mpi_check
