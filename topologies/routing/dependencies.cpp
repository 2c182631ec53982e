#include "topologies/routing/dependencies.hpp"

#include <algorithm>
#include <bit>

namespace sanvp::topologies {
namespace {

// Each search visits the whole graph; one of the first few nearly always finds a cycle of the least length.
constexpr int most_searches = 256;

/// The channel in the opposite direction of the same cable.
int reverse_of(int channel) { return channel ^ 1; }

}  // namespace

Dependencies::Dependencies(const Graph& graph, int virtual_channels)
    : graph_(graph), virtual_channels_(virtual_channels), first_bit_{0}, waits_for_host_(graph.channel_count()) {
  for (int channel = 0; channel < graph.channel_count(); ++channel) {
    const End end = graph.channel_target(channel);
    const std::size_t ports = end.is_switch() ? graph.node(end).link_at.size() : 0;
    for (int vc = 0; vc < virtual_channels; ++vc) first_bit_.push_back(first_bit_.back() + ports * virtual_channels);
  }
  bits_.resize((first_bit_.back() + word_bits - 1) / word_bits);
}

std::int64_t Dependencies::count() const {
  std::int64_t count = 0;
  for (const std::uint64_t word : bits_) count += std::popcount(word);
  return count;
}

template <class Visit>
void Dependencies::for_each_next(int from, Visit visit) const {
  const int channel = from / virtual_channels_;
  if (waits_for_host_[channel])
    for (int vc = 0; vc < virtual_channels_; ++vc) visit(vertex({reverse_of(channel), vc}));
  const int at = graph_.channel_target(channel).index;
  for (std::size_t bit = first_bit_[from]; bit < first_bit_[from + 1]; ++bit) {
    if ((bits_[bit / word_bits] >> bit % word_bits & 1) == 0) continue;
    const int output = static_cast<int>(bit - first_bit_[from]);
    visit(vertex({graph_.channel_from(End::switch_(at, output / virtual_channels_)), output % virtual_channels_}));
  }
}

std::vector<Dependencies::Vertex> Dependencies::cycle() const {
  // Repeatedly remove vertices without a predecessor; the remaining ones are on a cycle or reachable from one.
  std::vector<int> incoming(vertex_count(), 0);
  for (int v = 0; v < vertex_count(); ++v) for_each_next(v, [&](int next) { ++incoming[next]; });
  std::vector<int> gone;
  for (int v = 0; v < vertex_count(); ++v)
    if (incoming[v] == 0) gone.push_back(v);
  std::vector<bool> alive(vertex_count(), true);
  for (std::size_t i = 0; i < gone.size(); ++i) {
    alive[gone[i]] = false;
    for_each_next(gone[i], [&](int next) {
      if (--incoming[next] == 0) gone.push_back(next);
    });
  }
  if (static_cast<int>(gone.size()) == vertex_count()) return {};

  // Each remaining vertex has a remaining predecessor, so a walk backwards ends in a cycle.
  std::vector<int> previous(vertex_count(), -1);
  int at = -1;
  for (int v = 0; v < vertex_count(); ++v) {
    if (!alive[v]) continue;
    for_each_next(v, [&](int next) { previous[next] = v; });
    at = v;
  }
  std::vector<bool> seen(vertex_count(), false);
  for (; !seen[at]; at = previous[at]) seen[at] = true;

  // Search for a shorter cycle through each vertex of that cycle.
  std::vector<int> shortest;
  const int start = at;
  int searches = 0;
  do {
    const std::vector<int> found = shortest_cycle_through(at, alive);
    if (shortest.empty() || found.size() < shortest.size()) shortest = found;
    at = previous[at];
  } while (at != start && ++searches < most_searches);
  std::vector<Vertex> named;
  for (const int v : shortest) named.push_back({v / virtual_channels_, v % virtual_channels_});
  return named;
}

std::vector<int> Dependencies::shortest_cycle_through(int start, const std::vector<bool>& alive) const {
  std::vector<int> found_from(vertex_count(), -1);
  std::vector<int> queue{start};
  for (std::size_t i = 0; i < queue.size() && found_from[start] < 0; ++i) {
    for_each_next(queue[i], [&](int next) {
      if (!alive[next] || found_from[next] >= 0) return;
      found_from[next] = queue[i];
      queue.push_back(next);
    });
  }
  std::vector<int> cycle{start};
  for (int v = found_from[start]; v != start; v = found_from[v]) cycle.push_back(v);
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

}  // namespace sanvp::topologies
