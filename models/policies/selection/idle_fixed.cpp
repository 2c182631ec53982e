/// A free output; if none is free, the one that the source prefers, or the next that works ("IdleFixed" of the Mesh of
/// Clos paper, table 2).
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class IdleFixed final : public OutputSelectionPolicy {
 public:
  Selection select(const PermittedOutputs& outputs, Random& /*random*/) const override {
    if (const int free = outputs.first_idle_from(0); free >= 0) return {free};
    return {outputs.first_working_from(outputs.preferred()), true};
  }
};

const Registration<OutputSelectionPart> registration{
    {"idle-fixed", "a free one, else wait for the source's preferred one", without_parameters<IdleFixed>}};

}  // namespace
}  // namespace sanvp::net
