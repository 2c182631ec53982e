/// Global age.
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class Oldest final : public ArbitrationPolicy {
 public:
  std::strong_ordering compare(const Request& a, const Request& b, const Contest& /*contest*/) const override {
    return a.packet().injected <=> b.packet().injected;
  }
};

const Registration<ArbitrationPart> registration{
    {"oldest", "the packet that was injected first", without_parameters<Oldest>}};

}  // namespace
}  // namespace sanvp::net
