/// Up to a nearest common ancestor, then down, as QsNET's source routes do (QsNET paper 2.2.1, FACTS.md 1.2).
#pragma once

#include <memory>

#include "topologies/routing/tree_steps.hpp"

namespace sanvp::topologies {

/// Routes of a graph that fat_tree() built. With UpChoice::adaptive each ascending step permits all up ports. With
/// UpChoice::fixed the destination's digits choose, so that all packets to one host come down from one top switch. In
/// both, the descent follows the destination's digits. Nothing is stored: a route is computed from the two host
/// numbers.
std::unique_ptr<Routing> fat_tree_adaptive(const Graph& graph, UpChoice up);

}  // namespace sanvp::topologies
