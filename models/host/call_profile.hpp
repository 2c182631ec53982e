/// The library calls of a process, as its software reports them (hal_call_begin): the current call, for reports of what
/// each rank waits for, and the totals of each call, for --profile.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "platform/core/time.hpp"

namespace sanvp::host {

class CallProfile {
 public:
  /// Of all calls of one name.
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

  /// @param waited  how long the process has been asleep in total
  void begin(const Call& call, Time now, Time waited);
  void end(Time now, Time waited);
  /// Whether a call is under way.
  bool is_in_call() const { return depth_ > 0; }
  /// The current call waits for an operation that another call has begun: `part`, of which name, peer and tag are used.
  void wait_for(const Call& part) { part_ = part; }
  /// The current call is a test that found no progress.
  void test_without_progress() { looks_ = true; }
  /// The number of calls in a row that were tests without progress.
  std::int64_t looks() const { return row_; }
  /// When the first of these calls began.
  Time looks_since() const { return row_since_; }
  void end_looks() { row_ = 0; }

  /// "MPI_Recv (rank 3, tag 7, 64 bytes)", "MPI_Wait (of MPI_Ibcast, rank 2)"; empty outside of all calls.
  std::string current() const;
  /// The same for the last call, which may have ended.
  std::string last() const;
  /// By name; without the current call.
  std::map<std::string, Totals> totals() const;

 private:
  Totals& totals_of(const char* name);

  int depth_ = 0;  // only the outermost call counts
  Call call_;
  Call part_;  ///< no name: not set
  Time begun_{0};
  Time waited_{0};
  bool looks_ = false;  // of the current call
  std::int64_t row_ = 0;
  Time row_since_{0};
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
