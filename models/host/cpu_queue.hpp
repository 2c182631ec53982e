/// Shares the CPUs of a node among more ranks: round robin by time slices. A rank that waits releases its CPU.
#pragma once

#include <deque>

#include "models/native/condition.hpp"
#include "platform/core/time.hpp"

namespace sanvp::host {

class CpuQueue {
 public:
  /// An entry of the queue: a rank's turn.
  struct Turn {
    explicit Turn(net::RunQueue& run_queue) : granted(run_queue) {}
    native::Condition granted;
    bool has_cpu = false;
    Time used{0};  ///< of its slice
  };

  CpuQueue(int cpus, Time slice) : free_(cpus), slice_(slice) {}

  Time slice() const { return slice_; }
  bool is_waited_for() const { return !waiting_.empty(); }
  /// Requests a CPU. If none is free, `granted` is notified when the rank gets one.
  void ask(Turn& turn);
  /// Passes its CPU to the first waiting rank.
  void release(Turn& turn, Time now);
  /// Passes its CPU on, or takes it out of the queue, since it will not run again.
  void withdraw(Turn& turn, Time now);

 private:
  int free_;
  Time slice_;
  std::deque<Turn*> waiting_;
};

}  // namespace sanvp::host
