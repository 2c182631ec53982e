/// Slim Fly: switches at distance 2, as many as are known for their number of ports: the graphs of McKay, Miller and
/// Siran (Besta and Hoefler, Slim Fly: A Cost Effective Low-Diameter Network Topology, SC 2014, section II.B).
///
/// 2 q^2 switches (0, x, y) and (1, m, c), numbered in that order, with (3 q - d) / 2 cables to others, where q = 4 w +
/// d and d is -1, 0 or 1: (0, x, y) and (0, x, z) are joined if y - z is in X, (1, m, c) and (1, m, e) if c - e is in
/// X', and (0, x, y) and (1, m, c) if y = m x + c. Ports: the hosts, then the others in ascending order.
#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/finite_field.hpp"
#include "topologies/parts.hpp"
#include "topologies/switch_graph.hpp"

namespace sanvp::topologies {
namespace {

/// X, or with `odd` X', as a flag for each element.
std::vector<bool> generators(const FiniteField& field, bool odd) {
  const int q = field.order();
  std::vector<bool> in(q);
  const int w = (q + 1) / 4;  // of q = 4 w - 1
  int power = 1;
  for (int exponent = 0; exponent < q - 1; ++exponent, power = field.multiply(power, field.primitive())) {
    const bool is_odd = exponent % 2 != 0;
    if (q % 4 != 3)
      in[power] = is_odd == odd;
    else if (odd)
      in[power] = exponent < 2 * w ? is_odd : !is_odd;
    else
      in[power] = exponent < 2 * w - 1 ? !is_odd : is_odd;
  }
  if (q % 4 != 1 && odd) in[1] = true;  // the power q - 1, which is 1 again
  return in;
}

SwitchGraph slim_fly(const FiniteField& field) {
  const int q = field.order();
  const std::vector<bool> even = generators(field, false);
  const std::vector<bool> odd = generators(field, true);
  SwitchGraph graph(2 * q * q);
  const auto at = [q](int side, int row, int column) { return (side * q + row) * q + column; };
  for (int row = 0; row < q; ++row)
    for (int one = 0; one < q; ++one)
      for (int other = 0; other < q; ++other) {
        if (one < other && even[field.subtract(one, other)]) graph.join(at(0, row, one), at(0, row, other));
        if (one < other && odd[field.subtract(one, other)]) graph.join(at(1, row, one), at(1, row, other));
        // x = row, m = one, c = other
        graph.join(at(0, row, field.add(field.multiply(one, row), other)), at(1, one, other));
      }
  return graph;
}

const Registration<TopologyPart> registration{
    {"slim_fly", "switches of diameter 2 with the fewest ports known (MMS graphs)",
     [](const Parameters& parameters, std::uint64_t) {
       const char* source = "Besta and Hoefler, SC 2014, section II.B (q = 5: the Hoffman-Singleton graph)";
       const auto q = static_cast<int>(parameters.count("q", 5, "power of a prime: 2 q^2 switches", source, 3, 128));
       const std::string place = parameters.place("q");
       if (q % 4 == 2) throw UserError(place, "q is not 4 w - 1, 4 w or 4 w + 1", "give another power of a prime");
       const FiniteField field(q, place);
       const int d = q % 4 == 3 ? -1 : q % 4;
       const int cables = (3 * q - d) / 2;
       const auto hosts = static_cast<int>(
           parameters.count("hosts_per_switch", (cables + 1) / 2,
                            "hosts on each switch (p); half of its cables uses them fully", source, 1, 1024));
       return slim_fly(field).with_hosts("slim_fly", hosts, {q, hosts}, place);
     }}};

}  // namespace
}  // namespace sanvp::topologies
