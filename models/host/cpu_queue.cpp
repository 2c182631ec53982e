#include "models/host/cpu_queue.hpp"

namespace sanvp::host {

void CpuQueue::ask(Turn& turn) {
  turn.used = Time{0};
  turn.has_cpu = free_ > 0;
  if (turn.has_cpu)
    --free_;
  else
    waiting_.push_back(&turn);
}

void CpuQueue::release(Turn& turn, Time now) {
  turn.has_cpu = false;
  if (waiting_.empty()) {
    ++free_;
    return;
  }
  Turn& next = *waiting_.front();
  waiting_.pop_front();
  next.has_cpu = true;
  next.granted.notify(now);
}

void CpuQueue::withdraw(Turn& turn, Time now) {
  if (turn.has_cpu)
    release(turn, now);
  else
    std::erase(waiting_, &turn);
}

}  // namespace sanvp::host
