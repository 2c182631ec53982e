/// Something that threads wait for and others announce, as sc_event does it: an announcement may be for later; of
/// several that are pending the earliest counts; nobody keeps one that no thread waits for when its time comes.
#pragma once

#include <vector>

#include "models/net/agenda.hpp"

namespace sanvp::native {

class Thread;

class Wakeup {
 public:
  explicit Wakeup(net::Agenda& agenda) : agenda_(agenda) {}
  Wakeup(const Wakeup&) = delete;
  Wakeup& operator=(const Wakeup&) = delete;

  /// All threads that wait then go on. @param at  not earlier than now; now: in the agenda's next round
  void notify(Time at);

 private:
  friend class Thread;
  bool is_pending() const;
  void begin_wait(Thread& thread);
  void end_wait(Thread& thread);

  net::Agenda& agenda_;
  std::vector<Thread*> waiting_;
  Time at_{-1};              ///< of the last announcement
  std::uint64_t round_ = 0;  ///< in which it was made
};

}  // namespace sanvp::native
