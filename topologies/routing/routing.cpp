#include "topologies/routing/routing.hpp"

#include <algorithm>

namespace sanvp::topologies {

int Route::in_transit_hosts() const {
  return static_cast<int>(std::count_if(steps.begin(), steps.end(), [](const Step& step) { return step.in_transit; }));
}

End end_of(const Graph& graph, int source, const Route& route) {
  End at = graph.peer(End::host(source, route.source_port));
  for (const Step& step : route.steps) {
    if (!at.is_switch()) return {};
    End next;
    for (int port = step.port; port < step.port + step.ports && !next; ++port)
      next = graph.peer(End::switch_(at.index, port));
    at = next;
  }
  return at;
}

}  // namespace sanvp::topologies
