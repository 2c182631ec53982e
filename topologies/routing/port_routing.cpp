#include "topologies/routing/port_routing.hpp"

#include <algorithm>

#include "topologies/routing/relation.hpp"

namespace sanvp::topologies {
namespace {

/// The state of a packet with a relation has its port in the highest bits.
constexpr int port_shift = 28;
constexpr std::uint32_t state_mask = (1U << port_shift) - 1;

class PortRouting : public Routing, public Relation {
 public:
  PortRouting(const Graph& graph, std::vector<std::shared_ptr<const Routing>> ports)
      : graph_(graph), ports_(std::move(ports)) {}

  int host_ports() const override { return static_cast<int>(ports_.size()); }
  PortAlternatives by_port(int source, int destination, int port) const override {
    PortAlternatives found;
    for (int before = 0; before <= port; ++before) {
      found.first += found.count;
      found.routing = ports_[before].get();
      found.source = host(source, before);
      found.destination = host(destination, before);
      found.count = found.routing->alternatives(found.source, found.destination);
    }
    return found;
  }

  int alternatives(int source, int destination) const override {
    const PortAlternatives last = by_port(source, destination, host_ports() - 1);
    return last.first + last.count;
  }

  void route(int source, int destination, int alternative, Route& route) const override {
    int port = 0;
    PortAlternatives of_port = by_port(source, destination, port);
    while (alternative >= of_port.first + of_port.count) of_port = by_port(source, destination, ++port);
    of_port.routing->route(of_port.source, of_port.destination, alternative - of_port.first, route);
    route.source_port = static_cast<std::uint8_t>(port);
    if (route.relation == nullptr) return;
    route.relation = this;
    route.state |= static_cast<std::uint32_t>(port) << port_shift;
  }

  const Relation* relation() const override { return ports_.front()->relation() == nullptr ? nullptr : this; }

  void candidates(const Header& header, std::vector<Candidate>& to) const override {
    const auto port = static_cast<int>(header.state >> port_shift);
    const int switches_before = graph_.has_planes ? port * graph_.by_port->switch_count() : 0;
    Header of_port = header;
    of_port.switch_ -= switches_before;
    of_port.destination = host(header.destination, port);
    of_port.state &= state_mask;
    const std::size_t before = to.size();
    ports_[port]->relation()->candidates(of_port, to);
    for (std::size_t one = before; one < to.size(); ++one) {
      if (to[one].watched_switch >= 0) to[one].watched_switch += switches_before;
      to[one].state |= static_cast<std::uint32_t>(port) << port_shift;
    }
  }
  VcSet exclusive_vcs() const override { return ports_.front()->relation()->exclusive_vcs(); }

  std::string why_unserved(int source, int destination) const override {
    return ports_.front()->why_unserved(host(source, 0), host(destination, 0));
  }
  bool random_alternative() const override { return ports_.front()->random_alternative(); }
  int virtual_channels() const override {
    int most = 1;
    for (const auto& one : ports_) most = std::max(most, one->virtual_channels());
    return most;
  }
  bool passes_hosts() const override { return ports_.front()->passes_hosts(); }
  bool looks_at_queues() const override { return ports_.front()->looks_at_queues(); }
  std::int64_t detour_threshold() const override { return ports_.front()->detour_threshold(); }
  std::string about_failures() const override {
    std::string text = "pairs use the ports that still lead to each other";
    for (const auto& one : ports_)
      if (const std::string about = one->about_failures(); !about.empty()) return text + "; " + about;
    return text;
  }

 private:
  int host(int host, int port) const { return graph_.has_planes ? host : host * host_ports() + port; }

  const Graph& graph_;
  std::vector<std::shared_ptr<const Routing>> ports_;
};

}  // namespace

std::unique_ptr<Routing> port_routing(const Graph& graph, std::vector<std::shared_ptr<const Routing>> ports) {
  return std::make_unique<PortRouting>(graph, std::move(ports));
}

}  // namespace sanvp::topologies
