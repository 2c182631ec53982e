/// The dragonfly: groups of switches that are joined all to all, and cables between every two groups (Kim, Dally,
/// Scott, Abts: Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA 2008, section 3).
#pragma once

#include <cstdint>
#include <string>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Numbering: host h is on switch h / p, switch s is in group s / a. Ports of a switch: its p hosts, then a - 1 cables
/// to the other switches of its group in ascending order, then its h global cables.
///
/// The paper does not say which switch of a group has the cable to which other group. Here the global ports of a group
/// are numbered through all of its switches, and port q leads to the group that the arrangement gives q mod (g - 1), as
/// cable q / (g - 1) of this pair of groups. Ports that would give some pairs of groups more cables than others stay
/// free.
class Dragonfly {
 public:
  /// The group to which port q of group i leads (Camarero, Vallejo, Beivide, ACM TACO 11(4), 2014; Hastings et al.,
  /// CLUSTER 2015).
  enum class Arrangement : std::uint8_t {
    relative,   ///< i + q + 1, modulo g
    absolute,   ///< q, or q + 1 from i on
    circulant,  ///< i + 1, i - 1, i + 2, i - 2 ...
    palm_tree,  ///< i - q - 1
  };

  /// A global cable as seen from the group that it leaves.
  struct Gateway {
    int switch_ = 0;
    int port = 0;
    int far_switch = 0;
  };

  /// @param groups  0: as many as one cable between each two allows, a * h + 1
  /// @param place  names the source of the sizes in the message of the UserError that impossible sizes throw
  Dragonfly(int hosts_per_switch, int switches_per_group, int global_cables, int groups, const std::string& place,
            Arrangement arrangement = Arrangement::relative);
  /// The dragonfly that `graph` was built from.
  /// @param reader  names the routing in the message of the UserError thrown for another graph
  static Dragonfly of(const Graph& graph, const std::string& reader);

  /// Family "dragonfly", shape {p, a, h, g}, and the arrangement if it is not `relative`. A switch's coordinates are
  /// {group, number in the group}. Link classes: `host` from hosts to switches, `cable` within a group, `global`
  /// between groups.
  Graph graph() const;

  int groups() const { return groups_; }
  int switch_count() const { return groups_ * switches_per_group_; }
  int switch_of(int host) const { return host / hosts_per_switch_; }
  int host_port(int host) const { return host % hosts_per_switch_; }
  int group_of(int switch_) const { return switch_ / switches_per_group_; }
  /// The port of `from` that leads to `to`, another switch of its group.
  int local_port(int from, int to) const;
  /// Cables between each two groups.
  int cables_between_groups() const { return cables_between_groups_; }
  Gateway gateway(int from_group, int to_group, int cable) const;

 private:
  int global_port_number(int from_group, int to_group, int cable) const;

  int hosts_per_switch_;    ///< p
  int switches_per_group_;  ///< a
  int global_cables_;       ///< h, of each switch
  int groups_;              ///< g
  int cables_between_groups_;
  Arrangement arrangement_;
};

}  // namespace sanvp::topologies
