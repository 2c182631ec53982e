/// What a node has to send, if its NIC controls congestion: a flow for each destination, with its own rate and its
/// messages in order. Flows that may send take turns, by destination.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "models/nic/congestion_control.hpp"
#include "platform/core/time.hpp"

namespace sanvp::traffic {

/// In the measuring window.
struct CongestionTotals {
  std::int64_t marked = 0;         ///< packets delivered with a mark
  std::int64_t notifications = 0;  ///< sent for them
};

class PacedFlows {
 public:
  static constexpr std::int64_t notification_tag = -1;  ///< net::Packet::tag of a notification

  /// @param make  the rate control of one flow
  explicit PacedFlows(std::function<std::unique_ptr<nic::RateControl>()> make) : make_(std::move(make)) {}

  std::size_t size() const { return size_; }

  /// @param message  its number in the ledger
  void push(int destination, std::uint32_t message);
  /// The destination whose turn it is, or -1 if no flow may send now.
  int next(Time now);
  /// When a flow that waits for its rate may send; never if none does.
  Time resumes() const { return paused_.empty() ? never : paused_.begin()->first; }
  /// Precondition: it was next().
  std::uint32_t first(int destination) { return flows_.at(destination).messages.front(); }
  void pop(int destination);

  /// The NIC has taken a packet.
  void started(int destination, Time now, Time span, std::int64_t bytes);
  void notified(int destination, Time now) { flow(destination).rate->notified(now); }
  /// Whether a marked packet from `source` is to be answered now, with that as least interval between two answers.
  bool answers(int source, Time now, Time least_interval);

  Time alarm = never;  ///< of the earliest event at which the node looks again

 private:
  struct Flow {
    std::unique_ptr<nic::RateControl> rate{};
    std::deque<std::uint32_t> messages{};
    Time resumes{0};
  };

  Flow& flow(int destination);
  void wait(int destination, const Flow& flow);

  std::function<std::unique_ptr<nic::RateControl>()> make_;
  std::map<int, Flow> flows_;
  std::set<std::pair<Time, int>> paused_;  // flows with messages, by the time at which they may send ...
  std::set<int> ready_;                    // ... and those that may
  std::map<int, Time> answered_;           // when a notification went to that source last
  std::size_t size_ = 0;
  int last_ = -1;
};

}  // namespace sanvp::traffic
