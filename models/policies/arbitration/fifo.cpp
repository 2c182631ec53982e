/// First come, first served.
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class Fifo final : public ArbitrationPolicy {
 public:
  std::strong_ordering compare(const Request& a, const Request& b, const Contest& /*contest*/) const override {
    return a.since_ps <=> b.since_ps;
  }
};

const Registration<ArbitrationPart> registration{{"fifo", "the earliest request", without_parameters<Fifo>}};

}  // namespace
}  // namespace sanvp::net
