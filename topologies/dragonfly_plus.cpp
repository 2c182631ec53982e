/// Dragonfly+, or Megafly: groups that are two levels of a fat tree, joined all to all by the cables of their upper
/// switches (Shpiner et al., Dragonfly+: Low Cost Topology for Scaling Datacenters, HiPINEB 2017; Flajslik et al.,
/// Megafly, ISC 2018).
///
/// Leaves of all groups are numbered first, then spines. Global cable q of a group (spine q / h) leads to the group
/// q mod (g - 1) + 1 further on, as in `dragonfly`.
#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/parts.hpp"
#include "topologies/switch_graph.hpp"

namespace sanvp::topologies {
namespace {

const Registration<TopologyPart> registration{
    {"dragonfly_plus", "groups of leaves and spines, and every two groups joined by cables of their spines (Megafly)",
     [](const Parameters& parameters, std::uint64_t) {
       const char* source = "Shpiner et al., HiPINEB 2017, section III";
       const auto count = [&](const char* name, int fallback, const char* what) {
         return static_cast<int>(parameters.count(name, fallback, what, source, 1, 1024));
       };
       const int hosts = count("hosts_per_switch", 2, "hosts on each leaf (p)");
       const int leaves = count("leaves", 2, "leaves of a group");
       const int spines = count("spines", 2, "spines of a group; each is joined to each leaf");
       const int cables = count("global_cables", 2, "cables of each spine to other groups (h)");
       const int global_ports = spines * cables;
       const auto groups = static_cast<int>(
           parameters.count("groups", global_ports + 1, "groups (g), at most one more than a group has global cables",
                            source, 2, 1 << 20));
       if (groups - 1 > global_ports)
         throw UserError(parameters.place("groups"),
                         std::to_string(global_ports) + " global cables of a group do not reach " +
                             std::to_string(groups - 1) + " other groups",
                         "give at most " + std::to_string(global_ports + 1) + " groups");
       SwitchGraph graph(groups * (leaves + spines));
       const auto spine = [&](int group, int number) { return groups * leaves + group * spines + number; };
       for (int group = 0; group < groups; ++group)
         for (int leaf = 0; leaf < leaves; ++leaf)
           for (int number = 0; number < spines; ++number) graph.join(group * leaves + leaf, spine(group, number));
       for (int from = 0; from < groups; ++from)
         for (int to = from + 1; to < groups; ++to) {
           const int there = to - from - 1;
           const int back = groups - 1 - (to - from);
           graph.join(spine(from, there / cables), spine(to, back / cables), "global");
         }
       return graph.with_hosts("dragonfly_plus", hosts, {hosts, leaves, spines, cables, groups},
                               parameters.place("groups"), groups * leaves);
     }}};

}  // namespace
}  // namespace sanvp::topologies
