/// The far end of a VC: FIFOs are left by forwarding or by a NIC that takes what comes, and headers get to the front.

#include <algorithm>

#include "models/net/network.hpp"
#include "models/net/worm/planning.hpp"
#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

void WormFlow::drain(Hop& hop) {
  note_drain(vc_of(hop), hop);
  begin_drain(vc_of(hop), hop, queue_.now_ps());
  replan();
}

/// The far end takes the hop's flits as they come, from `from_ps` on.
void WormFlow::begin_drain(VirtualChannel& vc, Hop& hop, std::int64_t from_ps) {
  hop.flow.drain_from_ps = from_ps;
  free_slots(vc, hop);
  if (hop.last && vc.sent.end() >= hop.flow.base + hop.data_length) data_drained(vc, hop);
  if (hop.flow.own_tail_ps >= 0)
    tail_drained(vc, hop);
  else
    arriving_.push_back(&hop);
}

void WormFlow::tail_drained(VirtualChannel& vc, Hop& hop) {
  const std::int64_t arrival_ps = std::max(hop.flow.own_tail_ps + vc.rules->tail_delay_ps, hop.flow.drain_from_ps);
  consumed(hop, arrival_ps, arrival_ps);
  network_.drained(hop, arrival_ps);
}

void WormFlow::data_drained(const VirtualChannel& vc, Hop& hop) {
  network_.data_arrived(hop,
                        std::max(arrivals(vc, hop, hop.flow.base + hop.data_length - 1).ps, hop.flow.drain_from_ps));
}

/// A NIC (or a dead end) takes the hop's flits as they come.
void WormFlow::free_slots(VirtualChannel& vc, Hop& hop) {
  if (vc.rules->unbounded_sink) return look_again_at(vc);
  const std::int64_t end = std::min(vc.sent.end(), hop.flow.base + hop.length);
  for (std::int64_t n = vc.freed.end(); n < end;) {
    Run run = arrivals(vc, hop, n);
    run.count = std::min(run.count, end - n);
    if (run.ps < hop.flow.drain_from_ps) {
      const std::int64_t waiting =
          run.count == 1 ? 1 : std::min(run.count, (hop.flow.drain_from_ps - run.ps + run.period - 1) / run.period);
      run = {hop.flow.drain_from_ps, 0, waiting};
    }
    vc.freed.append(run);
    n += run.count;
  }
  slots_freed(vc);
}

/// A replicated flit leaves its FIFO when the last branch has taken it.
void WormFlow::free_slots_of_all_branches(VirtualChannel& up_vc, const Hop& up) {
  if (up.fork->branches.size() < up.fork->count) return;
  std::int64_t end = without_end;
  for (const Hop* branch : up.fork->branches) end = std::min(end, vc_of(*branch).sent.end() - branch->flow.base);
  for (std::int64_t k = up_vc.freed.end() - up.flow.base; k < end;) {
    Run run{long_ago, 0, end - k};
    for (const Hop* branch : up.fork->branches) run = later_of(run, vc_of(*branch).sent.from(branch->flow.base + k));
    up_vc.freed.append(run);
    k += run.count;
  }
}

/// The hop's tail leaves the FIFO at the far end at `left_ps`, its transmission there ends at `over_ps`.
void WormFlow::consumed(Hop& hop, std::int64_t left_ps, std::int64_t over_ps) {
  if (hop.fork != nullptr) {
    if (hop.fork->branches.size() < hop.fork->count) return;
    for (const Hop* branch : hop.fork->branches) {
      if (branch->flow.own_tail_ps < 0) return;
      left_ps = std::max(left_ps, branch->flow.own_tail_ps);
      over_ps = std::max(over_ps, branch->flow.own_tail_ps + vc_of(*branch).rules->tail_ps);
    }
  }
  hop.flow.tail_left_ps = left_ps;
  hop.flow.tail_over_ps = over_ps;
  VirtualChannel& vc = vc_of(hop);
  // Hops leave a FIFO in order, so this is the one at the front.
  hop.flow.before_left_ps = vc.front_left_ps;
  hop.flow.before_over_ps = vc.front_over_ps;
  vc.front_left_ps = hop.flow.tail_left_ps;
  vc.front_over_ps = hop.flow.tail_over_ps;
  vc.front = hop.flow.behind;
  check_front(vc);
}

/// A header is at the front when it enters an empty FIFO, or when the tail before it has been transmitted.
void WormFlow::check_front(VirtualChannel& vc) {
  Hop* hop = vc.front;
  if (hop == nullptr || hop->flow.drain_from_ps >= 0 || hop->header_arrival_ps < 0) return;
  std::int64_t arrival_ps = hop->header_arrival_ps;
  if (arrival_ps <= vc.front_left_ps) arrival_ps = vc.front_over_ps;
  if (hop->last) {
    begin_drain(vc, *hop, arrival_ps);
    return;
  }
  if (vc.rules->store_and_forward) {
    if (vc.sent.end() < hop->flow.base + hop->length) return;
    arrival_ps = std::max(arrival_ps, vc.sent.at(hop->flow.base + hop->length - 1) + vc.rules->tail_delay_ps);
  }
  network_.header_at_front(*hop, arrival_ps);
}

}  // namespace sanvp::net::worm
