/// Executes a plan: parts of a network fail and are repaired at the instants of a schedule. account.hpp measures the
/// effect.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "models/net/event_queue.hpp"
#include "platform/faults/account.hpp"
#include "platform/faults/schedule.hpp"

namespace sanvp::net {
class Network;
}

namespace sanvp::faults {

class Outages final : public net::EventHandler {
 public:
  /// Replaces the network's packet observer. All arguments but the plan must outlive it.
  /// @param stock  the one that was used to read the plan
  Outages(const Plan& plan, const Stock& stock, net::Network& network, net::EventQueue& queue);
  Outages(const Outages&) = delete;
  Outages& operator=(const Outages&) = delete;

  /// @param down  the parts that are down after the event. Links of nodes that are down are among its links
  using Listener = std::function<void(const Event& event, const topologies::Failures& down)>;
  /// Called after each event, when the network has applied it, at the instant of the event.
  void add_listener(Listener listener) { listeners_.push_back(std::move(listener)); }
  /// Sets the function that counts the packets that cards have retransmitted so far, for the account. Call it before
  /// the run.
  void count_resent(std::function<std::uint64_t()> resent) { account_.count_resent(std::move(resent)); }

  /// From now on the events of another plan count, those that are later than now. Those of the past stay.
  void follow(const Plan& plan);
  /// Whether the plan has, or had, any event.
  bool has_plan() const { return has_plan_; }

  /// Whether an event with a given time is still to come.
  bool has_listed_ahead() const { return schedule_.has_listed(); }
  const topologies::Failures& down() const { return down_; }
  /// Ends the last interval.
  void close() { account_.close(queue_.now()); }
  const Account& account() const { return account_; }
  /// The network's packet observer, for a caller that puts others beside it.
  net::PacketObserver& packet_observer() { return account_; }

 private:
  void handle(const net::Event& event) override;
  void schedule_next();
  void change(const Event& event);
  std::vector<int> links_of(const Part& part) const;
  std::vector<int> channels_of(int link) const;
  void find_down();
  std::string description(const Part& part) const;

  Stock stock_;
  net::Network& network_;
  net::EventQueue& queue_;
  Schedule schedule_;
  Account account_;
  bool has_plan_;
  std::set<Time> scheduled_{};    // instants for which the queue has an event
  std::map<Part, bool> is_down_;  // only of parts with an event, or that failed from the start
  std::vector<int> causes_;       // per link: number of parts that are down and disconnect it
  topologies::Failures down_;
  std::vector<Listener> listeners_;
};

}  // namespace sanvp::faults
