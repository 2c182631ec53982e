/// The library calls of a process, as its software tells of them (hal_call_begin): what it is in now, for reports of
/// who waits for what, and what each call has taken so far, for --profile.
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
    Time waiting{0};  ///< of it: asleep, until memory was written

    Totals& operator+=(const Totals& other);
  };
  struct Call {
    const char* name = nullptr;  ///< outlives the profile
    int peer = -1;               ///< rank; below 0: none
    std::int64_t tag = -1;       ///< below 0: none
    std::uint64_t bytes = 0;
  };

  /// @param waited  how long the process has been asleep, since it was started
  void begin(const Call& call, Time now, Time waited);
  void end(Time now, Time waited);
  /// Whether a call is under way.
  bool is_in_call() const { return depth_ > 0; }
  /// The call under way sleeps for an operation that a call of this name has begun; of it name, peer and tag count.
  void wait_for(const Call& part) { part_ = part; }
  /// The call under way has looked for something that has not come.
  void look_in_vain() { looks_ = true; }
  /// Calls in a row that have looked in vain, and nothing else.
  std::int64_t looks() const { return row_; }
  /// When the first of them began.
  Time looks_since() const { return row_since_; }
  void end_looks() { row_ = 0; }

  /// "MPI_Recv (rank 3, tag 7, 64 bytes)", "MPI_Wait (of MPI_Ibcast, rank 2)"; empty outside of all calls.
  std::string current() const;
  /// The same of the last call, which may be over.
  std::string last() const;
  /// In the order of their names; without the call under way.
  std::map<std::string, Totals> totals() const;

 private:
  Totals& totals_of(const char* name);

  int depth_ = 0;  // only the outermost call counts
  Call call_;
  Call part_;  ///< no name: it has not said
  Time begun_{0};
  Time waited_{0};
  bool looks_ = false;  // the call under way
  std::int64_t row_ = 0;
  Time row_since_{0};
  // By where the name stands, which may be in several places: there are few. Names lie together, to be looked through.
  std::vector<const char*> names_;
  std::vector<Totals> totals_;
};

/// Whose they are.
struct RankCalls {
  int job = 0;
  int rank = 0;
  const CallProfile* calls = nullptr;
};

}  // namespace sanvp::host
