#include <algorithm>

#include "platform/traffic/patterns/fixed_partner.hpp"

namespace sanvp::traffic {
namespace {

using topologies::End;

/// Hosts of each switch, in order.
std::vector<std::vector<int>> hosts_by_switch(const topologies::Graph& graph) {
  std::vector<std::vector<int>> hosts(graph.switch_count());
  for (int host = 0; host < graph.host_count(); ++host)
    if (const End at = graph.peer(End::host(host)); at.is_switch()) hosts[at.index].push_back(host);
  return hosts;
}

/// For each cable between switches, pairs the next host of one with the next host of the other. The remaining hosts
/// pair with others on their own switch.
std::vector<int> partners(const topologies::Graph& graph) {
  std::vector<int> partner(graph.host_count(), -1);
  auto free = hosts_by_switch(graph);
  const auto pair = [&](std::vector<int>& a, std::vector<int>& b) {
    const int first = a.front();
    a.erase(a.begin());
    const int second = b.front();
    b.erase(b.begin());
    partner[first] = second;
    partner[second] = first;
  };
  for (const auto& link : graph.links())
    if (link.a.is_switch() && link.b.is_switch() && !free[link.a.index].empty() && !free[link.b.index].empty())
      pair(free[link.a.index], free[link.b.index]);
  for (auto& left : free)
    while (left.size() > 1) pair(left, left);
  return partner;
}

const Registration<PatternPart> registration{
    {"neighbouring-switches",
     "nodes of neighbouring switches send to each other, one pair per cable (Macramé paper, 4.3)",
     [](const PatternContext& context) -> std::unique_ptr<Pattern> {
       require_nodes(context, "neighbouring-switches", 2);
       return std::make_unique<FixedPartner>(partners(context.graph));
     }}};

}  // namespace
}  // namespace sanvp::traffic
