/// Demand-slotted round robin: headers that wait when a round begins are served in it, by input port, before any that
/// comes later. With plain round robin a newcomer between the pointer and a waiting port goes first.
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class DemandSlotted final : public ArbitrationPolicy {
 public:
  std::strong_ordering compare(const Request& a, const Request& b, const Contest& contest) const override {
    if (a.round != b.round) return a.round <=> b.round;
    return (a.in_port < contest.output.pointer) <=> (b.in_port < contest.output.pointer);
  }
};

const Registration<ArbitrationPart> registration{
    {"demand-slotted", "rounds: headers that wait when one begins, by input port, before newcomers",
     without_parameters<DemandSlotted>}};

}  // namespace
}  // namespace sanvp::net
