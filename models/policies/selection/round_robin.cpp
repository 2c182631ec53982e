/// Outputs in rotation, for all headers with the same ones.
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class RoundRobin final : public OutputSelectionPolicy {
 public:
  Selection select(const PermittedOutputs& outputs, Random& /*random*/) const override {
    return {outputs.first_free_from(outputs.rotation())};
  }
};

const Registration<OutputSelectionPart> registration{
    {"round-robin", "in rotation, past busy ones", without_parameters<RoundRobin>}};

}  // namespace
}  // namespace sanvp::net
