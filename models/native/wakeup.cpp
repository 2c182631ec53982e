#include "models/native/wakeup.hpp"

#include <algorithm>

#include "models/native/thread.hpp"

namespace sanvp::native {

/// One for the present instant is for the round after that in which it was made.
bool Wakeup::is_pending() const { return at_ > agenda_.now() || (at_ == agenda_.now() && round_ == agenda_.rounds()); }

void Wakeup::notify(Time at) {
  if (is_pending() && at_ <= at) return;
  at_ = at;
  round_ = agenda_.rounds();
  for (Thread* const thread : waiting_) {
    agenda_.schedule(*thread, at);
    thread->fetch_ahead();
  }
}

void Wakeup::begin_wait(Thread& thread) {
  waiting_.push_back(&thread);
  if (is_pending()) agenda_.schedule(thread, at_);
}

void Wakeup::end_wait(Thread& thread) { waiting_.erase(std::find(waiting_.begin(), waiting_.end(), &thread)); }

}  // namespace sanvp::native
