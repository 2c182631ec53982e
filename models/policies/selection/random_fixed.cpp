/// One output at random, free or not ("Random" of the Mesh of Clos paper, table 2).
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class RandomFixed final : public OutputSelectionPolicy {
 public:
  Selection select(const PermittedOutputs& outputs, Random& random) const override {
    return {outputs.random_working(random), true};
  }
};

const Registration<OutputSelectionPart> registration{
    {"random-fixed", "one at random, for which the header waits even if others are free",
     without_parameters<RandomFixed>}};

}  // namespace
}  // namespace sanvp::net
