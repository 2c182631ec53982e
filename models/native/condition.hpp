/// A condition that threads wait for and models notify, with the semantics of sc_event: a notification may be for a
/// later time; of several pending ones the earliest counts; one for which no thread waits at its time is lost.
#pragma once

#include <vector>

#include "models/net/run_queue.hpp"

namespace sanvp::native {

class Thread;

class Condition {
 public:
  explicit Condition(net::RunQueue& run_queue) : run_queue_(run_queue) {}
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  /// Resumes all threads that wait at that time. @param at  not earlier than now; now: in the run queue's next round
  void notify(Time at);

 private:
  friend class Thread;
  bool is_pending() const;
  void begin_wait(Thread& thread);
  void end_wait(Thread& thread);

  net::RunQueue& run_queue_;
  std::vector<Thread*> waiting_;
  Time at_{-1};              ///< of the last notification
  std::uint64_t round_ = 0;  ///< the run queue's round in which it was made
};

}  // namespace sanvp::native
