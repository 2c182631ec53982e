#include "models/nic/elan3/network_map.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "platform/core/error.hpp"
#include "sw/abi/registers/elan3.h"
#include "topologies/fat_tree.hpp"
#include "topologies/limits.hpp"
#include "topologies/routing/fat_tree_broadcast.hpp"

namespace sanvp::nic::elan3 {
namespace {

using topologies::End;
using topologies::KaryTree;
using topologies::Route;
using topologies::Step;

static_assert(E3_MOST_LEVELS == topologies::most_levels);

constexpr std::size_t elite_ports = 8;  // QsNET paper 2.2
/// The first element, and the nibbles of the other flits.
constexpr std::size_t most_hops_by_nibbles = 1 + (E3_ROUTE_FLITS - 1) * 4;
constexpr std::size_t word = 4;

/// The output ports on the route to one node; empty if no route exists.
using Path = std::vector<std::uint8_t>;

class Paths {
 public:
  Paths(const NicNetwork& network, int host, const std::optional<KaryTree>& tree)
      : network_(network), host_(host), tree_(tree), wide_(has_wide_switch(network.graph)) {
    const int nodes = network.graph.host_count();
    for (int node = 0; node < nodes; ++node) paths_.push_back(path_to(node));
    std::size_t longest = 0;
    for (const Path& path : paths_) longest = std::max(longest, path.size());
    row_bytes_ = (1 + longest + word - 1) / word * word;
  }

  bool wide() const { return wide_; }

  /// Whether all routes go up the tree first, then only down.
  bool follow_tree() const {
    return tree_ && std::ranges::all_of(paths_, [&](const Path& path) {
             return std::ranges::is_partitioned(path, [&](std::uint8_t port) { return port >= tree_->arity; });
           });
  }

  std::size_t row_bytes() const { return row_bytes_; }

  void write(std::byte* row) const {
    for (const Path& path : paths_) {
      row[0] = static_cast<std::byte>(path.size());
      std::ranges::transform(path, row + 1, [](std::uint8_t port) { return std::byte{port}; });
      row += row_bytes_;
    }
  }

 private:
  static bool has_wide_switch(const topologies::Graph& graph) {
    return std::ranges::any_of(graph.switches(), [](const auto& at) { return at.link_at.size() > elite_ports; });
  }

  /// An Elan has one route for each process: among several alternatives, different pairs use different ones.
  Path path_to(int node) const {
    const topologies::Routing& routing = network_.routing;
    if (node == host_) return path_to_itself();
    const int alternatives = routing.alternatives(host_, node);
    if (alternatives == 0) return {};
    Route route;
    routing.route(host_, node, routing.random_alternative() ? (host_ + node) % alternatives : 0, route);
    require_room(node, route);
    Path path;
    End at = network_.graph.peer(End::host(host_));
    for (const Step& step : route.steps) {
      const int port = working_port(at, step);
      path.push_back(climbs(at, step) ? E3_PATH_ADAPTIVE : static_cast<std::uint8_t>(port));
      at = network_.graph.peer(End::switch_(at.index, port));
    }
    return path;
  }

  /// To the card's own switch and back.
  Path path_to_itself() const {
    const End seat = network_.graph.peer(End::host(host_));
    if (!seat.is_switch() || seat.port >= static_cast<int>(E3_WIDE_PORTS)) return {};
    return {static_cast<std::uint8_t>(seat.port)};
  }

  /// Whether the step permits all up ports of a switch of the tree, as the element ADAPTIVE does.
  bool climbs(End at, const Step& step) const {
    return tree_ && step.port == tree_->arity && step.ports == tree_->up_links(tree_->level_of(at.index));
  }

  /// The preferred port of the group that the step permits, or, if that has failed, the next working one.
  int working_port(End at, const Step& step) const {
    for (int i = 0; i < step.ports; ++i) {
      const int port = step.port + (step.preferred + i) % step.ports;
      if (network_.working_graph.peer(End::switch_(at.index, port))) return port;
    }
    return step.port + step.preferred;
  }

