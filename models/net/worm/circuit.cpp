/// The end of a circuit: its EOP goes VC by VC after the data, once these have been acknowledged.

#include <algorithm>

#include "models/net/worm/planning.hpp"
#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

void WormFlow::acknowledge(Hop& source) {
  source.flow.limit = source.length;
  if (const VirtualChannel& vc = vc_of(source); vc.rules->turns)  // its channel has been planned without the EOP
    unsee(source);
  Hop* hop = &source;
  while (hop != nullptr && plan_eop(vc_of(*hop), *hop)) hop = hop->down;
  if (hop != nullptr && vc_of(*hop).sending == hop) work_.push_back(&vc_of(*hop));  // as any other flits
  replan();
}

/// Plans the rest of the hop if that is the EOP alone, which gives way to no other data. @return false if nothing has
/// been planned
bool WormFlow::plan_eop(VirtualChannel& vc, Hop& hop) {
  const std::int64_t n = vc.sent.end();
  if (vc.sending != &hop || !vc.rules->hold || n != hop.flow.base + hop.data_length) return false;
  vc.free_ps = std::max(vc.free_ps, queue_.now_ps());
  const Run supplied = supply(hop, n - hop.flow.base);
  if (supplied.count <= 0) return false;
  const Run credited = credit(vc, n, supplied);
  if (credited.count <= 0) return false;
  const Run eop{std::max({vc.free_ps, supplied.ps, credited.ps}), vc.rules->flit_ps, 1};
  send(vc, hop, eop);
  if (hop.fork != nullptr || hop.reinjected) {
    advanced(vc, hop, n);
    return true;
  }
  if (hop.up != nullptr) {
    if (hop.flow.leaves == nullptr) hand_departures_on(vc, hop, n);
    slots_freed(vc_of(*hop.up));
  }
  if (hop.flow.drain_from_ps >= 0) free_slots(vc, hop);
  advanced_to_end(vc, hop, n);
  forget_past(vc, hop);
  return true;
}

}  // namespace sanvp::net::worm
