#include "platform/traffic/pattern.hpp"

#include <set>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::traffic {

void PatternContext::note_idle(std::initializer_list<const char*> names, const std::string& why) const {
  for (const char* name : names)
    if (notes != nullptr && parameters.is_given(name)) {
      const std::string place = parameters.place(name);
      notes->push_back((place.starts_with("-") ? place : parameters.where(name)) + " " + why);
    }
}

void require_sender(const Pattern& pattern, int nodes, const std::string& place) {
  for (int node = 0; node < nodes; ++node)
    if (pattern.sends(node)) return;
  throw UserError(place, "no node sends: each is silent, or its own partner",
                  "change the pattern's options, or choose another pattern or a larger machine");
}

void require_nodes(const PatternContext& context, const std::string& pattern, int least) {
  if (context.nodes() >= least) return;
  const std::string needed = " needs at least " + std::to_string(least) + " nodes, ";
  const std::string nodes = std::to_string(context.nodes());
  if (context.line.empty())
    throw UserError("pattern " + pattern, "it" + needed + "the machine has " + nodes, "choose a larger machine");
  throw UserError(context.line, "pattern " + pattern + needed + "HOSTS names " + nodes, "name more hosts");
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
