/// A plan at work: parts of a network fail and come back at the instants of a schedule. What it costs is in
/// account.hpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "models/net/network.hpp"
#include "platform/faults/account.hpp"
#include "platform/faults/schedule.hpp"

namespace sanvp::faults {

class Outages final : public net::EventHandler {
 public:
  /// Takes the place of the network's packet observer. All but the plan outlive it.
  /// @param stock  as the plan was read with
  Outages(const Plan& plan, const Stock& stock, net::Network& network, net::EventQueue& queue);
  Outages(const Outages&) = delete;
  Outages& operator=(const Outages&) = delete;

  /// What is down after an event. Links of nodes that are down are among the links.
  using Listener = std::function<void(const Event& event, const topologies::Failures& down)>;
  /// Called after each event, when the network knows of it, in the instant of the event.
  void add_listener(Listener listener) { listeners_.push_back(std::move(listener)); }
  /// Packets that cards have sent again so far, for the account. Before the run.
  void count_resent(std::function<std::uint64_t()> resent) { account_.count_resent(std::move(resent)); }

  /// Whether an event that was asked for by its time is still to come.
  bool has_listed_ahead() const { return schedule_.has_listed(); }
  const topologies::Failures& down() const { return down_; }
  /// Ends the last interval.
  void close() { account_.close(queue_.now()); }
  const Account& account() const { return account_; }

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
  std::map<Part, bool> is_down_;  // of those of which there was an event, or that failed from the beginning
  std::vector<int> causes_;       // of each link: parts that are down and take it with them
  topologies::Failures down_;
  std::vector<Listener> listeners_;
};

}  // namespace sanvp::faults
