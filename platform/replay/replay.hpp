/// Sends an explicit list of packets over a network: `sanvp replay`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/net/event_queue.hpp"
#include "models/net/packet.hpp"
#include "platform/machine/machine.hpp"
#include "platform/replay/traffic_file.hpp"

namespace sanvp::net {
class Network;
}

namespace sanvp::replay {

/// The outcome of a packet.
struct Delivery {
  int route_id = -1;
  int in_transit_hosts = 0;
  Time injected = never;
  Time delivered = never;  ///< `never` if it was lost
};

enum class DefaultRoute : std::uint8_t {
  of_nic,     ///< the choice of the NIC's route selection
  lowest_id,  ///< the pair's route with the lowest id
};

class Replay final : private net::EventHandler, private net::Endpoint {
 public:
  /// Schedules the packets on the queue of `network`.
  /// @param name  of the packet list, for messages
  /// @param default_route  for packets without a route id
  Replay(const Machine& machine, net::EventQueue& queue, net::Network& network, const std::vector<Packet>& packets,
         const std::string& name, DefaultRoute default_route = DefaultRoute::of_nic);

  /// In the order of the list.
  const std::vector<Delivery>& deliveries() const { return deliveries_; }
  std::size_t done() const { return done_; }

 private:
  void handle(const net::Event& event) override;
  void injected(net::Packet& packet) override;
  void delivered(net::Packet& packet, int host) override;
  void sent(net::Packet& packet) override;
  void lost(net::Packet&) override { ++done_; }

  void schedule_next();
  void send(std::size_t index);
  int choose_alternative(std::size_t index);

  const Machine& machine_;
  net::EventQueue& queue_;
  net::Network& network_;
  const std::vector<Packet>& packets_;
  std::string name_;
  DefaultRoute default_route_;
  std::vector<std::size_t> order_;  ///< ordered by time; equal times in the order of the list
  std::size_t next_ = 0;            ///< index into order_
  std::vector<Delivery> deliveries_;
  std::size_t done_ = 0;
  std::vector<std::unique_ptr<nic::RouteSelection>> selections_;  ///< per host
  std::vector<Random> random_;                                    ///< per host
};

/// A line per packet: index gen_ns src dst bytes route_id inject_ns delivered_ns latency_ns itbs. The latency is from
/// generation to delivery.
std::string to_text(const std::vector<Packet>& packets, const std::vector<Delivery>& deliveries);

}  // namespace sanvp::replay
