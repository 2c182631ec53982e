/// Notices to software: entries of a control queue's TCQ and MRQ, written to main memory in order. If the queue is
/// full, the card keeps them until software has consumed entries.
#pragma once

#include <deque>
#include <map>

#include "models/net/task.hpp"
#include "models/nic/card/queues.hpp"
#include "models/nic/tofu/counters.hpp"
#include "models/nic/tofu/queues.hpp"

namespace sanvp::nic::tofu {

class Completion {
 public:
  Completion(net::Clock& clock, Queues& queues, HostMemory& memory, Counters& counters)
      : clock_(clock), queues_(queues), memory_(memory), counters_(counters), come_(clock) {}

  /// @param at     time of the event that it reports
  /// @param cause  start of the arrow to the process that waits for it
  void tcq(std::uint32_t tni, std::uint32_t queue, std::uint32_t order, std::uint32_t status, Time at);
  void mrq(std::uint32_t tni, std::uint32_t queue, const tofu_mrq_entry& entry, Time at,
           const std::optional<Trace::Point>& cause = {});

  /// Sets the number of entries that software has consumed so far.
  void taken_tcq(Queue& queue, std::uint32_t count) { queue.tcq_taken = count, release(); }
  void taken_mrq(Queue& queue, std::uint32_t count) { queue.mrq_taken = count, release(); }

  net::Task<> run();
  CardQueue queue() const;
  std::size_t held() const { return held_.size(); }
  bool busy() const { return !come_.empty(); }

 private:
  struct Notice {
    std::uint32_t tni = 0, queue = 0;
    bool arrival = false;  ///< for the MRQ
    tofu_tcq_entry left{};
    tofu_mrq_entry come{};
    Time at{0};
    std::optional<Trace::Point> cause{};
  };

  bool write(const Notice& notice);
  void release();

  net::Clock& clock_;
  Queues& queues_;
  HostMemory& memory_;
  Counters& counters_;
  net::Mailbox<Notice> come_;
  std::deque<Notice> held_;  // in order; if a queue has one here, all its later ones are here, too
};

}  // namespace sanvp::nic::tofu
