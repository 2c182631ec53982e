/// A network of several planes: each host has a port in each, and packets choose one at their NIC (nic.port_choice).
/// Each plane is a topology of its own, whose sizes are in the same section (Yan et al., Eunomia; Hoefler et al.,
/// HammingMesh, SC 2022, section II, describes them: planes of fat trees, of which a NIC has a port to each).
#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/host_ports.hpp"
#include "topologies/limits.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {
namespace {

constexpr const char* name = "multi_plane";
constexpr int most_planes = 16;

const Registration<TopologyPart> registration{
    {name, "several planes of any topology, in each of which each host has a port",
     [](const Parameters& parameters, std::uint64_t seed) {
       const auto planes = static_cast<int>(
           parameters.count("planes", 4, "networks of their own, and ports of a host", "your machine", 2, most_planes));
       std::vector<std::string> kinds = Registry<TopologyPart>::names();
       std::erase(kinds, name);
       const std::string kind =
           parameters.choice("plane", "fat_tree", kinds,
                             "topology of each plane, which reads its sizes from this section, too", "your machine");
       Graph plane = Registry<TopologyPart>::get(kind, parameters.where("plane")).build(parameters, seed);
       if (plane.host_ports > 1)
         throw UserError(parameters.where("plane"), "its hosts have several ports themselves",
                         "choose a topology whose hosts have one");
       return with_planes(std::move(plane), planes);
     }}};

}  // namespace
}  // namespace sanvp::topologies
