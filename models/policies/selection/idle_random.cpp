/// A free output; if none is free, one at random ("IdleRnd" of the Mesh of Clos paper, table 2).
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class IdleRandom final : public OutputSelectionPolicy {
 public:
  Selection select(const PermittedOutputs& outputs, Random& random) const override {
    if (const int free = outputs.first_idle_from(0); free >= 0) return {free};
    return {outputs.random_working(random), true};
  }
};

const Registration<OutputSelectionPart> registration{
    {"idle-random", "a free one, else wait for one at random", without_parameters<IdleRandom>}};

}  // namespace
}  // namespace sanvp::net
