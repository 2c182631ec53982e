/// Each message to a node drawn at random from the next group: all nodes of a dragonfly's group then share the one
/// cable that leads there, unless packets take detours (Kim, Dally, Scott and Abts, ISCA 2008, section 4: the worst
/// case).
#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/traffic/pattern.hpp"

namespace sanvp::traffic {
namespace {

class NextGroup final : public Pattern {
 public:
  NextGroup(int nodes, int size, int ahead) : nodes_(nodes), size_(size), ahead_(ahead) {}

  std::optional<Descriptor> next(int node, Random& random) override {
    const int first = (node / size_ + ahead_) * size_ % nodes_;
    return Descriptor{.destination = first + static_cast<int>(random.below(static_cast<std::uint64_t>(size_)))};
  }
  bool is_repeatable() const override { return true; }

 private:
  int nodes_;
  int size_;
  int ahead_;
};

/// Nodes of a dragonfly's group; 0 if the network is another one.
int nodes_of_group(const topologies::Graph& graph) {
  return graph.family == "dragonfly" ? graph.shape[0] * graph.shape[1] : 0;
}

const Registration<PatternPart> registration{
    {"next-group", "each message to a node of the next group, drawn at random: the worst case of a dragonfly",
     [](const PatternContext& context) -> std::unique_ptr<Pattern> {
       const char* source = "Kim et al., ISCA 2008, section 4";
       const auto& graph = context.graph.has_planes ? *context.graph.by_port : context.graph;
       const auto size = static_cast<int>(context.parameters.count(
           "group", nodes_of_group(graph), "nodes of a group; 0: those of a dragonfly's", source, 0, context.nodes()));
       const auto ahead = static_cast<int>(context.parameters.count(
           "ahead", 1, "groups from the sender's to the receiver's", source, 1, context.nodes()));
       const std::string place = context.parameters.place("group");
       if (size == 0)
         throw UserError(place, "the network has no groups", "give the number of nodes of one: --group 16");
       if (context.nodes() % size != 0 || ahead % (context.nodes() / size) == 0)
         throw UserError(place,
                         std::to_string(context.nodes()) + " nodes are not several groups of " + std::to_string(size) +
                             ", or the receiver's group is the sender's",
                         "give a divisor of the number of nodes, and another --ahead");
       return std::make_unique<NextGroup>(context.nodes(), size, ahead);
     }}};

}  // namespace
}  // namespace sanvp::traffic