  void require_room(int node, const Route& route) const {
    const std::string pair = "the route from node " + std::to_string(host_) + " to node " + std::to_string(node);
    const std::size_t most = wide_ ? E3_WIDE_HOPS : most_hops_by_nibbles;
    if (route.steps.size() > most)
      throw UserError("routing",
                      pair + " passes " + std::to_string(route.steps.size()) +
                          " switches, and an Elan3's passes at most " + std::to_string(most) +
                          (wide_ ? " with more than 8 ports each" : ""),
                      "choose a routing with shorter paths, or a smaller network");
    if (route.has_choice())
      throw UserError("routing.paths", pair + " leaves a choice of paths to the first switch, and an Elan3's names one",
                      "choose routing.paths=minimal or valiant");
    for (const Step& step : route.steps) {
      if (step.in_transit || step.strip > 0 || step.prepend > 0)
        throw UserError(
            "routing.type",
            pair + " needs in-transit hosts or headers that switches change, which an Elan3 knows nothing of",
            "choose another routing, such as ud");
      if (step.port + step.ports > static_cast<int>(E3_WIDE_PORTS))
        throw UserError("topology",
                        pair + " leaves a switch by port " + std::to_string(step.port) +
                            ", and an Elan3's names ports up to " + std::to_string(E3_WIDE_PORTS - 1),
                        "use smaller switches");
    }
  }

  const NicNetwork& network_;
  int host_;
  const std::optional<KaryTree>& tree_;
  bool wide_;
  std::vector<Path> paths_;
  std::size_t row_bytes_ = 0;
};

std::optional<KaryTree> tree_of(const NicNetwork& network) {
  if (!topologies::is_fat_tree(network.graph)) return std::nullopt;
  return topologies::fat_tree_geometry(network.graph);
}

/// Adaptive ascents of a fat tree follow from its geometry.
bool needs_paths(const NicNetwork& network, const std::optional<KaryTree>& tree) {
  return !tree || !network.routing.climbs_adaptively();
}

/// Throws UserError if the map is too long for the card's memory.
void require_room(const NicNetwork& network, std::size_t path_bytes) {
  constexpr std::size_t room = E3_ROM_BYTES - sizeof(e3_position);
  if (static_cast<std::size_t>(network.graph.host_count()) * path_bytes > room)
    throw UserError("topology", "an Elan3's map of this network has no room for so many nodes",
                    "use at most " + std::to_string(room / path_bytes) + " nodes");
}

}  // namespace

void check_network_map(const NicNetwork& network) {
  const std::optional<KaryTree> tree = tree_of(network);
  if (!needs_paths(network, tree)) return;
  for (int host = 0; host < network.graph.host_count(); ++host)
    require_room(network, Paths(network, host, tree).row_bytes());
}

std::vector<std::byte> network_map(const NicNetwork& network, int host) {
  const std::optional<KaryTree> tree = tree_of(network);
  const auto nodes = static_cast<std::size_t>(network.graph.host_count());
  e3_position position{.magic = E3_POSITION_MAGIC,
                       .node = static_cast<std::uint32_t>(host),
                       .nodes = static_cast<std::uint32_t>(nodes),
                       .arity = tree ? static_cast<std::uint32_t>(tree->arity) : 0,
                       .levels = tree ? static_cast<std::uint32_t>(tree->levels) : 0,
                       .has_broadcast = 0,
                       .path_bytes = 0,
                       .wide_ports = 0,
                       .broadcast_up = {}};
  std::optional<Paths> paths;
  if (needs_paths(network, tree)) paths.emplace(network, host, tree);
  if (tree && (!paths || (paths->follow_tree() && !paths->wide())))
    if (const auto ascent = topologies::broadcast_ascent(network.working_graph, *tree)) {
      position.has_broadcast = 1;
      std::ranges::copy(*ascent, position.broadcast_up);
    }
  if (paths) {
    position.path_bytes = static_cast<std::uint32_t>(paths->row_bytes());
    position.wide_ports = paths->wide() ? 1 : 0;
  }
  require_room(network, position.path_bytes);
  std::vector<std::byte> map(sizeof position + nodes * position.path_bytes);
  std::memcpy(map.data(), &position, sizeof position);
  if (paths) paths->write(map.data() + sizeof position);
  return map;
}

}  // namespace sanvp::nic::elan3
