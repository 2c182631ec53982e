/// Jellyfish: a random graph in which each switch has the same number of cables to others (Singla, Hong, Popa, Godfrey,
/// Jellyfish: Networking Data Centers Randomly, NSDI 2012, section 3); one for each seed.
#include "platform/core/parameters.hpp"
#include "platform/core/random.hpp"
#include "topologies/connected.hpp"
#include "topologies/parts.hpp"
#include "topologies/switch_graph.hpp"

namespace sanvp::topologies {
namespace {

/// The paper's construction: two switches with free ports that are not joined yet are joined, drawn at random; if none
/// are left and free ports are, a cable drawn at random is cut and both its ends are joined to such ports.
SwitchGraph jellyfish(int switches, int cables, Random& random) {
  SwitchGraph graph(switches);
  std::vector<std::pair<int, int>> joined;
  const auto is_free = [&](int at) { return graph.degree(at) < cables; };
  const auto join = [&](int one, int other) {
    graph.join(one, other);
    joined.emplace_back(one, other);
  };
  for (;;) {
    std::vector<std::pair<int, int>> pairs;
    for (int one = 0; one < switches; ++one)
      for (int other = one + 1; is_free(one) && other < switches; ++other)
        if (is_free(other) && !graph.are_joined(one, other)) pairs.emplace_back(one, other);
    if (pairs.empty()) break;
    // Several draws from one list, as long as they stay permitted: a list for each would take cubic time.
    for (std::size_t draws = (pairs.size() + 1) / 2; draws > 0; --draws) {
      const auto [one, other] = pairs[random.below(pairs.size())];
      if (is_free(one) && is_free(other) && !graph.are_joined(one, other)) join(one, other);
    }
  }
  // The ends of the cut cable go to the same switch, if it has two free ports, or to two that are joined already.
  constexpr int most_draws = 1 << 20;
  for (int draws = 0; draws < most_draws; ++draws) {
    int near = 0;
    while (near < switches && !is_free(near)) ++near;
    int far = near + 1;
    while (far < switches && !is_free(far)) ++far;
    if (near < switches && graph.degree(near) + 2 <= cables) far = near;
    if (far >= switches) break;  // none is left, or one port of an odd number
    const std::size_t drawn = random.below(joined.size());
    const auto [one, other] = joined[drawn];
    const auto may_join = [&](int at, int end) { return at != end && !graph.are_joined(at, end); };
    if (!may_join(near, one) || !may_join(far, other)) continue;
    graph.part(one, other);
    joined[drawn] = joined.back();
    joined.pop_back();
    join(near, one);
    join(far, other);
  }
  return graph;
}

const Registration<TopologyPart> registration{
    {"jellyfish", "a random network in which each switch has the same number of cables to others, one for each seed",
     [](const Parameters& parameters, std::uint64_t seed) {
       const char* source = "Singla et al., NSDI 2012, section 3";
       const auto switches = static_cast<int>(parameters.count("switches", 50, "switches", source, 4, 8192));
       const auto cables =
           static_cast<int>(parameters.count("cables", 7, "cables of a switch to others (r)", source, 2, switches - 2));
       const auto hosts =
           static_cast<int>(parameters.count("hosts_per_switch", 4, "hosts on each switch", source, 1, 1024));
       Random random(seed, "jellyfish");
       const std::string place = parameters.place("cables");
       const auto draw = [&] {
         return jellyfish(switches, cables, random).with_hosts("jellyfish", hosts, {switches, cables, hosts}, place);
       };
       return first_that_joins_all_hosts(draw, place);
     }}};

}  // namespace
}  // namespace sanvp::topologies
