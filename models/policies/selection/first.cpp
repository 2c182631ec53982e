/// The first free output of the list.
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class First final : public OutputSelectionPolicy {
 public:
  Selection select(const PermittedOutputs& outputs, Random& /*random*/) const override {
    return {outputs.first_free_from(0)};
  }
};

const Registration<OutputSelectionPart> registration{
    {"first", "the first listed that has a free virtual channel", without_parameters<First>}};

}  // namespace
}  // namespace sanvp::net
