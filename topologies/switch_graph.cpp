#include "topologies/switch_graph.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "topologies/limits.hpp"

namespace sanvp::topologies {

void SwitchGraph::join(int one, int other, std::string link_class) {
  for (const auto& [from, to] : {std::pair(one, other), std::pair(other, one)}) {
    const auto place = std::ranges::lower_bound(joined_[from], to, {}, &Other::switch_);
    joined_[from].insert(place, {to, link_class});
  }
}

bool SwitchGraph::are_joined(int one, int other) const {
  return std::ranges::binary_search(joined_[one], other, {}, &Other::switch_);
}

void SwitchGraph::part(int one, int other) {
  std::erase_if(joined_[one], [&](const Other& end) { return end.switch_ == other; });
  std::erase_if(joined_[other], [&](const Other& end) { return end.switch_ == one; });
}

Graph SwitchGraph::with_hosts(const std::string& family, int hosts_per_switch, std::vector<int> shape,
                              const std::string& place, int with_hosts) const {
  if (with_hosts < 0) with_hosts = switches();
  if (std::int64_t{with_hosts} * hosts_per_switch > most_hosts)
    throw UserError(place, "the network has more than " + std::to_string(most_hosts) + " hosts",
                    "choose smaller sizes");
  Graph graph;
  graph.family = family;
  graph.shape = std::move(shape);
  const auto hosts_of = [&](int at) { return at < with_hosts ? hosts_per_switch : 0; };
  for (int at = 0; at < switches(); ++at) {
    graph.add_switch("switch " + std::to_string(at), hosts_of(at) + degree(at), {at});
    for (int h = 0; h < hosts_of(at); ++h) {
      const int host = graph.add_host("host " + std::to_string(graph.host_count()), {at, h});
      graph.connect(End::host(host), End::switch_(at, h), "host");
    }
  }
  const auto port = [&](int from, int to) {
    const auto found = std::ranges::lower_bound(joined_[from], to, {}, &Other::switch_);
    return hosts_of(from) + static_cast<int>(found - joined_[from].begin());
  };
  for (int at = 0; at < switches(); ++at)
    for (const Other& other : joined_[at])
      if (at < other.switch_)
        graph.connect(End::switch_(at, port(at, other.switch_)), End::switch_(other.switch_, port(other.switch_, at)),
                      other.link_class);
  return graph;
}

}  // namespace sanvp::topologies
