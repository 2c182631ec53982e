/// The route table in SRAM, several routes for each destination, as the mapper has loaded it. A Routing like any other,
/// so that the network studies' route selections (models/nic/in_transit_selection) choose from it.
#pragma once

#include <optional>
#include <span>

#include "models/nic/lanai/sram.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::nic::lanai {

/// Where the bytes of a route lead.
struct Way {
  topologies::Route route;
  int destination = 0;
  int bytes = 0;  ///< on the wire, in front of the packet: a byte a switch, and a header for each in-transit host
};

/// Follows a route from a host through the cables. Nothing where it ends in no host, as at a port without a cable, or
/// takes a channel twice: such a packet, which only mappers think up, would wait for its own tail.
std::optional<Way> follow(const topologies::Graph& graph, int from, std::span<const std::uint8_t> bytes);
/// The bytes for a route; no entry where the table has no room for so many.
std::optional<lanai_route> encode(const topologies::Route& route, int id);

class RouteMemory final : public topologies::Routing {
 public:
  RouteMemory(const Sram& sram, const topologies::Graph& graph) : sram_(sram), graph_(graph) {}

  /// @param address  of the table in SRAM, LANAI_ROUTES entries for each of `nodes`
  void place(std::uint32_t address, std::uint32_t nodes) {
    address_ = address;
    nodes_ = nodes;
  }
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
