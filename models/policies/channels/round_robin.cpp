/// Virtual channels in rotation, past those that are not free.
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class RoundRobin final : public VcSelectionPolicy {
 public:
  int select(const Choice& choice) const override {
    const topologies::VcSet from_next = choice.free >> choice.next << choice.next;
    return std::countr_zero(from_next != 0 ? from_next : choice.free);
  }
};

const Registration<VcSelectionPart> registration{
    {"round-robin", "in rotation, past busy ones", without_parameters<RoundRobin>}};

}  // namespace
}  // namespace sanvp::net
