/// Follows a relation over everything that it permits, and proves that its packets arrive. A part of `check`.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "topologies/routing/check.hpp"
#include "topologies/routing/dependencies.hpp"
#include "topologies/routing/relation.hpp"
#include "topologies/routing/walk.hpp"

namespace sanvp::topologies {

/// A *place* is a channel with a virtual channel, and the state of a packet that has come by it. For one destination
/// the places that are reached form a graph without a cycle, or else packets might go round for ever.
class RelationWalk {
 public:
  using Vertex = Dependencies::Vertex;

  /// @param dependencies  receives what a packet may wait for
  RelationWalk(const Graph& graph, const Relation& relation, const CheckOptions& options, Dependencies& dependencies);

  void next_destination(int destination);
  /// How a packet fares that begins as `route` says: the worst that can happen to it, or its arrival by the shortest
  /// way.
  /// @param longest  receives the arrival by the longest way, if that differs
  Walk::Outcome follow(int source, const Route& route, Walk::Outcome* longest);
  /// Number of candidates examined so far.
  std::int64_t work() const { return work_; }

  /// Why packets on all places that were followed never wait for each other in a cycle. Either no cycle of dependencies
  /// exists (Dally and Seitz), or there is always an escape, and what packets may hold between two escapes closes no
  /// cycle (Duato, IEEE Trans. Parallel Distrib. Syst. 4(12), 1993, theorem 1).
  /// @param cycle  receives a cycle, if there is one
  std::string prove(std::vector<Vertex>& cycle);

 private:
  struct Place {
    int channel;
    int vc;
    std::uint32_t state;
  };
  struct Seen {
    Walk::Outcome outcome;
    int longest = 0;
    bool open = true;  ///< its places behind are being followed
  };
  struct Start {
    int destination;
    int channel;
    std::uint32_t state;
  };

  const Seen& visit(const Place& place);
  void visit_candidate(const Place& place, const Candidate& candidate, Seen& seen, bool& any);
  void take_candidates(const Place& place, std::vector<Candidate>& to) const;
  VcSet vcs_of(const Candidate& candidate) const { return vc_set(candidate.vc, candidate.vcs) & cabled_; }
  int output(int at, int port) const;
  std::uint64_t key(const Place& place) const {
    return static_cast<std::uint64_t>(place.channel * virtual_channels_ + place.vc) << 32 | place.state;
  }

  // The second proof.
  class Escapes;

  const Graph& graph_;
  const Relation& relation_;
  Dependencies& dependencies_;
  int virtual_channels_;
  VcSet cabled_;
  std::vector<bool> failed_;  ///< per channel
  int destination_ = 0;
  std::unordered_map<std::uint64_t, Seen> seen_;  ///< for this destination
  std::vector<Start> starts_;
  std::vector<bool> escapes_;   ///< per channel and virtual channel: it is an escape somewhere
  bool always_escapes_ = true;  ///< every place has one
  std::string without_escape_;  ///< a place that has none
  std::int64_t work_ = 0;
};

}  // namespace sanvp::topologies
