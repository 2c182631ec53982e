/// Round robin over input ports.
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class RoundRobin final : public ArbitrationPolicy {
 public:
  std::strong_ordering compare(const Request& a, const Request& b, const Contest& contest) const override {
    return (a.in_port < contest.output.pointer) <=> (b.in_port < contest.output.pointer);
  }
};

const Registration<ArbitrationPart> registration{
    {"round-robin", "input ports in turn, from the one after the last granted", without_parameters<RoundRobin>}};

}  // namespace
}  // namespace sanvp::net
