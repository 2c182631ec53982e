/// First come, first served, with ageing: packets that have been in the network for longer than a threshold go first,
/// the oldest of them first of all.
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class FifoThenOldest final : public ArbitrationPolicy {
 public:
  std::strong_ordering compare(const Request& a, const Request& b, const Contest& contest) const override {
    const std::int64_t injected_a = a.packet().injected.count();
    const std::int64_t injected_b = b.packet().injected.count();
    const std::int64_t threshold_ps = contest.rules.age_threshold.count();
    const bool a_is_old = contest.now_ps - injected_a > threshold_ps;
    const bool b_is_old = contest.now_ps - injected_b > threshold_ps;
    if (a_is_old != b_is_old) return b_is_old <=> a_is_old;
    return a_is_old ? injected_a <=> injected_b : a.since_ps <=> b.since_ps;
  }
};

const Registration<ArbitrationPart> registration{
    {"fifo-then-oldest", "packets older than switch.age_threshold, oldest first; else the earliest request",
     without_parameters<FifoThenOldest>}};

}  // namespace
}  // namespace sanvp::net
