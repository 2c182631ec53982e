/// A machine's network as seen by the traffic nodes.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "models/net/fidelity.hpp"
#include "models/net/packet.hpp"
#include "models/net/wiring.hpp"
#include "models/nic/congestion_control.hpp"
#include "models/nic/packet_format.hpp"
#include "models/nic/port_selection.hpp"
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
  /// Chooses among a NIC's routes; empty: the first route.
  std::function<std::unique_ptr<nic::RouteSelection>()> make_route_selection{};
  nic::CongestionControl congestion{};
  std::shared_ptr<const nic::PortSelection> port_selection{};  ///< if hosts have several ports
  /// Sets source, destination and route of a packet.
  std::function<void(net::Packet&, int source, int destination, int alternative)> address{};
  /// The least time for which a packet of that many flits occupies a host's injection channel.
  std::function<Time(int host, int flits)> unhindered{};
  const faults::Plan* faults = nullptr;  ///< parts that fail during a run; used with `stock`
  std::optional<faults::Stock> stock{};
  /// If routes change with failures: `routing` itself, how new routes are computed, and how long that takes.
  faults::CurrentRoutes* current_routes = nullptr;
  faults::Remap::Compute routes_around{};
  Time remap_takes{0};
  net::Fidelity fidelity = net::Fidelity::worm;
  std::uint64_t seed = 1;

  const net::ChannelRules& injection(int host) const { return wiring.channels[wiring.nics[host].out].rules; }
  int nodes() const { return graph.host_count(); }
};

}  // namespace sanvp::traffic
