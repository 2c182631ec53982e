/// Folded Clos networks of equal switches: Macramé's of 32-way STC104s (Macramé paper 3.1, FACTS.md 3.1).
#pragma once

#include <string>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Sizes of a folded Clos of switches with 2u ports. Switches are numbered leaves first, then middles, then centres.
///
/// A leaf has u hosts (ports 0..u-1) and u uplinks (ports u..2u-1). With up to 2u leaves a network has three stages:
/// `cables` parallel cables join each leaf to each of the leaves/2 centres (64 nodes of 32-way switches: 4 leaves, 2
/// centres, 8 cables; 512 nodes: 32 leaves, 16 centres, 1 cable).
///
/// With more leaves, a centre would need more than 2u ports, so each of the u centres is itself a folded Clos and the
/// network has five stages. u leaves form a pod. Uplink c of every leaf of a pod leads to middle c of that pod. The
/// uplinks of middle c lead to the pods/2 centres of plane c, `cables` to each (1024 nodes: 64 leaves in 4 pods, 16
/// middles per pod, 16 planes of 2 centres, 8 cables). Here, too, every stage has as many cables as there are hosts.
struct ClosSizes {
  int up = 0;       ///< u: hosts, and uplinks, of a leaf
  int leaves = 0;   ///< switches with hosts
  int pods = 0;     ///< groups of u leaves with their own middles; 0 in a network of three stages
  int centres = 0;  ///< top switches in all
  int cables = 0;   ///< parallel cables between a switch and each centre above it

  /// Throws UserError at `place` with the possible sizes where `nodes` is none of them.
  static ClosSizes of_nodes(int nodes, int radix, const std::string& place);

  bool has_middles() const { return pods > 0; }
  int hosts() const { return leaves * up; }
  int middles() const { return pods * up; }
  int leaf_of(int host) const { return host / up; }
  int pod_of(int host) const { return host / (up * up); }

  int first_middle() const { return leaves; }
  int first_centre() const { return leaves + middles(); }
  int switches() const { return first_centre() + centres; }

  /// How many centres one switch below is joined to, and the first port of the group of uplinks to the i-th of them.
  int centres_above() const { return up / cables; }
  int up_port(int centre_above) const { return up + centre_above * cables; }
  /// First port, on a centre, of the group of cables down to leaf (three stages) or pod (five stages) `below`.
  int centre_port(int below) const { return below * cables; }
};

/// Family "clos", shape {nodes, radix}; a host's coordinates are {leaf, port}, a switch's are {stage, number}, where
/// stage 0 is the leaves. Link classes: `host`, `cable`.
/// @param radix  ports of every switch
Graph clos(int nodes, int radix = 32);

/// The sizes of a graph that clos() built; throws UnsuitableGraph for a graph of another family.
/// @param reader  what asks, for the message
ClosSizes clos_sizes(const Graph& graph, const std::string& reader = "routing");

}  // namespace sanvp::topologies
