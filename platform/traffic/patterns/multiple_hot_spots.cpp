#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/traffic/pattern.hpp"

namespace sanvp::traffic {
namespace {

constexpr const char* source = "QsNET paper, section 4.6";

/// A parallel job reads from and writes to several I/O nodes.
class MultipleHotSpots final : public Pattern {
 public:
  struct Choices {
    std::vector<int> io_nodes;  ///< ascending
    bool random = true;
    bool shared = true;
    double writes = 0.5;
  };

  MultipleHotSpots(int nodes, Choices choices) : choices_(std::move(choices)) {
    // Deterministic I/O: I/O nodes get clients in turn, but none is its own client.
    const auto io_count = static_cast<int>(choices_.io_nodes.size());
    int turn = 0;
    for (int node = 0; node < nodes; ++node) {
      int target = -1;
      if (sends(node)) {
        if (choices_.io_nodes[turn % io_count] == node) ++turn;
        target = choices_.io_nodes[turn++ % io_count];
        if (target == node) target = -1;  // the only I/O node is its own client
      }
      fixed_.push_back(target);
    }
  }

  std::optional<Descriptor> next(int node, Random& random) override {
    if (!sends(node)) return {};
    const int target = choices_.random ? drawn(node, random) : fixed_[node];
    if (target < 0) return {};
    return Descriptor{.destination = target, .read = random.uniform() >= choices_.writes};
  }
  bool sends(int node) const override {
    if (!is_io(node)) return true;
    return choices_.shared && choices_.io_nodes.size() > 1;
  }
  bool is_repeatable() const override { return true; }

 private:
  bool is_io(int node) const { return std::binary_search(choices_.io_nodes.begin(), choices_.io_nodes.end(), node); }

  int drawn(int node, Random& random) const {
    const auto& all = choices_.io_nodes;
    const auto own = std::lower_bound(all.begin(), all.end(), node) - all.begin();
    const auto count = static_cast<int>(all.size());
    const bool is_own = own < count && all[own] == node;
    return is_own ? all[any_other(static_cast<int>(own), count, random)] : all[random.below(all.size())];
  }

  Choices choices_;
  std::vector<int> fixed_;
};

std::vector<int> place_io_nodes(int count, int nodes, bool clustered) {
  std::vector<int> placed;
  for (int i = 0; i < count; ++i)
    placed.push_back(clustered ? nodes - count + i : static_cast<int>(std::int64_t{i} * nodes / count));
  return placed;
}

const Registration<PatternPart> registration{
    {"multiple-hot-spots", "a parallel job reads from and writes to several I/O nodes",
     [](const PatternContext& context) {
       require_nodes(context, "multiple-hot-spots", 2);
       const Parameters& given = context.parameters;
       constexpr int nodes_per_io_node = 8;  // of the paper's 64-node configuration
       const auto count = given.count("io-nodes", std::max(1, context.nodes() / nodes_per_io_node), "I/O nodes.",
                                      source, 1, context.nodes() - 1);
       const bool clustered =
           given.choice("mapping", "clustered", {"clustered", "distributed"},
                        "The I/O nodes are the highest ones, or evenly spread.", source) == "clustered";
       MultipleHotSpots::Choices choices;
       choices.io_nodes = place_io_nodes(static_cast<int>(count), context.nodes(), clustered);
       choices.random =
           given.choice("access", "random", {"random", "deterministic"},
                        "The I/O node is drawn for each message or fixed for each client.", source) == "random";
       choices.shared = given.choice("application", "shared", {"shared", "dedicated"},
                                     "Whether the application also runs on the I/O nodes.", source) == "shared";
       choices.writes = given.real("writes", 0.5, "Share of writes, 0 (all reads) to 1.", source, 0, 1);
       return std::make_unique<MultipleHotSpots>(context.nodes(), std::move(choices));
     }}};

}  // namespace
}  // namespace sanvp::traffic
