#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/traffic/pattern.hpp"

namespace sanvp::traffic {
namespace {

/// A node that has received a message sends to its neighbours.
class Gossip final : public Pattern {
 public:
  Gossip(const topologies::Graph& graph, int first) : infected_(graph.host_count()) {
    for (int host = 0; host < graph.host_count(); ++host) neighbours_.push_back(neighbours(graph, host));
    infected_[first] = true;
  }

  std::optional<Descriptor> next(int node, Random& random) override {
    if (!infected_[node] || neighbours_[node].empty()) return {};
    return Descriptor{.destination = neighbours_[node][random.below(neighbours_[node].size())]};
  }
  Extent extent() const override { return Extent::growing; }
  void arrived(int, int destination, Reactions& reactions) override {
    if (infected_[destination]) return;
    infected_[destination] = true;
    reactions.wake(destination);
  }

 private:
  std::vector<std::vector<int>> neighbours_;
  std::vector<bool> infected_;
};

const Registration<PatternPart> registration{
    {"gossip", "one node sends to its neighbours, and each receiver becomes a sender, until --packets are sent",
     [](const PatternContext& context) {
       require_nodes(context, "gossip", 2);
       const auto first = static_cast<int>(context.parameters.count("first", 0, "The node that sends first.",
                                                                    "TOFU paper, section 4.3", 0, context.nodes() - 1));
       if (neighbours(context.graph, first).empty())
         throw UserError("pattern gossip", "node " + std::to_string(first) + " has no neighbours",
                         "name another one with --first");
       return std::make_unique<Gossip>(context.graph, first);
     }}};

}  // namespace
}  // namespace sanvp::traffic
