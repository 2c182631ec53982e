/// Memory of the simulating computer that a network takes.
#pragma once

#include <cstdint>

#include "topologies/graph.hpp"

namespace sanvp {

/// Measured on trees of 1,024 to 16,384 nodes, per cable: channels, buffers, routes. In whole MiB.
inline std::int64_t estimated_bytes(const topologies::Graph& graph) {
  constexpr std::int64_t of_cable = 4096;
  constexpr std::int64_t MiB = std::int64_t{1} << 20;
  return (of_cable * graph.link_count() + MiB - 1) / MiB * MiB;
}

}  // namespace sanvp
