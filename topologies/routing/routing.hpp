/// Routing as data: the contents of the hardware's route tables, interval registers and packet headers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// What one switch does with a packet: forward it to one of `ports` adjacent outputs, starting at `port`.
/// Elite link tags, STC104 groups and Mesh of Clos layers all are ranges of adjacent ports.
struct Step {
  static constexpr std::uint8_t any_vc = 0xff;

  std::uint16_t port = 0;   ///< first permitted output
  std::uint16_t ports = 1;  ///< how many adjacent outputs are permitted (a group)
  std::uint16_t preferred =
      0;                     ///< offset in the group of the port that output-selection policy IdleFixed falls back to
  std::uint8_t vc = any_vc;  ///< permitted virtual channel of the output, or the first one; any_vc: any free one
  std::uint8_t vcs = 1;      ///< how many adjacent virtual channels are permitted from there on; those that exist
  std::uint8_t strip = 0;    ///< header flits this switch removes before it forwards (Myrinet, C104 header deletion)
  std::uint8_t prepend = 0;  ///< header flits this switch puts in front (C104 universal routing)
  bool replicate = false;    ///< copy to every port of the range: hardware broadcast (QsNET)
  bool in_transit = false;   ///< the port leads to an in-transit host; the next step is the same switch again

  bool operator==(const Step&) const = default;
};

/// Virtual channels as a set, a bit for each.
using VcSet = std::uint32_t;
constexpr VcSet all_vcs = ~VcSet{0};

/// Those from `vc` on, `vcs` of them; all of them for Step::any_vc.
constexpr VcSet vc_set(std::uint8_t vc, std::uint8_t vcs) {
  constexpr int bits = 32;
  if (vc == Step::any_vc) return all_vcs;
  if (vc >= bits) return 0;
  return (vcs >= bits ? all_vcs : (VcSet{1} << vcs) - 1) << vc;
}
constexpr VcSet vc_set(const Step& step) { return vc_set(step.vc, step.vcs); }

class Relation;

/// The steps of one packet: one for each switch that it passes, in order. Two lists of steps behind each other are two
/// paths, of which the first switch takes one by the queues at its outputs (models/net/TIMING.md, "Two paths"), and
/// drops the other. A packet with a relation has no steps: each switch asks the relation (relation.hpp).
struct Route {
  std::vector<Step> steps;
  const Relation* relation = nullptr;
  std::uint8_t source_port = 0;           ///< port of the source host
  std::uint8_t source_vc = Step::any_vc;  ///< virtual channel of the injection channel; any_vc after in-transit hosts
  std::uint16_t second = 0;               ///< index of the second path's first step; 0: there is one path
  std::uint32_t state = 0;                ///< of the packet, for the relation

  bool operator==(const Route&) const = default;
  bool has_choice() const { return second > 0; }
  /// The steps of the path, or of the first and of the second one.
  std::span<const Step> first_path() const { return {steps.data(), has_choice() ? second : steps.size()}; }
  std::span<const Step> second_path() const { return std::span(steps).subspan(second); }
  int in_transit_hosts() const;
};

/// The end of a route over the cables that are plugged in, by the first such port of each step. An empty End if a step
/// has none, the route continues after a host, or its two paths end at different places. In-transit hosts end it.
End end_of(const Graph& graph, int source, const Route& route);

class Routing;

/// The alternatives that leave by one port of the source, as a routing that knows one port of each host has them.
struct PortAlternatives {
  const Routing* routing = nullptr;
  int source = 0;       ///< in `routing`
  int destination = 0;  ///< in `routing`
  int count = 0;
  int first = 0;  ///< their first one among those of all ports
};

/// Maps pairs of hosts to routes. Immutable: routes are computed once, or on demand from coordinates.
class Routing {
 public:
  virtual ~Routing() = default;

  /// Number of routes in the source's table for this pair; 0 if the pair is not served. The sender chooses one (the
  /// NIC's route selection, the random intermediate switch of universal routing, the abc point of TOFU).
  virtual int alternatives(int source, int destination) const = 0;

  /// Writes route number `alternative` into `route`, whose storage is reused. source != destination.
  virtual void route(int source, int destination, int alternative, Route& route) const = 0;

  /// The user's number for an alternative (ROUTE_ID of route and traffic files); ascending in `alternative`.
  virtual int route_id(int /*source*/, int /*destination*/, int alternative) const { return alternative; }

  /// The reason why a pair that cables join is not served, for a message.
  virtual std::string why_unserved(int /*source*/, int /*destination*/) const { return "there is no route"; }

  /// Whether the sender draws an alternative at random per packet (universal routing) instead of taking number 0.
  virtual bool random_alternative() const { return false; }

  /// Virtual channels that its routes need of each channel between switches; 1 where any will do.
  virtual int virtual_channels() const { return 1; }

  /// Whether it uses virtual channels beyond those by itself, so that none has to be spread (vc_classes.hpp).
  virtual bool uses_spare_vcs() const { return false; }

  /// Ports of a host among which packets choose.
  virtual int host_ports() const { return 1; }
  virtual PortAlternatives by_port(int source, int destination, int /*port*/) const {
    return {this, source, destination, alternatives(source, destination), 0};
  }

  /// Whether routes lead through hosts, whose NICs need in-transit buffers.
  virtual bool passes_hosts() const { return false; }

  /// Whether switches compare queues for it: two paths, or a relation that weighs.
  virtual bool looks_at_queues() const { return false; }
  /// How much longer, in flits times cables, the queue of the first of two paths may be.
  virtual std::int64_t detour_threshold() const { return 0; }

  /// The relation that decides at each hop, in place of steps; null: routes are lists of steps.
  virtual const Relation* relation() const { return nullptr; }

  /// What it does about failed parts, for the user; empty if nothing has failed.
  virtual std::string about_failures() const { return {}; }

  /// Whether every route climbs a fat tree by any up port and descends by the destination's digits, so that hardware
  /// that does so by itself needs no table.
  virtual bool climbs_adaptively() const { return false; }
};

}  // namespace sanvp::topologies
