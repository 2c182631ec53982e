/// A network under uniform traffic, for the benches: graph and routing to wiring, and packets with exponential gaps.
#pragma once

#include <memory>
#include <vector>

#include "models/net/network.hpp"
#include "platform/core/random.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::bench {

/// Every cable with the same rules, every switch with the same rules.
net::Wiring wire(const topologies::Graph& graph, const net::ChannelRules& channel, const net::SwitchRules& unit,
                 const net::NicRules& nic = {});

/// Poisson sources of packets of one length to uniform destinations.
class UniformLoad final : public net::Endpoint, public net::EventHandler {
 public:
  /// @param load  fraction of the injection channel's rate
  /// @param alternative  route to take, -1: what the routing asks for
  UniformLoad(net::Network& network, net::EventQueue& queue, const topologies::Routing& routing, int flits,
              Time flit_time, double load, int alternative = -1);

  void handle(const net::Event& event) override;
  void delivered(net::Packet& packet, int host) override;

  std::uint64_t packets() const { return packets_; }
  std::uint64_t hops() const { return hops_; }
  double mean_latency_ns() const { return packets_ == 0 ? 0 : latency_ns_ / static_cast<double>(packets_); }

 private:
  net::Network& network_;
  net::EventQueue& queue_;
  const topologies::Routing& routing_;
  int flits_;
  double gap_ps_;
  int alternative_;
  std::vector<Random> random_;
  std::uint64_t packets_ = 0;
  std::uint64_t hops_ = 0;
  double latency_ns_ = 0;
};

}  // namespace sanvp::bench
