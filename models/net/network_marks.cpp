/// Whether a switch marks a packet, as its queues tell when the packet gets an output (TIMING.md, "Marks"): InfiniBand
/// Architecture Specification 1.2.1, annex A10, for switches whose buffers are at their inputs.
#include "models/net/marking.hpp"
#include "models/net/network.hpp"

namespace sanvp::net {

/// The queue of the granted output has reached the threshold, and that behind it has not: the root of the congestion.
bool Network::is_congested(int unit, const Grant& grant) {
  require_queues();
  const Marking& rule = wiring_->switches[unit].rules.marking;
  std::int64_t queue = 0;
  const auto add = [&](const Hop& hop, std::int64_t since_ps) {
    if (since_ps < queue_.now_ps()) queue += flow_->buffered(hop.vc_index);
  };
  add(*grant.request.hop, grant.request.since_ps);
  for (const Request& request : crossbars_[unit].waiting())
    if (request.wants(grant.output)) add(*request.hop, request.since_ps);
  if (queue < rule.threshold) return false;
  const int channel = layout_.out(unit, grant.output);
  const bool is_root = rule.victims || layout_.channels[channel].to_nic ||
                       flow_->buffered(first_vc_[channel] + grant.vc) < rule.threshold;
  return is_root && (rule.policy == nullptr || rule.policy->marks(queue, marks_[unit]));
}

}  // namespace sanvp::net
