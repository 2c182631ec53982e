#include "models/net/policy.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::net {
namespace {

template <class Part>
auto with_defaults(const std::string& name) {
  ParameterSet defaults;
  return Registry<Part>::get(name, Part::kind()).build({defaults, "switch"});
}

}  // namespace

std::shared_ptr<const ArbitrationPolicy> arbitration_policy(const std::string& name) {
  return with_defaults<ArbitrationPart>(name);
}

std::shared_ptr<const OutputSelectionPolicy> output_selection_policy(const std::string& name) {
  return with_defaults<OutputSelectionPart>(name);
}

std::shared_ptr<const VcSelectionPolicy> vc_selection_policy(const std::string& name) {
  return with_defaults<VcSelectionPart>(name);
}

}  // namespace sanvp::net
