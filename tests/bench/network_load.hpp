/// A network under uniform traffic, for the benches: graph and routing to wiring, and packets with exponential gaps.
#pragma once

#include <vector>

#include "models/net/network.hpp"
#include "platform/core/random.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::bench {

/// Every cable with the same rules, every switch with the same rules.
net::Wiring wire(const topologies::Graph& graph, const net::ChannelRules& channel, const net::SwitchRules& unit,
                 const net::NicRules& nic = {});

/// Poisson sources of packets of one length to uniform destinations, and what became of the packets.
class UniformLoad final : public net::Endpoint, public net::EventHandler {
 public:
  struct Options {
    int flits = 1;         ///< per packet
    Time flit_time{1000};  ///< of the injection channels
    double load = 0.5;     ///< fraction of an injection channel's rate
    int alternative = 0;   ///< route that every packet takes
  };

  UniformLoad(net::Network& network, net::EventQueue& queue, const topologies::Routing& routing,
              const Options& options);

  /// Resets the counts below: what came before was warm-up.
  void clear();

  std::uint64_t packets() const { return packets_; }  ///< delivered
  std::uint64_t hops() const { return hops_; }        ///< channels that these passed
  /// From generation to delivery.
  double mean_latency_ns() const { return packets_ == 0 ? 0 : latency_ns_ / static_cast<double>(packets_); }
  /// Mean number of packets between injection and delivery (Little's law).
  double mean_in_network() const;

  void handle(const net::Event& event) override;
  void delivered(net::Packet& packet, int host) override;
  bool hears_sent() const override { return false; }

 private:
  void generate_next(int source, std::int64_t now_ps);

  net::Network& network_;
  net::EventQueue& queue_;
  const topologies::Routing& routing_;
  int flits_;
  int alternative_;
  double mean_gap_ps_;
  std::vector<Random> random_;  // per host
  Time cleared_{0};
  std::uint64_t packets_ = 0;
  std::uint64_t hops_ = 0;
  double latency_ns_ = 0;
  double in_network_ns_ = 0;
};

}  // namespace sanvp::bench
