/// Any free output, drawn again only when another header has taken it.
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class RandomFree final : public OutputSelectionPolicy {
 public:
  Selection select(const PermittedOutputs& outputs, Random& random) const override {
    if (const int before = outputs.before(); before >= 0 && outputs.is_free(before)) return {before};
    return {outputs.random_among(random, [&](int output) { return outputs.is_free(output); })};
  }
};

const Registration<OutputSelectionPart> registration{
    {"random", "any free one, at random", without_parameters<RandomFree>}};

}  // namespace
}  // namespace sanvp::net
