/// One path for each flow, chosen so that no channel is crossed much more often than the others.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "platform/core/random.hpp"
#include "topologies/routing/shortest_paths.hpp"

namespace sanvp::topologies {

/// Paths in two blocks of memory, since a large network has millions of them.
class PathList {
 public:
  PathList() = default;
  explicit PathList(const std::vector<SwitchPath>& paths) {
    std::size_t channels = 0;
    for (const SwitchPath& path : paths) channels += path.size();
    channels_.reserve(channels);
    ends_.reserve(paths.size());
    for (const SwitchPath& path : paths) append(path);
  }

  void append(std::span<const int> path) {
    channels_.insert(channels_.end(), path.begin(), path.end());
    ends_.push_back(channels_.size());
  }
  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  /// The channels of a path, in order.
  std::span<const int> operator[](std::size_t path) const {
    const std::size_t begin = path == 0 ? 0 : ends_[path - 1];
    return std::span(channels_).subspan(begin, ends_[path] - begin);
  }

 private:
  std::vector<int> channels_;
  std::vector<std::size_t> ends_;  ///< in channels_, per path
};

/// Pairs of hosts that use the same path.
struct Flow {
  const PathList* paths;  ///< the alternatives; not empty
  int weight = 1;         ///< number of pairs of hosts in this flow
};

/// Starts with all paths of all flows. Repeatedly finds the channel that is crossed most and drops a path through it
/// whose flow has another, until each flow has one path left (TIMING.md, Myrinet). The channel's path with the highest
/// cost is dropped first; the choice among equal ones is random, so that no pair of switches is always at a
/// disadvantage.
/// @param cost of a path; all the same unless given
/// @return per flow the index of its path
std::vector<int> balance(const std::vector<Flow>& flows, int channels, Random& random,
                         const std::function<int(std::span<const int>)>& cost = {});

}  // namespace sanvp::topologies
