#include "tests/bench/network_load.hpp"
#include <algorithm>

namespace sanvp::bench {

net::Wiring wire(const topologies::Graph& graph, const net::ChannelRules& channel, const net::SwitchRules& unit,
                 const net::NicRules& nic) {
  net::Wiring wiring;
  for (const auto& host : graph.hosts()) wiring.add_nic(host.name, nic);
  for (const auto& node : graph.switches()) wiring.add_switch(node.name, static_cast<int>(node.link_at.size()), unit);
  const auto terminal = [](const topologies::End& end) {
    return net::Terminal{end.is_host() ? net::Terminal::Kind::nic : net::Terminal::Kind::switch_, end.index, end.port};
  };
  for (const auto& link : graph.links()) wiring.connect(terminal(link.a), terminal(link.b), channel, channel);
  return wiring;
}

UniformLoad::UniformLoad(net::Network& network, net::EventQueue& queue, const topologies::Routing& routing, int flits,
                         Time flit_time, double load, int alternative)
    : network_(network),
      queue_(queue),
      routing_(routing),
      flits_(flits),
      gap_ps_(static_cast<double>(flits * flit_time.count()) / load),
      alternative_(alternative) {
  const auto hosts = static_cast<int>(network.wiring().nics.size());
  for (int host = 0; host < hosts; ++host) {
    network.attach(host, *this);
    random_.emplace_back(1, "load." + std::to_string(host));
    queue.schedule({.ps = static_cast<std::int64_t>(gap_ps_ * random_[host].exponential()),
                    .handler = this,
                    .unit = static_cast<std::uint32_t>(host)});
  }
}

void UniformLoad::handle(const net::Event& event) {
  const auto source = static_cast<int>(event.unit);
  Random& random = random_[source];
  net::Packet& packet = network_.make_packet();
  packet.source = source;
  const auto other = static_cast<int>(random.below(random_.size() - 1));
  packet.destination = other < source ? other : other + 1;
  packet.flits = flits_;
  routing_.route(source, packet.destination, std::max(alternative_, 0), packet.route);
  hops_ += packet.route.steps.size() + 1;
  network_.send(packet);
  queue_.schedule({.ps = event.ps + static_cast<std::int64_t>(gap_ps_ * random.exponential()),
                   .handler = this,
                   .unit = event.unit});
}

void UniformLoad::delivered(net::Packet& packet, int) {
  ++packets_;
  latency_ns_ += in_ns(packet.delivered - packet.generated);
}

}  // namespace sanvp::bench
