/// Which ranks have the CPUs of a node that has fewer of them: ranks take turns, each for a time slice, and one that
/// waits gives its CPU to the next.
#pragma once

#include <deque>

#include "models/native/wakeup.hpp"
#include "platform/core/time.hpp"

namespace sanvp::host {

class RunQueue {
 public:
  /// What stands in the queue: a rank's turn.
  struct Turn {
    explicit Turn(net::Agenda& agenda) : granted(agenda) {}
    native::Wakeup granted;
    bool has_cpu = false;
    Time used{0};  ///< of its slice
  };

  RunQueue(int cpus, Time slice) : free_(cpus), slice_(slice) {}

  Time slice() const { return slice_; }
  bool is_waited_for() const { return !waiting_.empty(); }
  /// It wants a CPU. Where it has none now, `granted` tells when it has.
  void ask(Turn& turn);
  /// It gives its CPU to the first one that waits.
  void release(Turn& turn, Time now);

 private:
  int free_;
  Time slice_;
  std::deque<Turn*> waiting_;
};

}  // namespace sanvp::host
