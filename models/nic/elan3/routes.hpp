/// Elan3 routes (FACTS.md 1.2, registers/elan3.h "routes"): an entry of a virtual-process table, decoded to a packet's
/// path through the network. The record is all that the card knows of a destination.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/net/memory.hpp"
#include "sw/abi/registers/elan3.h"
#include "topologies/graph.hpp"
#include "topologies/kary_tree.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::nic::elan3 {

/// A route record; the flits after the last used one are zero.
struct RouteFlits {
  std::array<std::uint16_t, E3_ROUTE_FLITS> flits{};
  bool operator==(const RouteFlits&) const = default;
};

/// The flits in the table entry itself. For entries without E3_ROUTE_POINTER.
RouteFlits small_route(std::uint64_t entry);

/// The path of a packet from one card. The fields that each packet needs are in the first cache line.
struct alignas(net::cache_line) Way {
  topologies::Route route;
  int destination = 0;  ///< host; for a broadcast the first one
  int branches = 1;     ///< hosts
  int flits = 1;        ///< of the route on the wire, without its CRC
  std::int16_t priority = 0;
  bool descends = false;  ///< whether the next member, beyond the cache line, is used
  /// Hardware broadcast: net::Packet::descend, the ports a switch copies to; empty for a single destination.
  std::function<std::pair<int, int>(int switch_)> descend;
};

/// The network against which routes are decoded. The references outlive it.
struct RouteNetwork {
  std::optional<topologies::KaryTree> tree;  ///< if the network is a fat tree
  const topologies::Graph& graph;
  /// Determines the virtual channels of a path, which the switches choose: the record does not contain them.
  const topologies::Routing& routing;

  static RouteNetwork of(const topologies::Graph& graph, const topologies::Routing& routing);
};

/// The paths from one host, each decoded once.
class Routes {
 public:
  Routes(const RouteNetwork& network, int source) : network_(network), source_(source) {}

  /// Valid as long as this object lives. Null if the record does not lead to a host (E3_CAUSE_ROUTE).
  const Way* find(const RouteFlits& flits);

 private:
  struct Hash {
    std::size_t operator()(const RouteFlits& record) const;
  };
  RouteNetwork network_;
  int source_;
  std::unordered_map<RouteFlits, std::unique_ptr<const Way>, Hash> ways_;  // looked up, never iterated over
};

/// The same without the cache; null if the record does not lead to a host. In a fat tree a record may ascend adaptively
/// and broadcast; in other networks it gives the output port of each switch.
std::unique_ptr<const Way> decode_route(const RouteNetwork& network, int source, const RouteFlits& record);
/// Only in a fat tree.
std::unique_ptr<const Way> decode_route(const topologies::KaryTree& tree, int source, const RouteFlits& record);

/// The part of a route that one switch reads.
struct RouteElement {
  enum class Kind : std::uint8_t { adaptive, tree_up, my_link, port, range };
  Kind kind = Kind::port;
  std::uint8_t bottom = 0;  ///< port, or the first of a range
  std::uint8_t top = 0;     ///< the last of a range
};
/// Empty if the record is malformed.
std::vector<RouteElement> parse_route(const RouteFlits& record);

/// ---- the inverse, for drivers ----

/// @param elements  one or more, at most as many as fit into 8 flits
RouteFlits encode_route(std::span<const RouteElement> elements, bool high_priority = false);
/// E3_ELEMENT_WIDE. @param ports  one for each switch, at most E3_WIDE_HOPS
RouteFlits encode_wide_route(std::span<const std::uint8_t> ports);
/// Adaptively up, then down by the digits of the destination.
RouteFlits encode_unicast(const topologies::KaryTree& tree, int source, int destination);
/// Up by the first port, then down to hosts low..high.
RouteFlits encode_broadcast(const topologies::KaryTree& tree, int source, int low, int high);
/// Number of flits used.
int route_flits(const RouteFlits& record);
/// A table entry for a short route; for a longer one the caller stores the flits and gives their address.
std::uint64_t small_entry(const RouteFlits& record, std::uint32_t context);
std::uint64_t pointer_entry(std::uint32_t sdram_address, std::uint32_t context);

}  // namespace sanvp::nic::elan3
