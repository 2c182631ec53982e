/// Relations on grids and tori: what is left to travel along each axis, and the ports that lead nearer.
#pragma once

#include <string>
#include <vector>

#include "topologies/lattice.hpp"
#include "topologies/routing/relation.hpp"

namespace sanvp::topologies {

class LatticeRelation : public RelationRouting {
 public:
  void candidates(const Header& header, std::vector<Candidate>& to) const final;

 protected:
  enum class Rings { permitted, refused };

  /// @param reader  names the routing in messages
  LatticeRelation(const Graph& graph, const std::string& reader, Rings rings);

  const Lattice& lattice() const { return lattice_; }
  /// Hops left along an axis by the shortest way; negative: down. On a ring the parity of the source breaks ties.
  int offset(const Header& header, int axis) const;
  /// Whether that way crosses the ring's wrap cable.
  bool will_wrap(const Header& header, int axis) const;
  /// Appends the cables of a direction.
  void append(const Header& header, int axis, Run::Way way, std::vector<Candidate>& to,
              const Candidate& kind = {}) const;
  /// The coordinate along x of the switch that the packet comes from.
  static int source_column(const Header& header) { return static_cast<int>(header.state >> 1); }

  /// Appends the candidates at a switch that is not the destination's.
  virtual void travel(const Header& header, std::vector<Candidate>& to) const = 0;

  std::uint32_t first_state(int source, int destination, int alternative) const final;

 private:
  Run left(const Header& header, int axis) const;

  Lattice lattice_;
};

}  // namespace sanvp::topologies
