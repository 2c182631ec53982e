/// The fat tree of QsNET: a k-ary n-tree of Elite switches (QsNET paper 2.2, FACTS.md 1.2; numbering: kary_tree.hpp).
#pragma once

#include "topologies/graph.hpp"
#include "topologies/kary_tree.hpp"

namespace sanvp::topologies {

/// k^n hosts and n*k^(n-1) switches of 2k ports; the up ports of the top level stay free. Family "fat_tree", shape
/// {arity, levels, top arity} and, of a slimmed tree, the cables up of each level below the top; a host's coordinate is
/// {number}, a switch's are {level, column}.
/// The machines of the QsNET paper: 16 nodes are (4, 2), 64 nodes (4, 3), and 32 nodes (4, 3, 32), two halves of 16.
/// @param nodes  0 for the full tree, or 2..k times k^(n-1), with which the top level joins fewer subtrees
/// @param up_links  cables up of each switch: one number for each level below the top, or for all; empty: k
Graph fat_tree(int arity, int levels, int nodes = 0, const std::vector<int>& up_links = {});

/// Whether fat_tree built it.
bool is_fat_tree(const Graph& graph);

/// The geometry of a graph that fat_tree built; throws UnsuitableGraph if it is of another family.
/// @param reader  what asks, for the message
KaryTree fat_tree_geometry(const Graph& graph, const std::string& reader = "routing");

}  // namespace sanvp::topologies
