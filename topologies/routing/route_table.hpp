/// Source routes in a table, as a Myrinet NIC holds them: one or several lists of output ports per pair of hosts.
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

class RouteTable : public Routing {
 public:
  /// One byte of a source route: the output port of one switch.
  struct Hop {
    std::uint16_t port;
    bool in_transit = false;  ///< leads to an in-transit host; the next hop is at the same switch

    bool operator==(const Hop&) const = default;
  };

  /// Adds one route. Routes must be added in ascending order of source, destination and id; throws std::logic_error
  /// otherwise.
  /// @param source_port port from which the source host sends
  void append(int source, int destination, int id, const std::vector<Hop>& hops, int source_port = 0);

  std::size_t size() const { return entries_.size(); }

  int alternatives(int source, int destination) const override;
  void route(int source, int destination, int alternative, Route& route) const override;
  int route_id(int source, int destination, int alternative) const override;

 private:
  struct Entry {
    int destination;
    int id;
    std::uint32_t first_hop;  ///< index of its first hop; the last is before the next entry's first
    std::uint8_t source_port;
  };

  /// The routes of one pair, as indices [first, last) into entries_.
  std::pair<std::size_t, std::size_t> range(int source, int destination) const;

  std::vector<std::size_t> first_of_source_;
  std::vector<Entry> entries_;
  std::vector<Hop> hops_;
};

}  // namespace sanvp::topologies
