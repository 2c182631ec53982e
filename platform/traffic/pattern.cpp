#include "platform/traffic/pattern.hpp"

#include <set>

#include "platform/core/error.hpp"

namespace sanvp::traffic {

void require_nodes(const PatternContext& context, const std::string& pattern, int least) {
  if (context.nodes() < least)
    throw UserError(
        "pattern " + pattern,
        "it needs at least " + std::to_string(least) + " nodes, the machine has " + std::to_string(context.nodes()),
        "choose a larger machine");
}

std::vector<int> neighbours(const topologies::Graph& graph, int host) {
  using topologies::End;
  std::set<int> found;
  const auto hosts_of = [&](int unit) {
    for (int port = 0; port < static_cast<int>(graph.switches()[unit].link_at.size()); ++port)
      if (const End peer = graph.peer(End::switch_(unit, port)); peer.is_host()) found.insert(peer.index);
  };
  for (int port = 0; port < static_cast<int>(graph.hosts()[host].link_at.size()); ++port) {
    const End at = graph.peer(End::host(host, port));
    if (at.is_host()) found.insert(at.index);
    if (!at.is_switch()) continue;
    hosts_of(at.index);
    for (int out = 0; out < static_cast<int>(graph.switches()[at.index].link_at.size()); ++out)
      if (const End next = graph.peer(End::switch_(at.index, out)); next.is_switch()) hosts_of(next.index);
  }
  found.erase(host);
  return {found.begin(), found.end()};
}

}  // namespace sanvp::traffic
