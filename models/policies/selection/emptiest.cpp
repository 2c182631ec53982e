/// The free output with the fewest flits in the buffers at its far end.
#include <utility>

#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class Emptiest final : public OutputSelectionPolicy {
 public:
  Selection select(const PermittedOutputs& outputs, Random& /*random*/) const override {
    int best = -1;
    std::pair<std::int64_t, int> least;
    for (int i = 0; i < outputs.count(); ++i) {
      if (!outputs.is_free(i)) continue;
      const std::pair load{outputs.buffered(i), outputs.owned(i)};
      if (best < 0 || load < least) best = i, least = load;
    }
    return {best};
  }
  bool looks_at_queues() const override { return true; }
};

const Registration<OutputSelectionPart> registration{
    {"emptiest",
     "the free one with the fewest flits in the buffers at its far end; of several, that with the fewest packets",
     without_parameters<Emptiest>}};

}  // namespace
}  // namespace sanvp::net
