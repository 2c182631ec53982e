#include "topologies/irregular.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "platform/core/parameters.hpp"
#include "platform/core/random.hpp"
#include "topologies/limits.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {
namespace {

constexpr const char* sizes_source = "Myrinet paper 4.1";
constexpr int most_switches = 4096;  // Wiring examines every pair of switches
constexpr int most_cables = most_switches * most_ports / 2;

/// A random simple graph whose vertices have a bounded degree. A random tree makes it connected; then random edges are
/// added; at last edges are exchanged to use ports that no single edge can fill. It ends with `most_edges`.
class Wiring {
 public:
  using Edge = std::pair<int, int>;

  Wiring(int vertices, int degree, std::size_t most_edges, Random& random)
      : vertices_(vertices),
        most_edges_(most_edges),
        free_(vertices, degree),
        adjacent_(vertices, std::vector<bool>(vertices)),
        random_(random) {
    grow_tree();
    add_random_edges();
    while (edges_.size() < most_edges_ && exchange_edge()) {
    }
  }

  const std::vector<Edge>& edges() const { return edges_; }

 private:
  int below(std::size_t bound) { return static_cast<int>(random_.below(bound)); }
  bool joinable(int u, int v) const { return u != v && !adjacent_[u][v]; }

  void join(int u, int v) {
    edges_.emplace_back(u, v);
    adjacent_[u][v] = adjacent_[v][u] = true;
    --free_[u];
    --free_[v];
  }

  void part(std::size_t edge) {
    const auto [u, v] = edges_[edge];
    edges_.erase(edges_.begin() + static_cast<std::ptrdiff_t>(edge));
    adjacent_[u][v] = adjacent_[v][u] = false;
    ++free_[u];
    ++free_[v];
  }

  void grow_tree() {
    std::vector<int> order(vertices_);
    for (int v = 0; v < vertices_; ++v) {
      order[v] = v;
      std::swap(order[v], order[below(v + 1)]);
    }
    std::vector<int> open{order[0]};  // vertices of the tree with a free port
    for (int i = 1; i < vertices_; ++i) {
      const int at = below(open.size());
      const int u = open[at];
      join(u, order[i]);
      if (free_[u] == 0) open.erase(open.begin() + at);
      if (free_[order[i]] > 0) open.push_back(order[i]);
    }
  }

  void add_random_edges() {
    std::vector<Edge> candidates;
    for (int u = 0; u < vertices_; ++u)
      for (int v = u + 1; v < vertices_; ++v)
        if (joinable(u, v)) candidates.emplace_back(u, v);
    for (std::size_t left = candidates.size(); left > 0 && edges_.size() < most_edges_; --left) {
      std::swap(candidates[below(left)], candidates[left - 1]);
      const auto [u, v] = candidates[left - 1];
      if (free_[u] > 0 && free_[v] > 0) join(u, v);
    }
  }

  /// Uses one more free port of u and of v, which are neighbours or the same vertex: replaces an edge x-y by u-x and
  /// v-y.
  /// The graph stays connected, because x and y remain joined through u and v.
  bool exchange_edge() {
    std::vector<int> open;
    for (int v = 0; v < vertices_; ++v) open.insert(open.end(), std::min(free_[v], 2), v);
    for (std::size_t i = 0; i < open.size(); ++i) {
      for (std::size_t j = i + 1; j < open.size(); ++j) {
        const int u = open[i];
        const int v = open[j];
        const int start = below(edges_.size());
        for (std::size_t k = 0; k < edges_.size(); ++k) {
          const std::size_t edge = (start + k) % edges_.size();
          const auto [x, y] = edges_[edge];
          if (!joinable(u, x) || !joinable(v, y)) continue;
          part(edge);
          join(u, x);
          join(v, y);
          return true;
        }
      }
    }
    return false;
  }

  int vertices_;
  std::size_t most_edges_;
  std::vector<int> free_;  ///< free ports, per vertex
  std::vector<std::vector<bool>> adjacent_;
  std::vector<Edge> edges_;
  Random& random_;
};

}  // namespace

Graph irregular(const IrregularSizes& sizes, std::uint64_t seed) {
  const auto [switches, hosts, ports, cables] = sizes;
  const std::string place = "topology irregular";
  if (switches < 1 || switches > most_switches)
    throw UserError(place, "a network of " + std::to_string(switches) + " switches",
                    "choose 1 to " + std::to_string(most_switches));
  if (ports < 1 || ports > most_ports || hosts < 0 || hosts > ports)
    throw UserError(place, std::to_string(hosts) + " hosts on a switch of " + std::to_string(ports) + " ports",
                    "choose 1 to " + std::to_string(most_ports) + " ports, and no more hosts than ports");
  const int degree = ports - hosts;
  if (switches > 1 && degree < (switches > 2 ? 2 : 1))
    throw UserError(
        place, std::to_string(degree) + " ports per switch cannot connect " + std::to_string(switches) + " switches",
        "use fewer hosts per switch or more ports");
  if (cables > 0 && cables < switches - 1)
    throw UserError(
        place, std::to_string(cables) + " cables cannot connect " + std::to_string(switches) + " switches",
        "set topology.cables to at least " + std::to_string(switches - 1) + ", or to 0 for as many as ports permit");

  Random random(seed, "topology.irregular");
  Graph graph;
  graph.family = "irregular";
  graph.shape = {switches, hosts, ports};
  for (int s = 0; s < switches; ++s) {
    graph.add_switch("switch " + std::to_string(s), ports, {s});
    for (int port = 0; port < hosts; ++port) {
      const int host = graph.add_host("host " + std::to_string(s * hosts + port), {s, port});
      graph.connect(End::host(host), End::switch_(s, port));
    }
  }
  const Wiring wiring(switches, degree, cables > 0 ? cables : std::numeric_limits<std::size_t>::max(), random);
  if (const auto joined = static_cast<int>(wiring.edges().size()); joined < cables)
    throw UserError(
        place, "ports permit " + std::to_string(joined) + " cables between switches, not " + std::to_string(cables),
        "set topology.cables to at most " + std::to_string(joined) + ", or to 0 for as many as ports permit");
  std::vector<int> next_port(switches, hosts);
  for (const auto& [u, v] : wiring.edges())
    graph.connect(End::switch_(u, next_port[u]++), End::switch_(v, next_port[v]++));
  return graph;
}

static const Registration<TopologyPart> registration{
    {"irregular", "random irregular network of switches (Myrinet); each seed gives a different one",
     [](const Parameters& parameters, std::uint64_t seed) {
       IrregularSizes sizes;
       sizes.switches = static_cast<int>(
           parameters.count("switches", sizes.switches, "number of switches", sizes_source, 1, most_switches));
       sizes.hosts_per_switch = static_cast<int>(parameters.count("hosts_per_switch", sizes.hosts_per_switch,
                                                                  "hosts on each switch", sizes_source, 0, most_ports));
       sizes.ports = static_cast<int>(
           parameters.count("ports", sizes.ports, "ports of each switch", sizes_source, 1, most_ports));
       sizes.cables = static_cast<int>(parameters.count("cables", sizes.cables,
                                                        "cables between switches (0: as many as ports permit)",
                                                        "assumed: the paper gives no number", 0, most_cables));
       return irregular(sizes, seed);
     }}};

}  // namespace sanvp::topologies
