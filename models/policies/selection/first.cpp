/// The first listed output that no packet uses; if packets use them all, the first with a free virtual channel.
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class First final : public OutputSelectionPolicy {
 public:
  Selection select(const PermittedOutputs& outputs, Random& /*random*/) const override {
    return {outputs.first_idle_from(0)};
  }
};

const Registration<OutputSelectionPart> registration{
    {"first", "the first listed that no packet uses, else the first with a free virtual channel",
     without_parameters<First>}};

}  // namespace
}  // namespace sanvp::net
