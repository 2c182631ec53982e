#include "topologies/routing/routing.hpp"

#include <algorithm>

namespace sanvp::topologies {

int Route::in_transit_hosts() const {
  return static_cast<int>(std::count_if(steps.begin(), steps.end(), [](const Step& step) { return step.in_transit; }));
}

namespace {

End end_of(const Graph& graph, End at, std::span<const Step> path) {
  for (const Step& step : path) {
    if (!at.is_switch()) return {};
    End next;
    for (int port = step.port; port < step.port + step.ports && !next; ++port)
      next = graph.peer(End::switch_(at.index, port));
    at = next;
  }
  return at;
}

}  // namespace

End end_of(const Graph& graph, int source, const Route& route) {
  const End seat = graph.peer(End::host(source, route.source_port));
  const End end = end_of(graph, seat, route.first_path());
  return route.has_choice() && end_of(graph, seat, route.second_path()) != end ? End{} : end;
}

}  // namespace sanvp::topologies
