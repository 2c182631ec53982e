/// The least loaded output; of several, the first of the list.
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class Least final : public OutputSelectionPolicy {
 public:
  Selection select(const PermittedOutputs& outputs, Random& /*random*/) const override {
    int best = -1;
    for (int i = 0, fewest = INT_MAX; i < outputs.count() && fewest > 0; ++i) {
      if (!outputs.is_free(i)) continue;
      if (const int owned = outputs.owned(i); owned < fewest) best = i, fewest = owned;
    }
    return {best};
  }
};

const Registration<OutputSelectionPart> registration{
    {"least", "the one with the fewest owned virtual channels", without_parameters<Least>}};

}  // namespace
}  // namespace sanvp::net
