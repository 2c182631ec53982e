#include "platform/traffic/pattern.hpp"

namespace sanvp::traffic {
namespace {

class Uniform final : public Pattern {
 public:
  explicit Uniform(int nodes) : nodes_(nodes) {}
  std::optional<Descriptor> next(int node, Random& random) override {
    return Descriptor{.destination = any_other(node, nodes_, random)};
  }
  bool is_repeatable() const override { return true; }

 private:
  int nodes_;
};

const Registration<PatternPart> registration{
    {"uniform", "each message to a node drawn at random from all others", [](const PatternContext& context) {
       require_nodes(context, "uniform", 2);
       return std::make_unique<Uniform>(context.nodes());
     }}};

}  // namespace
}  // namespace sanvp::traffic
