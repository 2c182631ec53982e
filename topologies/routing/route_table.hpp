/// Routes in a table, as a NIC holds them: one or several lists of steps per pair of hosts. Myrinet's steps are ports.
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

class RouteTable : public Routing {
 public:
  /// Adds one route. Routes must be added in ascending order of source, destination and id; throws std::logic_error
  /// otherwise.
  void append(int source, int destination, int id, const Route& route);
  /// The same for a route that only consists of steps.
  /// @param source_port port from which the source host sends
  void append(int source, int destination, int id, const std::vector<Step>& steps, int source_port = 0);
  /// Senders draw one of a pair's routes at random for each packet.
  void draw_at_random() { random_alternative_ = true; }
  /// Routing::detour_threshold
  void set_detour_threshold(std::int64_t flits) { detour_threshold_ = flits; }

  std::size_t size() const { return entries_.size(); }

  int alternatives(int source, int destination) const override;
  void route(int source, int destination, int alternative, Route& route) const override;
  int virtual_channels() const override { return virtual_channels_; }
  bool passes_hosts() const override { return passes_hosts_; }
  bool looks_at_queues() const override { return any_choice_; }
  int route_id(int source, int destination, int alternative) const override;
  bool random_alternative() const override { return random_alternative_; }
  std::int64_t detour_threshold() const override { return detour_threshold_; }

 private:
  struct Entry {
    int destination;
    int id;
    std::uint32_t first_step;  ///< index of its first step; the last is before the next entry's first
    std::uint8_t source_port;
    std::uint8_t source_vc;
    std::uint16_t second;  ///< Route's
  };

  /// The routes of one pair, as indices [first, last) into entries_.
  std::pair<std::size_t, std::size_t> range(int source, int destination) const;

  std::vector<std::size_t> first_of_source_;
  std::vector<Entry> entries_;
  std::vector<Step> steps_;
  bool random_alternative_ = false;
  std::int64_t detour_threshold_ = 0;
  bool any_choice_ = false;
  bool passes_hosts_ = false;
  int virtual_channels_ = 1;
};

}  // namespace sanvp::topologies
