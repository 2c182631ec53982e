/// Plays a program on a machine's network: its hosts (loggops) act in simulated time, and their messages travel as
/// packets. Two ranks of one host exchange messages without the network.
///
/// The path of a message: Hosts::send -> enter -> the queue of its host -> feed (a packet at a time) -> net::Network ->
/// delivered -> Hosts::arrived.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "models/net/event_queue.hpp"
#include "models/net/packet.hpp"
#include "models/nic/route_selection.hpp"
#include "platform/core/random.hpp"
#include "platform/goal/critical_path.hpp"
#include "platform/goal/history.hpp"
#include "platform/goal/loggops.hpp"
#include "platform/machine/machine.hpp"

namespace sanvp::net {
class Network;
}

namespace sanvp::goal {

class Player final : private net::EventHandler, private net::Endpoint {
 public:
  /// @param hosts  of each rank
  Player(const Program& program, const LogGops& costs, const std::vector<int>& hosts, const Machine& machine,
         net::EventQueue& queue, net::Network& network);

  const Hosts& ranks() const { return ranks_; }
  void observe(Hosts::Observe observe) { ranks_.observe(std::move(observe)); }
  /// Before the first event. @param history  for good; it also observes the network
  void record(History& history) {
    history_ = &history;
    ranks_.watch(history);
  }
  Serialisation serialisation(const Message& message) const;
  /// Messages of which a packet was lost, and those for which there is no route.
  std::uint64_t lost() const { return lost_; }

 private:
  /// A message between its send and its arrival.
  struct Transfer {
    std::int64_t packets = 0;
    std::int64_t sent = 0;
    std::int64_t over = 0;
    bool is_lost = false;
  };
  struct Node {
    std::unique_ptr<nic::RouteSelection> selection;
    Random random;
    std::deque<std::uint32_t> queue{};  ///< messages; the first may be partly sent
    bool is_feeding = false;            ///< the NIC has a packet that it has not taken yet
  };

  void handle(const net::Event& event) override;
  void injected(net::Packet& packet) override;
  void delivered(net::Packet& packet, int host) override;
  void sent(net::Packet& packet) override;
  void lost(net::Packet& packet) override;

  void carry(std::uint32_t message, Time at);
  void enter(std::uint32_t message);
  void feed(int host);
  bool send_packet(int host, std::uint32_t message);
  void packet_over(std::uint32_t message, bool is_lost);
  void act_later();

  const Machine& machine_;
  net::EventQueue& queue_;
  net::Network& network_;
  Time latency_;            ///< outside of the network: L and that of the NICs
  std::vector<int> hosts_;  ///< by rank
  std::vector<Node> nodes_;
  std::vector<Transfer> transfers_;  ///< by the message's number
  Time planned_ = never;             ///< the earliest event that lets the ranks act
  std::uint64_t lost_ = 0;
  History* history_ = nullptr;
  Hosts ranks_;
};

}  // namespace sanvp::goal
