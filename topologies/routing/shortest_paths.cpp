#include "topologies/routing/shortest_paths.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

namespace sanvp::topologies {
namespace {

constexpr std::int64_t forbidden_cost = std::numeric_limits<std::int64_t>::max() / 2;
// Length takes precedence over violations: a link costs more than any possible number of violations in a path.
constexpr std::int64_t link_cost = std::int64_t{1} << 32;
// Counts saturate here, so that sums cannot overflow; sampling among so many paths stays uniform enough.
constexpr std::uint64_t most_counted = std::uint64_t{1} << 48;

}  // namespace

ShortestPaths::ShortestPaths(const Graph& graph, const Orientation& orientation, Violation violation, int destination)
    : graph_(graph),
      orientation_(orientation),
      violation_(violation),
      destination_(destination),
      has_host_(graph.switch_count(), false),
      costs_(2 * graph.switch_count(), forbidden_cost),
      counts_(2 * graph.switch_count(), 0),
      best_hops_(2 * graph.switch_count()) {
  for (int host = 0; host < graph.host_count(); ++host)
    if (const End end = graph.peer(End::host(host)); end.is_switch()) has_host_[end.index] = true;

  // Dijkstra's algorithm backwards from the destination. Every hop has a positive cost, so when a state is settled, the
  // next states of its shortest paths have already been settled and counted.
  using Candidate = std::pair<std::int64_t, int>;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  for (const bool down : {false, true}) {
    costs_[state(destination, down)] = 0;
    queue.emplace(0, state(destination, down));
  }
  while (!queue.empty()) {
    const auto [settled_cost, settled] = queue.top();
    queue.pop();
    if (settled_cost > costs_[settled]) continue;
    const int at = settled / 2;
    if (at == destination) {
      counts_[settled] = 1;
    } else {
      best_hops_[settled] = find_best_hops(settled);
      for (const Hop& hop : best_hops_[settled])
        counts_[settled] = std::min(counts_[settled] + counts_[hop.next], most_counted);
    }
    const int ports = static_cast<int>(graph.switches()[at].link_at.size());
    for (int port = 0; port < ports; ++port) {
      const End from = graph.peer(End::switch_(at, port));
      if (!from.is_switch()) continue;
      const int channel = graph.channel_from(from);
      if (settled != state(at, !orientation.up(channel)))
        continue;  // this channel arrives in the other state of the switch
      for (const bool down : {false, true}) {
        const int previous = state(from.index, down);
        const std::int64_t found = settled_cost + cost(previous, channel);
        if (found >= costs_[previous]) continue;
        costs_[previous] = found;
        queue.emplace(found, previous);
      }
    }
  }
}

std::int64_t ShortestPaths::cost(int state, int channel) const {
  const bool down = state % 2 == 1;
  if (!down || !orientation_.up(channel)) return link_cost;
  if (violation_ == Violation::forbidden || !has_host_[state / 2]) return forbidden_cost;
  return link_cost + (violation_ == Violation::least ? 1 : 0);
}

std::vector<ShortestPaths::Hop> ShortestPaths::find_best_hops(int at) const {
  std::vector<Hop> hops;
  const int ports = static_cast<int>(graph_.switches()[at / 2].link_at.size());
  for (int port = 0; port < ports; ++port) {
    const int channel = graph_.channel_from(End::switch_(at / 2, port));
    if (channel < 0 || !graph_.channel_target(channel).is_switch()) continue;
    const int next = state(graph_.channel_target(channel).index, !orientation_.up(channel));
    if (cost(at, channel) + costs_[next] == costs_[at]) hops.push_back({channel, next});
  }
  return hops;
}

std::vector<SwitchPath> ShortestPaths::from(int source, std::size_t most, Random& random) const {
  std::vector<SwitchPath> paths;
  const int start = state(source, false);
  if (costs_[start] >= forbidden_cost) return paths;
  if (counts_[start] <= most) {
    SwitchPath path;
    enumerate(start, path, paths);
    return paths;
  }
  while (paths.size() < most) paths.push_back(sample(start, random));
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

void ShortestPaths::enumerate(int at, SwitchPath& path, std::vector<SwitchPath>& paths) const {
  if (at / 2 == destination_) {
    paths.push_back(path);
    return;
  }
  for (const Hop& hop : best_hops_[at]) {
    path.push_back(hop.channel);
    enumerate(hop.next, path, paths);
    path.pop_back();
  }
}

SwitchPath ShortestPaths::sample(int at, Random& random) const {
  SwitchPath path;
  while (at / 2 != destination_) {
    const std::vector<Hop>& hops = best_hops_[at];
    std::uint64_t total = 0;
    for (const Hop& hop : hops) total += counts_[hop.next];
    std::uint64_t drawn = random.below(total);
    auto hop = hops.begin();
    for (; drawn >= counts_[hop->next]; ++hop) drawn -= counts_[hop->next];
    path.push_back(hop->channel);
    at = hop->next;
  }
  return path;
}

}  // namespace sanvp::topologies
