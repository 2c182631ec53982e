#include "topologies/failures.hpp"

#include <string>

#include "platform/core/error.hpp"

namespace sanvp::topologies {
namespace {

void require_part(int number, int count, const std::string& what, const std::string& plural) {
  if (number < 0 || number >= count)
    throw UserError("failed " + plural, "there is no " + what + " " + std::to_string(number),
                    plural + " go from 0 to " + std::to_string(count - 1));
}

}  // namespace

std::vector<int> failed_links(const Graph& graph, const Failures& failures) {
  for (const int link : failures.links) require_part(link, graph.link_count(), "link", "links");
  std::vector<int> failed = failures.links;
  for (const int switch_ : failures.switches) {
    require_part(switch_, graph.switch_count(), "switch", "switches");
    for (const int link : graph.switches()[switch_].link_at)
      if (link >= 0) failed.push_back(link);
  }
  return failed;
}

Graph working_part(Graph graph, const Failures& failures) {
  for (const int link : failed_links(graph, failures)) graph.unplug(link);
  return graph;
}

}  // namespace sanvp::topologies
