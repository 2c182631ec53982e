#include "models/native/condition.hpp"

#include <algorithm>

#include "models/native/thread.hpp"

namespace sanvp::native {

/// A notification for the present instant is delivered in the round after the one in which it was made.
bool Condition::is_pending() const {
  return at_ > run_queue_.now() || (at_ == run_queue_.now() && round_ == run_queue_.rounds());
}

void Condition::notify(Time at) {
  if (is_pending() && at_ <= at) return;
  at_ = at;
  round_ = run_queue_.rounds();
  for (Thread* const thread : waiting_) {
    run_queue_.schedule(*thread, at);
    thread->fetch_ahead();
  }
}

void Condition::begin_wait(Thread& thread) {
  waiting_.push_back(&thread);
  if (is_pending()) run_queue_.schedule(thread, at_);
}

void Condition::end_wait(Thread& thread) { waiting_.erase(std::find(waiting_.begin(), waiting_.end(), &thread)); }

}  // namespace sanvp::native
