/// A rail-optimised fat tree: each node has a card on each rail, cards with the same number on neighbouring nodes share
/// a leaf, and spines join all leaves, so that nodes of a pod reach each other's card by one switch (Wang et al.,
/// Rail-only: A Low-Cost High-Performance Network for Training LLMs with Trillion Parameters, HOTI 2024, section 2,
/// describes it).
///
/// Hosts are cards: number node * rails + rail; or nodes, with a port for each card, of which packets choose one at
/// their NIC and so go from a rail to the same rail. Leaf pod * rails + rail, then the spines. Ports of a leaf: its
/// hosts in the order of their nodes, then the spines; of a spine: the leaves.
#include "platform/core/parameters.hpp"
#include "topologies/host_ports.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {
namespace {

const Registration<TopologyPart> registration{
    {"rail_tree", "a card of each node on each rail; leaves for each rail of a pod, joined by spines (rail-optimised)",
     [](const Parameters& parameters, std::uint64_t) {
       const char* source = "Wang et al., HOTI 2024, section 2";
       const auto count = [&](const char* name, int fallback, const char* what) {
         return static_cast<int>(parameters.count(name, fallback, what, source, 1, 1024));
       };
       const int rails = count("rails", 4, "cards of a node, each on a rail");
       const int nodes = count("nodes_per_pod", 4, "nodes that share the leaves of a pod");
       const int pods = count("pods", 4, "pods");
       const int spines = count("spines", nodes, "spines; as many as a leaf has hosts: full bisection");
       const bool of_nodes =
           parameters.choice("hosts", "cards", {"cards", "nodes"},
                             "cards: each card sends and receives by itself; nodes: a host has a port "
                             "for each of its cards (nic.port_choice)",
                             "your machine") == "nodes";
       Graph graph;
       graph.family = "rail_tree";
       graph.shape = {rails, nodes, pods, spines};
       for (int host = 0; host < pods * nodes * rails; ++host)
         graph.add_host("node " + std::to_string(host / rails) + " rail " + std::to_string(host % rails),
                        {host / rails, host % rails});
       for (int leaf = 0; leaf < pods * rails; ++leaf)
         graph.add_switch("pod " + std::to_string(leaf / rails) + " rail " + std::to_string(leaf % rails),
                          nodes + spines, {0, leaf / rails, leaf % rails});
       for (int spine = 0; spine < spines; ++spine)
         graph.add_switch("spine " + std::to_string(spine), pods * rails, {1, spine});
       for (int node = 0; node < pods * nodes; ++node)
         for (int rail = 0; rail < rails; ++rail)
           graph.connect(End::host(node * rails + rail), End::switch_(node / nodes * rails + rail, node % nodes),
                         "host");
       for (int leaf = 0; leaf < pods * rails; ++leaf)
         for (int spine = 0; spine < spines; ++spine)
           graph.connect(End::switch_(leaf, nodes + spine), End::switch_(pods * rails + spine, leaf), "cable");
       return of_nodes && rails > 1 ? with_ports(std::move(graph), rails) : graph;
     }}};

}  // namespace
}  // namespace sanvp::topologies
