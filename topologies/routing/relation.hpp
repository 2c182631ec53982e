/// Routing as a relation: a function of where a packet is, where it goes and a few bits that it carries, to the outputs
/// that it may take. Each switch asks it when a header requests, and takes one of them by what it knows of its queues.
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// A header at a switch, and the virtual channel by which it came.
struct Header {
  int switch_ = 0;
  int in_port = 0;
  int vc = 0;
  int destination = 0;  ///< host
  std::uint32_t state = 0;
};

/// One of adjacent outputs, with one of adjacent virtual channels.
struct Candidate {
  std::uint16_t port = 0;
  std::uint16_t ports = 1;
  std::uint8_t vc = Step::any_vc;
  std::uint8_t vcs = 1;   ///< those of them that exist
  std::uint8_t rank = 0;  ///< a packet takes one of a higher rank only if none of a lower one is free
  bool escape = false;  ///< it is always permitted here, and the escapes alone lead to the destination without a cycle
  /// Links from here to the destination, if the switch has to weigh candidates: when the header requests, it compares
  /// queue times links, once, and keeps the candidates with those of the least (the first ones in a tie).
  std::uint8_t links = 0;
  std::uint16_t watched_port = 0;    ///< of `watched_switch`: the output whose queue counts in place of `port`'s ...
  std::int32_t watched_switch = -1;  ///< ... for routings that know the queues of other switches; -1: `port`'s
  std::uint32_t state = 0;           ///< of the packet if it takes this one
};

/// Constant: the same question has the same answer.
class Relation {
 public:
  virtual ~Relation() = default;
  /// Appends the candidates, in ascending order of their ranks. At the destination's switch, the host's port.
  virtual void candidates(const Header& header, std::vector<Candidate>& to) const = 0;
  /// Virtual channels between switches of which a buffer holds one packet at a time, as Duato's condition asks of those
  /// that are no escape: else a header could wait behind another one, which waits for a different escape.
  virtual VcSet exclusive_vcs() const { return 0; }
};

/// A routing that is a relation. Packets of a pair differ in the state that they begin with, an alternative each.
class RelationRouting : public Routing, public Relation {
 public:
  int alternatives(int source, int destination) const override { return source == destination ? 0 : 1; }
  void route(int source, int destination, int alternative, Route& route) const final {
    route.steps.clear();
    route.source_port = 0;
    route.source_vc = Step::any_vc;
    route.second = 0;
    route.relation = this;
    route.state = first_state(source, destination, alternative);
  }
  const Relation* relation() const final { return this; }

 protected:
  virtual std::uint32_t first_state(int /*source*/, int /*destination*/, int /*alternative*/) const { return 0; }
};

}  // namespace sanvp::topologies
