#include "topologies/grid.hpp"

#include "platform/core/parameters.hpp"
#include "topologies/lattice.hpp"
#include "topologies/limits.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {

Graph grid(const std::vector<int>& sizes, int hosts_per_switch, int cables, const std::string& place) {
  return Lattice("grid", make_axes(sizes, Axis::Kind::chain, cables), hosts_per_switch, place).graph();
}

static const Registration<TopologyPart> registration{
    {"grid", "2D grid of switches with several hosts each and several cables per direction (or of any dimension)",
     [](const Parameters& parameters, std::uint64_t) {
       const std::string sizes = parameters.text("sizes", "2x2", "switches along each axis: rows x columns",
                                                 "Macrame paper 3.1: 64 nodes are 2x2 switches");
       const auto hosts =
           parameters.count("hosts_per_switch", 16, "hosts on each switch", "Macrame paper 3.1", 1, most_ports);
       const auto cables =
           parameters.count("cables", 4, "cables to each neighbour", "Macrame paper 3.1", 1, most_ports);
       const std::string place = parameters.place("sizes");
       return grid(parse_sizes(sizes, place), static_cast<int>(hosts), static_cast<int>(cables), place);
     }}};

}  // namespace sanvp::topologies
