#include "models/nic/elan3/network_map.hpp"

#include <algorithm>
#include <cstring>

#include "models/nic/elan3/registers.h"
#include "platform/core/error.hpp"
#include "topologies/fat_tree.hpp"
#include "topologies/limits.hpp"
#include "topologies/routing/fat_tree_adaptive.hpp"
#include "topologies/routing/fat_tree_broadcast.hpp"

namespace sanvp::nic::elan3 {
namespace {

static_assert(E3_MOST_LEVELS == topologies::most_levels);

/// The up ports of a route, a byte each.
void write_ascent(const topologies::KaryTree& tree, const topologies::Route& route, int levels, std::byte* ascent) {
  for (int level = 0; level < levels; ++level) {
    const topologies::Step& step = route.steps[static_cast<std::size_t>(level)];
    ascent[level] =
        static_cast<std::byte>(step.ports > 1 ? E3_ASCENT_ADAPTIVE : static_cast<unsigned>(step.port - tree.arity));
  }
}

}  // namespace

std::vector<std::byte> network_map(const NicContext& context) {
  const topologies::KaryTree tree = topologies::fat_tree_geometry(context.graph);
  const auto levels = static_cast<std::size_t>(tree.levels);
  const std::size_t ascent_bytes = E3_ASCENT_BYTES(levels);
  const auto nodes = static_cast<std::size_t>(tree.hosts());
  const bool damaged = !context.working_graph.whole();
  e3_position position{.magic = E3_POSITION_MAGIC,
                       .node = static_cast<std::uint32_t>(context.host),
                       .nodes = static_cast<std::uint32_t>(nodes),
                       .arity = static_cast<std::uint32_t>(tree.arity),
                       .levels = static_cast<std::uint32_t>(levels),
                       .has_broadcast = 0,
                       .has_ascents = damaged ? 1u : 0u,
                       .broadcast_up = {}};
  if (const auto ascent = topologies::broadcast_ascent(context.working_graph, tree)) {
    position.has_broadcast = 1;
    std::ranges::copy(*ascent, position.broadcast_up);
  }
  std::vector<std::byte> map(sizeof position + (damaged ? nodes * ascent_bytes : 0), std::byte{E3_ASCENT_ADAPTIVE});
  std::memcpy(map.data(), &position, sizeof position);
  if (!damaged) return map;

  if (map.size() > E3_ROM_BYTES)
    throw UserError("topology.failed_links", "an Elan3's map of a damaged network has no room for so many nodes",
                    "use at most " + std::to_string((E3_ROM_BYTES - sizeof position) / ascent_bytes) + " nodes");
  const auto routing = topologies::fat_tree_adaptive(context.working_graph, topologies::UpChoice::adaptive);
  topologies::Route route;
  for (int node = 0; node < tree.hosts(); ++node) {
    if (node == context.host) continue;
    std::byte* ascent = &map[sizeof position + static_cast<std::size_t>(node) * ascent_bytes];
    if (routing->alternatives(context.host, node) == 0) {
      *ascent = std::byte{E3_ASCENT_NONE};
      continue;
    }
    routing->route(context.host, node, 0, route);
    write_ascent(tree, route, tree.nca_level(context.host, node), ascent);
  }
  return map;
}

}  // namespace sanvp::nic::elan3
