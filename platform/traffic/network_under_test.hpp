/// A machine's network as the traffic nodes see it.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "models/net/network.hpp"
#include "models/nic/packet_format.hpp"
#include "models/nic/route_selection.hpp"
#include "platform/faults/plan.hpp"
#include "platform/faults/remap.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::traffic {

struct NetworkUnderTest {
  const topologies::Graph& graph;
  const topologies::Routing& routing;
  const net::Wiring& wiring;
  nic::PacketFormat format{};
  /// What chooses among a NIC's routes; empty: the first one.
  std::function<std::unique_ptr<nic::RouteSelection>()> make_route_selection{};
  /// Fills in source, destination and route of a packet.
  std::function<void(net::Packet&, int source, int destination, int alternative)> address{};
  /// How long a packet of that many flits occupies a host's injection channel at least.
  std::function<Time(int host, int flits)> unhindered{};
  const faults::Plan* faults = nullptr;  ///< what fails during a run; with `stock`
  std::optional<faults::Stock> stock{};
  /// Where routes follow what fails: `routing`, how they are computed, and how long that takes.
  faults::CurrentRoutes* current_routes = nullptr;
  faults::Remap::Compute routes_around{};
  Time remap_takes{0};
  net::Fidelity fidelity = net::Fidelity::worm;
  std::uint64_t seed = 1;

  const net::ChannelRules& injection(int host) const { return wiring.channels[wiring.nics[host].out].rules; }
  int nodes() const { return graph.host_count(); }
};

}  // namespace sanvp::traffic
