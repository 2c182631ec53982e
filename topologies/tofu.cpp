#include "topologies/tofu.hpp"

#include "platform/core/parameters.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {

Graph tofu(int x, int y, int z, int hosts_per_node, const std::string& place) {
  using Kind = Axis::Kind;
  return Lattice("tofu",
                 {{'x', x, Kind::ring},
                  {'y', y, Kind::ring},
                  {'z', z, Kind::ring},
                  {'a', 2, Kind::pair},
                  {'b', 3, Kind::ring},
                  {'c', 2, Kind::pair}},
                 hosts_per_node, place)
      .graph();
}

Graph tofu_flat(int groups, int hosts_per_node, Axis::Kind x_kind, Axis::Kind y_kind) {
  return Lattice("tofu_flat", {{'x', groups, x_kind}, {'y', tofu_group_nodes, y_kind}}, hosts_per_node,
                 "topology tofu_flat")
      .graph();
}

static const Registration<TopologyPart> registration{
    {"tofu", "TOFU: 6D torus of groups of 2 x 3 x 2 nodes, ten links a node",
     [](const Parameters& parameters, std::uint64_t) {
       const auto size = [&](const char* axis) {
         return static_cast<int>(parameters.count(axis, 4, "groups along this axis, a ring",
                                                  "assumed: 4x4x4 groups are 768 nodes; the K computer has 24x18x16", 1,
                                                  1024));
       };
       const auto hosts = parameters.count("hosts_per_node", 1, "hosts on each node", "TOFU paper 2", 1, 16);
       const int x = size("x"), y = size("y"), z = size("z");
       return tofu(x, y, z, static_cast<int>(hosts), parameters.place("x"));
     }}};

static const Registration<TopologyPart> registration_flat{
    {"tofu_flat", "TOFU flattened to 2D: x is the group, y the index in it",
     [](const Parameters& parameters, std::uint64_t) {
       const auto kind = [&](const char* axis, const char* meaning) {
         return parameters.choice(axis, "chain", {"chain", "ring"}, meaning,
                                  "assumed: the TOFU paper does not say, and a ring needs virtual channels") == "ring"
                    ? Axis::Kind::ring
                    : Axis::Kind::chain;
       };
       const auto groups = parameters.count("groups", 3, "groups of twelve nodes", "TOFU paper 4.3", 1, 1024);
       const auto hosts = parameters.count("hosts_per_node", 1, "hosts on each node", "TOFU paper 4.3", 1, 16);
       const auto x_kind = kind("x", "whether the last group is cabled to the first");
       const auto y_kind = kind("y", "whether the last node of a group is cabled to the first");
       return tofu_flat(static_cast<int>(groups), static_cast<int>(hosts), x_kind, y_kind);
     }}};

}  // namespace sanvp::topologies
