/// The library calls of a process, as its software reports them (hal_call_begin): the current call, for reports of what
/// each rank waits for, and the totals of each call, for --profile.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platform/core/time.hpp"

namespace sanvp::host {

class CallProfile {
 public:
  /// Totals over all calls of one name.
  struct Totals {
    std::uint64_t calls = 0;
    std::uint64_t bytes = 0;
    Time time{0};
    Time waiting{0};  ///< the part of `time` spent asleep until memory was written

    Totals& operator+=(const Totals& other);
  };
  struct Call {
    const char* name = nullptr;  ///< outlives the profile
    int peer = -1;               ///< rank; below 0: none
    std::int64_t tag = -1;       ///< below 0: none
    std::uint64_t bytes = 0;
  };

  /// The calls that follow are this thread's; 0, the first, to begin with.
  void select(int thread);
  int selected() const { return selected_; }
  void forget(int thread);  ///< it has ended
  /// Threads take turns on CPUs: leave() gives up the selected thread's CPU, arrive() gets one. `waited` of begin() and
  /// end() is that CPU's.
  /// @param was_ready  when it could have continued; until then it has been asleep
  void leave(Time now, Time waited);
  void arrive(Time was_ready, Time waited);
  /// @param waited  how long its CPU has been asleep in total
  void begin(const Call& call, Time now, Time waited);
  void end(Time now, Time waited);
  /// Whether a call of this thread is under way; of any thread.
  bool is_in_call() const { return own_->depth > 0; }
  bool is_any_in_call() const { return in_calls_ > 0; }
  /// The current call waits for an operation that another call has begun: `part`, whose name, peer and tag are used.
  void wait_for(const Call& part) { own_->part = part; }
  /// The current call is a test that found no progress.
  void test_without_progress() { own_->tests = true; }
  /// Calls of one thread in a row that were tests without progress.
  struct Looks {
    std::int64_t count = 0;
    Time since{0};  ///< the first of them began
  };
  const Looks& looks() const { return own_->looks; }
  Looks looks(int thread) const;
  void end_looks() { own_->looks.count = 0; }
  /// The first thread that has made at least so many in a row, the first of them by `begun_before`.
  std::optional<int> tests_without_progress(std::int64_t least, Time begun_before) const;
  /// The current call begins to wait.
  void wait(Time now) { own_->last_wait = now; }
  /// The current call copies data.
  void move(Time now) { own_->moved = now; }
  /// Whether this thread is in a call that has begun by `since`, and has copied no data after that; and waits now
  /// (`waits`), or has begun to wait after `since`: a waiting thread is woken by changes that another makes.
  bool has_waited(int thread, Time since, bool waits) const;

  /// "MPI_Recv (rank 3, tag 7, 64 bytes)", "MPI_Wait (of MPI_Ibcast, rank 2)"; empty outside of all calls. If several
  /// threads are in calls: the call of the selected thread, or else the oldest.
  std::string current() const;
  std::string oldest() const;
  /// The thread that is in it; nothing outside of all calls.
  std::optional<int> thread_of_oldest() const;
  /// The same for the last call of a thread, which may have ended.
  std::string last(int thread) const;
  /// By name; without the current call.
  std::map<std::string, Totals> totals() const;

 private:
  struct Thread {
    int depth = 0;  // only the outermost call counts
    Call call;
    Call part;  ///< no name: not set
    Time begun{0};
    Time waited{0};         ///< of its CPU, as it began, or got this CPU
    Time waited_before{0};  ///< in this call, before it got this CPU
    std::optional<Time> left;
    bool tests = false;  // without progress: the current call
    Looks looks;
    Time last_wait{0};
    Time moved{0};
    Call last;  ///< the call that ended last
    Call last_part;
  };
  static std::string text(const Call& call, const Call& part);
  Totals& totals_of(const char* name);

  std::map<int, Thread> threads_;
  int selected_ = 0;
  Thread* own_ = &threads_[0];
  int in_calls_ = 0;  ///< threads
  // By address of the name. The same name may have several addresses, but there are few. The vector is searched
  // linearly.
  std::vector<const char*> names_;
  std::vector<Totals> totals_;
};

/// The calls of one rank.
struct RankCalls {
  int job = 0;
  int rank = 0;
  const CallProfile* calls = nullptr;
};

}  // namespace sanvp::host
