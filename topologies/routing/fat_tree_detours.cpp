#include "topologies/routing/fat_tree_detours.hpp"

namespace sanvp::topologies {

FatTreeDetours::FatTreeDetours(const Graph& graph, const KaryTree& tree) : graph_(graph), tree_(tree) {
  const int leaves = tree.columns(0);
  leads_.resize(static_cast<std::size_t>(leaves) * static_cast<std::size_t>(tree.switches()), Lead::none);
  for (int leaf = 0; leaf < leaves; ++leaf) {
    const int host = leaf * tree.arity;
    const auto leads_down = [&](int switch_) {
      const int level = tree.level_of(switch_);
      const int first = tree.first_host_below(switch_);
      return level == tree.levels - 1 || (first <= host && host < first + tree.hosts_below(level));
    };
    // Switches are numbered by level: a descent is known before what climbs to it.
    for (int switch_ = 0; switch_ < tree.switches(); ++switch_)
      if (leads_down(switch_)) leads_[index(switch_, leaf)] = lead_down(switch_, leaf);
    for (int switch_ = tree.switches() - 1; switch_ >= 0; --switch_)
      if (!leads_down(switch_)) leads_[index(switch_, leaf)] = lead_up(switch_, leaf);
  }
}

FatTreeDetours::Lead FatTreeDetours::lead_down(int switch_, int leaf) const {
  const int level = tree_.level_of(switch_);
  if (level == 0) return Lead::always;
  const int port = leaf * tree_.arity / tree_.hosts_below(level - 1) % tree_.arity;
  const End below = graph_.peer(End::switch_(switch_, port));
  return below.is_switch() ? leads_[index(below.index, leaf)] : Lead::none;
}

FatTreeDetours::Lead FatTreeDetours::lead_up(int switch_, int leaf) const {
  bool one = false;
  bool all = true;
  for (int up = 0; up < tree_.arity; ++up) {
    const int next = above(switch_, up);
    if (next < 0) continue;  // an adaptive switch passes over it
    const Lead lead = leads_[index(next, leaf)];
    one = one || lead != Lead::none;
    all = all && lead == Lead::always;
  }
  return !one ? Lead::none : all ? Lead::always : Lead::some;
}

bool FatTreeDetours::serves(int source, int destination) const {
  const End leaf = graph_.peer(End::host(source));
  return leaf.is_switch() && graph_.peer(End::host(destination)) && lead(leaf.index, destination) != Lead::none;
}

int FatTreeDetours::up_port(int switch_, int destination, int preferred) const {
  for (const Lead wanted : {Lead::always, Lead::some})
    for (int i = 0; i < tree_.arity; ++i) {
      const int up = (preferred + i) % tree_.arity;
      const int next = above(switch_, up);
      if (next >= 0 && lead(next, destination) == wanted) return up;
    }
  return -1;
}

int FatTreeDetours::above(int switch_, int up) const {
  const End end = graph_.peer(End::switch_(switch_, tree_.arity + up));
  return end.is_switch() ? end.index : -1;
}

}  // namespace sanvp::topologies
