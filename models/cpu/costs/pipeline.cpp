#include "models/cpu/costs/pipeline.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sanvp::cpu {
namespace {

constexpr int all_values = 64;

/// The source of a value: a node of the block (0 or more), or the block before (~number of the value).
using Origin = int;
constexpr Origin before(int value) { return ~value; }

struct Node {
  hal_instruction_class of_class = HAL_INTEGER;
  double operations = 0;  ///< instructions of the processor
  double latency = 0;
  std::vector<Origin> after{};
};

template <class Visit>
void for_each(Values values, Visit visit) {
  for (; values != 0; values &= values - 1) visit(std::countr_zero(values));
}

/// A block as a graph of dependences. Copies between registers rename a value: they are no nodes of a chain.
class Graph {
 public:
  Graph(const Pipeline& pipeline, const Code& code) : pipeline_(pipeline), code_(code) {
    for (int value = 0; value < all_values; ++value) last_[static_cast<std::size_t>(value)] = before(value);
    for (const Step& step : code.steps) add(step);
    if (code.is_foreign && pipeline.has_fused()) fuse();
  }

  const std::vector<Node>& nodes() const { return nodes_; }

  /// The critical path: the last start of an operation, and the cycle in which it issues. What follows waits no longer.
  double path() const {
    const std::array<double, all_values> ready{};
    double last = 0;
    run(ready, 0, [&](double start) { last = std::max(last, start + 1); });
    return nodes_.empty() ? 0 : last;
  }

  /// The longest chain from one iteration to the next, a cycle of dependences through any number of values.
  double repeated() const {
    constexpr int rounds = 8;  // of a cycle through as many values at most
    std::array<double, all_values> ready{};
    std::array<double, all_values> half{};
    for (int round = 0; round < 2 * rounds; ++round) {
      if (round == rounds) half = ready;
      ready = after(ready, ready);
    }
    double longest = 0;
    for_each(code_.carried, [&](int value) {
      const auto at = static_cast<std::size_t>(value);
      longest = std::max(longest, (ready[at] - half[at]) / rounds);
    });
    return longest;
  }

  /// The longest chain through the block from a carried value to the same value.
  double passed() const {
    double longest = 0;
    for_each(code_.carried & written(), [&](int value) {
      std::array<double, all_values> ready{};
      ready.fill(never);
      ready[static_cast<std::size_t>(value)] = 0;
      longest = std::max(longest, after(ready, ready)[static_cast<std::size_t>(value)]);
    });
    return longest;
  }

 private:
  static constexpr double never = -1e300;

  double latency_of(const Step& step) const {
    if (step.is_float_load && step.of_class == HAL_LOAD) return pipeline_.float_load_latency;
    return pipeline_.latency[step.of_class];
  }

  double operations_of(const Step& step) const {
    const double lanes = std::ceil(step.lanes / pipeline_.lanes);
    return code_.is_foreign ? lanes * pipeline_.foreign[step.of_class] : lanes;
  }

  Origin origin(int value) const { return last_[static_cast<std::size_t>(value)]; }

  void add(const Step& step) {
    Node node{step.of_class, operations_of(step), latency_of(step)};
    for_each(step.reads, [&](int value) { node.after.push_back(origin(value)); });
    const bool is_copy = step.of_class == HAL_MOVE && node.after.size() == 1 && std::has_single_bit(step.writes);
    const Origin copied = is_copy ? node.after[0] : 0;
    if (step.of_class == HAL_FLOAT_FUSED && !pipeline_.has_fused()) {
      nodes_.push_back({HAL_FLOAT_MULTIPLY, node.operations, pipeline_.latency[HAL_FLOAT_MULTIPLY], node.after});
      node = {HAL_FLOAT_ADD, node.operations, pipeline_.latency[HAL_FLOAT_ADD], node.after};
      node.after.push_back(static_cast<Origin>(nodes_.size()) - 1);
    }
    nodes_.push_back(std::move(node));
    for_each(step.writes, [&](int value) {
      last_[static_cast<std::size_t>(value)] = is_copy ? copied : static_cast<Origin>(nodes_.size()) - 1;
    });
  }

