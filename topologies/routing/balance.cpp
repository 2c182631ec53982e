#include "topologies/routing/balance.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <queue>
#include <span>
#include <utility>

#include "platform/core/error.hpp"

namespace sanvp::topologies {

namespace {

/// One path of one flow that has several, among all such: what `balance` drops.
using Choice = std::uint32_t;

/// The choices of all flows.
class Choices {
 public:
  explicit Choices(const std::vector<Flow>& flows) : flows_(flows), first_(flows.size()), left_(flows.size(), 1) {
    for (std::size_t flow = 0; flow < flows.size(); ++flow) {
      if (flow_.size() + flows[flow].paths->size() > std::numeric_limits<Choice>::max())
        throw UserError("balanced routing", "more than 4,294,967,295 paths to choose from",
                        "set routing.paths or routing.choices lower");
      first_[flow] = static_cast<Choice>(flow_.size());
      if (const std::size_t paths = flows[flow].paths->size(); paths > 1) {
        left_[flow] = static_cast<int>(paths);
        flow_.insert(flow_.end(), paths, static_cast<std::uint32_t>(flow));
      }
    }
    kept_.assign(flow_.size(), 1);
  }

  Choice count() const { return static_cast<Choice>(flow_.size()); }
  std::span<const int> path(Choice choice) const {
    const std::uint32_t flow = flow_[choice];
    return (*flows_[flow].paths)[choice - first_[flow]];
  }
  int weight(Choice choice) const { return flows_[flow_[choice]].weight; }
  bool can_be_dropped(Choice choice) const { return kept_[choice] != 0 && left_[flow_[choice]] > 1; }
  void drop(Choice choice) {
    kept_[choice] = 0;
    --left_[flow_[choice]];
  }
  /// Per flow the first path that is kept.
  std::vector<int> first_kept() const {
    std::vector<int> paths(flows_.size(), 0);
    for (Choice choice = count(); choice-- > 0;)
      if (kept_[choice] != 0) paths[flow_[choice]] = static_cast<int>(choice - first_[flow_[choice]]);
    return paths;
  }

 private:
  const std::vector<Flow>& flows_;
  std::vector<Choice> first_;        ///< per flow
  std::vector<int> left_;            ///< number of paths kept, per flow
  std::vector<std::uint32_t> flow_;  ///< per choice
  std::vector<char> kept_;           ///< per choice
};

/// For each channel the choices that cross it, from the last to the first of an order.
class Crossings {
 public:
  Crossings(const Choices& choices, const std::vector<Choice>& order, int channels) : begin_(channels + 1, 0) {
    for (Choice choice = 0; choice < choices.count(); ++choice)  // as they lie in memory
      for (const int channel : choices.path(choice)) ++begin_[channel + 1];
    for (int channel = 0; channel < channels; ++channel) begin_[channel + 1] += begin_[channel];
    end_.assign(begin_.begin(), begin_.end() - 1);
    crossing_.resize(begin_.back());
    for (const Choice choice : order)
      for (const int channel : choices.path(choice)) crossing_[end_[channel]++] = choice;
  }

  bool has(int channel) const { return end_[channel] > begin_[channel]; }
  Choice last(int channel) const { return crossing_[end_[channel] - 1]; }
  void remove_last(int channel) { --end_[channel]; }

 private:
  std::vector<std::size_t> begin_, end_;  ///< in crossing_, per channel
  std::vector<Choice> crossing_;
};

/// In a random order, those of lower cost first.
std::vector<Choice> ordered(const Choices& choices, Random& random,
                            const std::function<int(std::span<const int>)>& cost) {
  std::vector<Choice> order(choices.count());
  std::iota(order.begin(), order.end(), Choice{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[random.below(i)], order[i - 1]);
  if (cost) {
    std::vector<int> costs(order.size());
    for (Choice choice = 0; choice < choices.count(); ++choice) costs[choice] = cost(choices.path(choice));
    std::stable_sort(order.begin(), order.end(), [&](Choice a, Choice b) { return costs[a] < costs[b]; });
  }
  return order;
}

}  // namespace

std::vector<int> balance(const std::vector<Flow>& flows, int channels, Random& random,
                         const std::function<int(std::span<const int>)>& cost) {
  std::vector<std::int64_t> crossed(channels);
  for (const Flow& flow : flows)
    for (std::size_t path = 0; path < flow.paths->size(); ++path)
      for (const int channel : (*flow.paths)[path]) crossed[channel] += flow.weight;
  Choices choices(flows);
  Crossings crossings(choices, ordered(choices, random, cost), channels);

  // Counts only fall, so an outdated queue entry is never too low: once the top entry is up to date, it is the maximum.
  std::priority_queue<std::pair<std::int64_t, int>> queue;  // {crossings, -channel}: the lower channel first in a tie
  for (int channel = 0; channel < channels; ++channel) queue.emplace(crossed[channel], -channel);
  while (!queue.empty()) {
    const auto [count, minus_channel] = queue.top();
    const int channel = -minus_channel;
    queue.pop();
    if (count == crossed[channel]) {
      while (crossings.has(channel) && !choices.can_be_dropped(crossings.last(channel))) crossings.remove_last(channel);
      if (!crossings.has(channel)) continue;  // no path through this channel can be dropped any more
      const Choice dropped = crossings.last(channel);
      choices.drop(dropped);
      for (const int other : choices.path(dropped)) crossed[other] -= choices.weight(dropped);
    }
    queue.emplace(crossed[channel], minus_channel);
  }
  return choices.first_kept();
}

}  // namespace sanvp::topologies
