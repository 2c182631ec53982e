#include "tests/bench/network_load.hpp"

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

UniformLoad::UniformLoad(net::Network& network, net::EventQueue& queue, const topologies::Routing& routing,
                         const Options& options)
    : network_(network),
      queue_(queue),
      routing_(routing),
      flits_(options.flits),
      alternative_(options.alternative),
      mean_gap_ps_(static_cast<double>(options.flits * options.flit_time.count()) / options.load) {
  const auto hosts = static_cast<int>(network.wiring().nics.size());
  for (int host = 0; host < hosts; ++host) {
    network.attach(host, *this);
    random_.emplace_back(1, "load." + std::to_string(host));
    generate_next(host, queue.now_ps());
  }
}

void UniformLoad::clear() {
  cleared_ = queue_.now();
  packets_ = 0;
  hops_ = 0;
  latency_ns_ = 0;
  in_network_ns_ = 0;
}

double UniformLoad::mean_in_network() const {
  const double elapsed_ns = in_ns(queue_.now() - cleared_);
  return elapsed_ns > 0 ? in_network_ns_ / elapsed_ns : 0;
}

void UniformLoad::generate_next(int source, std::int64_t now_ps) {
  queue_.schedule({.ps = now_ps + static_cast<std::int64_t>(mean_gap_ps_ * random_[source].exponential()),
                   .handler = this,
                   .unit = static_cast<std::uint32_t>(source)});
}

void UniformLoad::handle(const net::Event& event) {
  const auto source = static_cast<int>(event.unit);
  net::Packet& packet = network_.make_packet();
  packet.source = source;
  const auto other = static_cast<int>(random_[source].below(random_.size() - 1));
  packet.destination = other < source ? other : other + 1;
  packet.flits = flits_;
  routing_.route(source, packet.destination, alternative_, packet.route);
  network_.send(packet);
  generate_next(source, event.ps);
}

void UniformLoad::delivered(net::Packet& packet, int) {
  ++packets_;
  hops_ += packet.route.steps.size() + 1;
  latency_ns_ += in_ns(packet.delivered - packet.generated);
  in_network_ns_ += in_ns(packet.delivered - packet.injected);
}

}  // namespace sanvp::bench
