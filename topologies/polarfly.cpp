/// PolarFly: switches of diameter 2 whose number comes nearest to the Moore bound: the polarity graphs of Erdos, Renyi
/// and Brown (Lakhotia et al., PolarFly: A Cost-Effective and Flexible Low-Diameter Topology, SC 2022, section III).
///
/// The switches are the q^2 + q + 1 points of the projective plane over a field of q elements, each as its vector whose
/// first coordinate other than 0 is 1, in ascending order; two are joined if their product is 0. A switch has q + 1
/// cables, or q if its product with itself is 0.
#include <array>

#include "platform/core/parameters.hpp"
#include "topologies/finite_field.hpp"
#include "topologies/parts.hpp"
#include "topologies/switch_graph.hpp"

namespace sanvp::topologies {
namespace {

using Point = std::array<int, 3>;

std::vector<Point> points(int q) {
  std::vector<Point> all{{0, 0, 1}};
  for (int z = 0; z < q; ++z) all.push_back({0, 1, z});
  for (int y = 0; y < q; ++y)
    for (int z = 0; z < q; ++z) all.push_back({1, y, z});
  return all;
}

bool are_orthogonal(const FiniteField& field, const Point& a, const Point& b) {
  int sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum = field.add(sum, field.multiply(a[i], b[i]));
  return sum == 0;
}

const Registration<TopologyPart> registration{
    {"polarfly", "switches of diameter 2, nearly as many as can be (polarity graphs)",
     [](const Parameters& parameters, std::uint64_t) {
       const char* source = "Lakhotia et al., SC 2022, section III";
       const auto q =
           static_cast<int>(parameters.count("q", 7, "power of a prime: q^2 + q + 1 switches", source, 2, 128));
       const std::string place = parameters.place("q");
       const FiniteField field(q, place);
       const auto hosts = static_cast<int>(parameters.count("hosts_per_switch", (q + 1) / 2,
                                                            "hosts on each switch; half of its cables uses them fully",
                                                            source, 1, 1024));
       const std::vector<Point> all = points(q);
       SwitchGraph graph(static_cast<int>(all.size()));
       for (int one = 0; one < graph.switches(); ++one)
         for (int other = one + 1; other < graph.switches(); ++other)
           if (are_orthogonal(field, all[one], all[other])) graph.join(one, other);
       return graph.with_hosts("polarfly", hosts, {q, hosts}, place);
     }}};

}  // namespace
}  // namespace sanvp::topologies
