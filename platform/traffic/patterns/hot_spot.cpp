#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/traffic/pattern.hpp"

namespace sanvp::traffic {
namespace {

constexpr const char* source = "QsNET paper, section 4.5";

/// All other nodes read from or write to one node.
class HotSpot final : public Pattern {
 public:
  HotSpot(int nodes, int target, double share, double writes)
      : nodes_(nodes), target_(target), share_(share), writes_(writes) {}

  std::optional<Descriptor> next(int node, Random& random) override {
    if (node == target_ && share_ >= 1) return {};
    const bool hot = node != target_ && (share_ >= 1 || random.uniform() < share_);
    const int destination = hot ? target_ : any_other(node, nodes_, random);
    return Descriptor{.destination = destination, .read = writes_ < 1 && random.uniform() >= writes_};
  }
  bool sends(int node) const override { return node != target_ || share_ < 1; }
  bool is_repeatable() const override { return true; }

 private:
  int nodes_;
  int target_;
  double share_;
  double writes_;
};

const Registration<PatternPart> registration{
    {"hot-spot", "all nodes read from or write to one", [](const PatternContext& context) {
       require_nodes(context, "hot-spot", 2);
       const Parameters& given = context.parameters;
       const auto target = given.count("target", 0, "The hot node.", source, 0, context.nodes() - 1);
       const double share = given.real("share", 1, "Share of messages to the hot node; the others are uniform.",
                                       "1: the paper's pattern", 0, 1);
       const double writes = given.real("writes", 1, "Share of writes, 0 (all reads) to 1.", source, 0, 1);
       return std::make_unique<HotSpot>(context.nodes(), static_cast<int>(target), share, writes);
     }}};

}  // namespace
}  // namespace sanvp::traffic
