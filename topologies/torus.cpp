#include "topologies/torus.hpp"

#include "platform/core/parameters.hpp"
#include "topologies/lattice.hpp"
#include "topologies/limits.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {

Graph torus(const std::vector<int>& sizes, int hosts_per_switch, int cables, const std::string& place) {
  return Lattice("torus", make_axes(sizes, Axis::Kind::ring, cables), hosts_per_switch, place).graph();
}

static const Registration<TopologyPart> registration{
    {"torus", "2D torus of switches with several hosts each and several cables per direction (or of any dimension)",
     [](const Parameters& parameters, std::uint64_t) {
       const std::string sizes = parameters.text("sizes", "4x4", "switches along each axis: rows x columns",
                                                 "Macrame paper 2 names the torus, not its size");
       const auto hosts =
           parameters.count("hosts_per_switch", 16, "hosts on each switch", "Macrame paper 3.1", 1, most_ports);
       const auto cables =
           parameters.count("cables", 4, "cables to each neighbour", "Macrame paper 3.1", 1, most_ports);
       const std::string place = parameters.place("sizes");
       return torus(parse_sizes(sizes, place), static_cast<int>(hosts), static_cast<int>(cables), place);
     }}};

}  // namespace sanvp::topologies