  /// A product that only one sum of the block uses becomes one instruction with it, as compilers for this processor do.
  void fuse() {
    std::vector<int> uses(nodes_.size(), 0);
    std::vector<std::size_t> user(nodes_.size(), 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (const Origin origin : nodes_[i].after)
        if (origin >= 0) ++uses[static_cast<std::size_t>(origin)], user[static_cast<std::size_t>(origin)] = i;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Node& product = nodes_[i];
      if (product.of_class != HAL_FLOAT_MULTIPLY || uses[i] != 1) continue;
      Node& sum = nodes_[user[i]];
      if (sum.of_class != HAL_FLOAT_ADD || sum.operations != product.operations) continue;
      sum.of_class = HAL_FLOAT_FUSED;
      sum.latency = pipeline_.latency[HAL_FLOAT_FUSED];
      std::erase(sum.after, static_cast<Origin>(i));
      sum.after.insert(sum.after.end(), product.after.begin(), product.after.end());
      product = {HAL_MOVE, 0, 0};
    }
  }

  Values written() const {
    Values values = 0;
    for (const Step& step : code_.steps) values |= step.writes;
    return values;
  }

  /// When the result of each node is ready, if values before the block are ready at `ready`.
  /// @param earliest  when operations without operands start
  /// @param start     called with the start of each operation
  template <class Start>
  std::vector<double> run(const std::array<double, all_values>& ready, double earliest, Start start) const {
    std::vector<double> results;
    results.reserve(nodes_.size());
    for (const Node& node : nodes_) {
      double begin = earliest;
      for (const Origin origin : node.after)
        begin = std::max(
            begin, origin >= 0 ? results[static_cast<std::size_t>(origin)] : ready[static_cast<std::size_t>(~origin)]);
      if (node.operations > 0) start(begin);
      results.push_back(begin + node.latency);
    }
    return results;
  }

  std::array<double, all_values> after(const std::array<double, all_values>& ready,
                                       std::array<double, all_values> result) const {
    const std::vector<double> results = run(ready, never, [](double) {});
    for (std::size_t value = 0; value < all_values; ++value) {
      const Origin origin = last_[value];
      result[value] =
          origin >= 0 ? results[static_cast<std::size_t>(origin)] : ready[static_cast<std::size_t>(~origin)];
    }
    return result;
  }

  const Pipeline& pipeline_;
  const Code& code_;
  std::vector<Node> nodes_{};
  std::array<Origin, all_values> last_{};  ///< where each value comes from at this point
};

/// Operations of each class without what joins them.
std::vector<Node> independent(const Pipeline& pipeline, const Code& code) {
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < instruction_classes; ++i) {
    const auto of_class = static_cast<hal_instruction_class>(i);
    const double operations = static_cast<double>(code.counts[i]) * (code.is_foreign ? pipeline.foreign[i] : 1);
    if (code.counts[i] == 0) continue;
    if (of_class == HAL_FLOAT_FUSED && !pipeline.has_fused()) {
      nodes.push_back({HAL_FLOAT_MULTIPLY, operations});
      nodes.push_back({HAL_FLOAT_ADD, operations});
    } else {
      nodes.push_back({of_class, operations});
    }
  }
  return nodes;
}

void add_throughput(const Pipeline& pipeline, const std::vector<Node>& nodes, Bounds& bounds) {
  for (const Node& node : nodes) bounds.issue += node.operations * pipeline.slots[node.of_class] / pipeline.issue;
  for (const Unit& unit : pipeline.units) {
    double busy = 0;
    for (const Node& node : nodes)
      if (unit.executes(node.of_class)) busy += node.operations * pipeline.busy[node.of_class];
    bounds.unit = std::max(bounds.unit, busy / unit.pipes);
  }
}

}  // namespace

double Bounds::cycles() const { return std::max({issue, unit, carried, path, least}); }

Values passed_through(const std::vector<Step>& steps) {
  Values read = 0;
  Values written = 0;
  for (const Step& step : steps) {
    read |= step.reads & ~written;
    written |= step.writes;
  }
  return read & written;
}

double Pipeline::least_cycles(hal_instruction_class of_class) const {
  Code code;
  code.counts[of_class] = 1;
  return bounds_of(*this, code).cycles();
}

Bounds bounds_of(const Pipeline& pipeline, const Code& code) {
  Bounds bounds;
  if (code.steps.empty()) {
    add_throughput(pipeline, independent(pipeline, code), bounds);
    return bounds;
  }
  const Graph graph(pipeline, code);
  add_throughput(pipeline, graph.nodes(), bounds);
  bounds.carried = std::max(code.repeats ? graph.repeated() : 0, graph.passed());
  const double instructions = bounds.issue * pipeline.issue;
  bounds.path = pipeline.window > 0 ? graph.path() * std::min(1.0, instructions / pipeline.window) : graph.path();
  bounds.least = pipeline.block;
  return bounds;
}

}  // namespace sanvp::cpu
