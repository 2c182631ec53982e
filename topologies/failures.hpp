/// Links and switches of a network that have failed.
#pragma once

#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Switches skip ports that lead to failed parts when a Step permits a group of adjacent ports.
struct Failures {
  std::vector<int> links{};
  std::vector<int> switches{};

  bool empty() const { return links.empty() && switches.empty(); }
};

/// Every failed link, including those of failed switches; a link may be listed twice.
/// Throws UserError if the graph has no such link or switch.
std::vector<int> failed_links(const Graph& graph, const Failures& failures);

/// The graph with failed links unplugged; hosts, switches and links keep their numbers.
Graph working_part(Graph graph, const Failures& failures);

}  // namespace sanvp::topologies
