#include "topologies/routing/balance.hpp"

#include <algorithm>
#include <cstdint>
#include <queue>
#include <utility>

namespace sanvp::topologies {

std::vector<int> balance(const std::vector<Flow>& flows, int channels, Random& random,
                         const std::function<int(const SwitchPath&)>& cost) {
  struct Choice {
    int flow;
    int path;
  };
  std::vector<Choice> choices;          // paths of flows that have more than one
  std::vector<std::vector<bool>> kept;  // per flow and path
  std::vector<int> left;                // number of paths kept, per flow
  std::vector<std::int64_t> crossed(channels);
  for (int flow = 0; flow < static_cast<int>(flows.size()); ++flow) {
    const auto& paths = *flows[flow].paths;
    kept.emplace_back(paths.size(), true);
    left.push_back(static_cast<int>(paths.size()));
    for (int path = 0; path < left.back(); ++path) {
      if (left.back() > 1) choices.push_back({flow, path});
      for (const int channel : paths[path]) crossed[channel] += flows[flow].weight;
    }
  }
  for (std::size_t i = choices.size(); i > 1; --i) std::swap(choices[random.below(i)], choices[i - 1]);
  if (cost) {
    const auto cost_of = [&](const Choice& choice) { return cost((*flows[choice.flow].paths)[choice.path]); };
    std::stable_sort(choices.begin(), choices.end(),
                     [&](const Choice& a, const Choice& b) { return cost_of(a) < cost_of(b); });
  }
  std::vector<std::vector<Choice>> crossing(channels);
  for (const Choice& choice : choices)
    for (const int channel : (*flows[choice.flow].paths)[choice.path]) crossing[channel].push_back(choice);

  // Counts only fall, so an outdated queue entry is never too low: once the top entry is up to date, it is the maximum.
  std::priority_queue<std::pair<std::int64_t, int>> queue;  // {crossings, -channel}: the lower channel first in a tie
  for (int channel = 0; channel < channels; ++channel) queue.emplace(crossed[channel], -channel);
  while (!queue.empty()) {
    const auto [count, minus_channel] = queue.top();
    const int channel = -minus_channel;
    queue.pop();
    auto& candidates = crossing[channel];
    if (count == crossed[channel]) {
      while (!candidates.empty() &&
             (left[candidates.back().flow] == 1 || !kept[candidates.back().flow][candidates.back().path]))
        candidates.pop_back();
      if (candidates.empty()) continue;  // no path through this channel can be dropped any more
      const auto [flow, path] = candidates.back();
      kept[flow][path] = false;
      --left[flow];
      for (const int other : (*flows[flow].paths)[path]) crossed[other] -= flows[flow].weight;
    }
    queue.emplace(crossed[channel], minus_channel);
  }

  std::vector<int> chosen;
  for (const auto& paths : kept) {
    int path = 0;
    while (!paths[path]) ++path;
    chosen.push_back(path);
  }
  return chosen;
}

}  // namespace sanvp::topologies
