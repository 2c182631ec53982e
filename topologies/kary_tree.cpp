#include "topologies/kary_tree.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "topologies/limits.hpp"

namespace sanvp::topologies {

KaryTree KaryTree::of_size(int arity, int levels, int hosts, const std::string& place) {
  if (arity < 2 || arity > most_ports / 2)
    throw UserError(place, "arity " + std::to_string(arity) + " is not possible",
                    "give 2.." + std::to_string(most_ports / 2) + " links down and as many up");
  if (levels < 1) throw UserError(place, std::to_string(levels) + " levels are not possible", "give one level or more");
  const int subtree = bounded_power(arity, levels - 1);
  const int least_hosts = 2 * subtree;
  if (subtree > most_hosts || least_hosts > most_hosts || (hosts == 0 && bounded_power(arity, levels) > most_hosts))
    throw UserError(place,
                    "a " + std::to_string(arity) + "-ary tree of " + std::to_string(levels) + " levels is too large",
                    "give fewer levels; at most " + std::to_string(most_hosts) + " hosts are built");
  const int top_arity = hosts == 0 ? arity : hosts / subtree;
  if (hosts != 0 && (hosts % subtree != 0 || top_arity < 2 || top_arity > arity || hosts > most_hosts))
    throw UserError(place,
                    std::to_string(hosts) + " hosts are not possible with arity " + std::to_string(arity) + " and " +
                        std::to_string(levels) + " levels",
                    "give a multiple of " + std::to_string(subtree) + " from " + std::to_string(least_hosts) + " to " +
                        std::to_string(static_cast<std::int64_t>(arity) * subtree));
  return {arity, levels, top_arity};
}

KaryTree::KaryTree(int arity, int levels, int top_arity, std::span<const int> up_links)
    : arity(arity), levels(levels), top_arity(top_arity) {
  int replicas = 1;
  for (int level = 0; level < levels; ++level) {
    const bool is_top = level == levels - 1;
    const int subtrees = is_top ? 1 : top_arity * bounded_power(arity, levels - 2 - level);
    replicas_[at(level)] = replicas;
    first_switch_[at(level + 1)] = first_switch_[at(level)] + subtrees * replicas;
    if (is_top) break;
    up_links_[at(level)] = up_links.empty() ? arity : up_links[at(level)];
    replicas *= up_links_[at(level)];
  }
}

KaryTree KaryTree::slimmed(const std::vector<int>& up_links, const std::string& place) const {
  const std::size_t below_top = at(levels - 1);
  if (up_links.size() != 1 && up_links.size() != below_top)
    throw UserError(place,
                    std::to_string(up_links.size()) + " numbers are given, and " + std::to_string(levels) +
                        " levels of switches have " + std::to_string(below_top) + " below the top",
                    "give one number for each level below the top, from the leaves on, or one for all");
  for (const int up : up_links)
    if (up < 1 || up > arity)
      throw UserError(
          place, std::to_string(up) + " cables up are not possible on a switch with " + std::to_string(arity) + " down",
          "give 1.." + std::to_string(arity));
  const std::vector<int> all(below_top, up_links.front());
  return {arity, levels, top_arity, up_links.size() == below_top ? up_links : all};
}

bool KaryTree::is_full() const {
  return std::all_of(up_links_.begin(), up_links_.begin() + levels - 1, [&](int up) { return up == arity; });
}

int KaryTree::hosts_below(int level) const { return bounded_power(arity, level + 1); }

int KaryTree::level_of(int switch_) const {
  int level = 0;
  while (level < levels - 1 && switch_ >= switch_at(level + 1, 0)) ++level;
  return level;
}

int KaryTree::first_host_below(int switch_) const {
  const int level = level_of(switch_);
  return level == levels - 1 ? 0 : column_of(switch_) / replicas(level) * hosts_below(level);
}

int KaryTree::nca_level(int host_a, int host_b) const {
  const auto base = static_cast<unsigned>(arity);
  auto a = static_cast<unsigned>(host_a) / base;
  auto b = static_cast<unsigned>(host_b) / base;
  int level = 0;
  for (; a != b; a /= base, b /= base) ++level;
  return level;
}

void add_kary_tree(Graph& graph, const KaryTree& tree, const std::string& prefix, const std::vector<int>& position,
                   int top_ports) {
  const auto coordinates = [&](std::initializer_list<int> own) {
    std::vector<int> all = position;
    all.insert(all.end(), own);
    return all;
  };
  const int arity = tree.arity;
  const int first_host = graph.host_count();
  const int first_switch = graph.switch_count();
  for (int host = 0; host < tree.hosts(); ++host)
    graph.add_host("host " + std::to_string(first_host + host), coordinates({host}));
  for (int level = 0; level < tree.levels; ++level) {
    const std::string level_prefix = prefix + "level " + std::to_string(level) + " switch ";
    for (int column = 0; column < tree.columns(level); ++column)
      graph.add_switch(level_prefix + std::to_string(column), level == tree.levels - 1 ? top_ports : 2 * arity,
                       coordinates({level, column}));
  }

  for (int host = 0; host < tree.hosts(); ++host)
    graph.connect(End::host(first_host + host), End::switch_(first_switch + host / arity, host % arity), "host");
  for (int level = 0; level < tree.levels - 1; ++level) {
    const int subtrees_above = level == tree.levels - 2 ? tree.top_arity : arity;
    const int replicas = tree.replicas(level);
    for (int column = 0; column < tree.columns(level); ++column) {
      const int subtree = column / replicas;
      for (int up = 0; up < tree.up_links(level); ++up) {
        const int upper_column =
            subtree / subtrees_above * tree.replicas(level + 1) + up * replicas + column % replicas;
        graph.connect(End::switch_(first_switch + tree.switch_at(level, column), arity + up),
                      End::switch_(first_switch + tree.switch_at(level + 1, upper_column), subtree % subtrees_above),
                      "cable");
      }
    }
  }
}

}  // namespace sanvp::topologies
