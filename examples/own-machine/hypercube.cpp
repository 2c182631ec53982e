/// A hypercube: a switch and a host at each corner.
#include "platform/core/parameters.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {
namespace {

Graph build(const Parameters& parameters, std::uint64_t /*seed*/) {
  constexpr int most_dimensions = 12;
  const auto dimensions = static_cast<int>(
      parameters.count("dimensions", 3, "a switch has a cable along each", "mine", 1, most_dimensions));
  Graph graph;
  graph.family = "hypercube";
  graph.shape = {dimensions};
  for (int corner = 0; corner < 1 << dimensions; ++corner) {
    graph.add_host("host " + std::to_string(corner));
    graph.add_switch("switch " + std::to_string(corner), 1 + dimensions);
    graph.connect(End::host(corner), End::switch_(corner, 0), "host");
  }
  for (int corner = 0; corner < 1 << dimensions; ++corner)
    for (int d = 0; d < dimensions; ++d)
      if (const int other = corner ^ 1 << d; corner < other)
        graph.connect(End::switch_(corner, 1 + d), End::switch_(other, 1 + d), "cable");
  return graph;
}

const Registration<TopologyPart> registration{{"hypercube", "my hypercube: a switch and a host at each corner", build}};

}  // namespace
}  // namespace sanvp::topologies
