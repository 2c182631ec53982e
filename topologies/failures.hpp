/// Parts of a network that do not work.
#pragma once

#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Switches pass over ports that lead to these (Step: a group of adjacent ports).
struct Failures {
  std::vector<int> links{};
  std::vector<int> switches{};

  bool empty() const { return links.empty() && switches.empty(); }
};

/// Every failed link, those of failed switches included; a link may come twice.
/// Throws UserError where the graph has no such link or switch.
std::vector<int> failed_links(const Graph& graph, const Failures& failures);

/// The graph with failed links unplugged; hosts, switches and links keep their numbers.
Graph working_part(Graph graph, const Failures& failures);

}  // namespace sanvp::topologies
