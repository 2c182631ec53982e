#include "topologies/processor_grid.hpp"

#include "platform/core/parameters.hpp"
#include "topologies/lattice.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {

Graph processor_grid(int rows, int columns) {
  return Lattice("processor_grid", make_axes({rows, columns}, Axis::Kind::chain, 1), 1, "topology processor_grid")
      .graph();
}

static const Registration<TopologyPart> registration{
    {"processor_grid", "2D grid of processors with four links each (Parsytec GCel)",
     [](const Parameters& parameters, std::uint64_t) {
       constexpr int largest =
           1024;  // of the largest GCel, the GC-3 (FACTS 5): as rows or columns they allow any grid of them
       const auto rows = parameters.count("rows", 8, "processors from north to south", "FACTS 5: 64 nodes", 1, largest);
       const auto columns = parameters.count("columns", 8, "processors from west to east", "FACTS 5", 1, largest);
       return processor_grid(static_cast<int>(rows), static_cast<int>(columns));
     }}};

}  // namespace sanvp::topologies
