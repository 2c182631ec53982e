/// The steps up and down a k-ary n-tree, shared by the fat tree and the clusters of the Mesh of Clos.
#pragma once

#include "topologies/kary_tree.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// How an ascent chooses among the up ports of a switch. Every up port leads to an ancestor of the destination.
enum class UpChoice {
  adaptive,  ///< the route permits all of them; the switch takes a free one
  fixed,     ///< the route names one
};

/// Appends the ascent through switches of levels from..to-1. The fixed port of a level (the preferred port of an
/// adaptive ascent) is that by which KaryTree::spread spreads the numbers `chosen_by`.
inline void append_ascent(const KaryTree& tree, int from, int to, UpChoice choice, int chosen_by, Route& route) {
  const auto first = static_cast<std::uint16_t>(tree.arity);
  for (int level = from; level < to; ++level) {
    const auto up = static_cast<std::uint16_t>(tree.spread(chosen_by, level));
    Step& step = route.steps.emplace_back();
    if (choice == UpChoice::adaptive) {
      step.port = first;
      step.ports = static_cast<std::uint16_t>(tree.up_links(level));
      step.preferred = up;
    } else {
      step.port = static_cast<std::uint16_t>(first + up);
    }
  }
}

/// Appends the descent through switches of levels top..0: at each level, the port is that digit of the destination.
inline void append_descent(const KaryTree& tree, int top, int destination, Route& route) {
  const auto arity = static_cast<unsigned>(tree.arity);
  auto digits = static_cast<unsigned>(destination);
  route.steps.resize(route.steps.size() + top + 1);
  for (auto step = route.steps.rbegin(); step != route.steps.rbegin() + top + 1; ++step, digits /= arity)
    step->port = static_cast<std::uint16_t>(digits % arity);
}

}  // namespace sanvp::topologies
