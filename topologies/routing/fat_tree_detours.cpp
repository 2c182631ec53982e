#include "topologies/routing/fat_tree_detours.hpp"

#include <algorithm>

namespace sanvp::topologies {
namespace {

constexpr FatTreeDetours::Lead nowhere{.ways = 0, .any = 0};
constexpr FatTreeDetours::Lead downwards{.ways = 1, .any = 1};
constexpr int most_ways = (1 << 15) - 1;  // largest value of Lead::ways; a tree with more exceeds the memory anyway

}  // namespace

FatTreeDetours::FatTreeDetours(const Graph& graph, const KaryTree& tree) : graph_(graph), tree_(tree) {
  const int leaves = tree.columns(0);
  leads_.resize(static_cast<std::size_t>(leaves) * static_cast<std::size_t>(tree.switches()), nowhere);
  for (int leaf = 0; leaf < leaves; ++leaf) {
    const int host = leaf * tree.arity;
    const auto leads_down = [&](int switch_) {
      const int level = tree.level_of(switch_);
      const int first = tree.first_host_below(switch_);
      return level == tree.levels - 1 || (first <= host && host < first + tree.hosts_below(level));
    };
    // Switches are numbered by level, so the descents from a switch are known before the ascents to it.
    for (int switch_ = 0; switch_ < tree.switches(); ++switch_)
      if (leads_down(switch_)) leads_[index(switch_, leaf)] = lead_down(switch_, leaf);
    for (int switch_ = tree.switches() - 1; switch_ >= 0; --switch_)
      if (!leads_down(switch_)) leads_[index(switch_, leaf)] = lead_up(switch_, leaf);
  }
}

FatTreeDetours::Lead FatTreeDetours::lead_down(int switch_, int leaf) const {
  const int level = tree_.level_of(switch_);
  if (level == 0) return downwards;
  const int port = leaf * tree_.arity / tree_.hosts_below(level - 1) % tree_.arity;
  const End below = graph_.peer(End::switch_(switch_, port));
  return below.is_switch() ? leads_[index(below.index, leaf)] : nowhere;
}

FatTreeDetours::Lead FatTreeDetours::lead_up(int switch_, int leaf) const {
  int ways = 0;
  bool all = true;
  const int ups = tree_.up_links(tree_.level_of(switch_));
  for (int up = 0; up < ups; ++up) {
    const int next = above(switch_, up);
    if (next < 0) continue;  // an adaptive switch skips it
    const Lead lead = leads_[index(next, leaf)];
    ways = std::min(ways + lead.ways, most_ways);
    all = all && lead.any != 0;
  }
  Lead lead = nowhere;
  lead.ways = static_cast<std::uint16_t>(ways) & most_ways;
  lead.any = ways > 0 && all ? 1 : 0;
  return lead;
}

bool FatTreeDetours::serves(int source, int destination) const {
  const End leaf = graph_.peer(End::host(source));
  return leaf.is_switch() && graph_.peer(End::host(destination)) && lead(leaf.index, destination).ways > 0;
}

bool FatTreeDetours::spread_leads(int leaf, int destination) const {
  int at = leaf;
  const int top = tree_.nca_level(leaf * tree_.arity, destination);
  for (int level = 0; level < top; ++level) {
    at = above(at, tree_.spread(destination, level));
    if (at < 0) return false;
  }
  return lead(at, destination).ways > 0;
}

int FatTreeDetours::ascent_of(int source, int destination) const {
  // Multiples of an irrational number, modulo 1, are spread evenly, and so are sums and differences of these two.
  constexpr std::uint32_t per_source = 0xbb67ae85;       // of 2^32: the square root of 3, less 1
  constexpr std::uint32_t per_destination = 0x9e3779b9;  // the golden ratio, less 1
  const std::uint32_t share =
      static_cast<std::uint32_t>(source) * per_source + static_cast<std::uint32_t>(destination) * per_destination;
  const std::uint64_t ways = lead(source / tree_.arity, destination).ways;
  return static_cast<int>(share * ways >> 32);
}

int FatTreeDetours::up_port(int switch_, int destination, int& ascent) const {
  const int ups = tree_.up_links(tree_.level_of(switch_));
  for (int up = 0; up < ups; ++up) {
    const int next = above(switch_, up);
    if (next < 0) continue;
    const int ways = lead(next, destination).ways;
    if (ascent < ways) return up;
    ascent -= ways;
  }
  return -1;
}

int FatTreeDetours::above(int switch_, int up) const {
  const End end = graph_.peer(End::switch_(switch_, tree_.arity + up));
  return end.is_switch() ? end.index : -1;
}

}  // namespace sanvp::topologies
