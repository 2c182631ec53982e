/// The route table in SRAM, as loaded by the mapper, with several routes for each destination. It implements Routing,
/// so that all route selections (models/nic/in_transit_selection) work with it.
#pragma once

#include <optional>
#include <span>

#include "models/nic/card/registers.hpp"
#include "models/nic/lanai/sram.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::nic::lanai {

/// The path that the bytes of a route encode.
struct Way {
  topologies::Route route;
  int destination = 0;
  int bytes = 0;  ///< on the wire, before the packet: one byte for each switch, and a header for each in-transit host
};

/// Follows a route from a host through the cables. Nothing if it does not end at a host, for instance at a port without
/// a cable, or if it uses a channel twice: such a packet would wait for its own tail.
std::optional<Way> follow(const topologies::Graph& graph, int from, std::span<const std::uint8_t> bytes);
/// The bytes of a route; nothing if an entry of the table is too small for them.
std::optional<lanai_route> encode(const topologies::Route& route, int id);

class RouteMemory final : public topologies::Routing {
 public:
  RouteMemory(const Sram& sram, const topologies::Graph& graph) : sram_(sram), graph_(graph) {}

  static Registers<RouteMemory> registers();

  /// @param address  of the table in SRAM, LANAI_ROUTES entries for each node
  void set_address(std::uint32_t address) { address_ = address; }
  void set_nodes(std::uint32_t nodes) { nodes_ = nodes; }
  std::uint32_t address() const { return address_; }
  std::uint32_t nodes() const { return nodes_; }
  /// SRAM address of an entry.
  std::uint32_t entry(int destination, int alternative) const {
    return address_ +
           (static_cast<std::uint32_t>(destination) * LANAI_ROUTES + static_cast<std::uint32_t>(alternative)) *
               static_cast<std::uint32_t>(sizeof(lanai_route));
  }

  int alternatives(int source, int destination) const override;
  void route(int source, int destination, int alternative, topologies::Route& route) const override;
  int route_id(int, int destination, int alternative) const override { return load(destination, alternative).id; }

 private:
  lanai_route load(int destination, int alternative) const {
    return sram_.load<lanai_route>(entry(destination, alternative));
  }

  const Sram& sram_;
  const topologies::Graph& graph_;
  std::uint32_t address_ = 0;
  std::uint32_t nodes_ = 0;
};

}  // namespace sanvp::nic::lanai
