/// The far end of a lane: FIFOs are left by forwarding or by a NIC that takes what comes, and headers get to the front.

#include <algorithm>

#include "models/net/worm/planning.hpp"
#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

void WormFlow::drain(Leg& leg) {
  begin_drain(lane_of(leg), leg, queue_.now_ps());
  spread();
}

/// The far end takes the leg's flits as they come, from `from_ps` on.
void WormFlow::begin_drain(Lane& lane, Leg& leg, std::int64_t from_ps) {
  leg.drain_from_ps = from_ps;
  free_places(lane, leg);
  if (leg.last && lane.sent.end() >= leg.base + leg.data_length) data_drained(lane, leg);
  if (leg.own_tail_ps >= 0)
    tail_drained(lane, leg);
  else
    arriving_.push_back(&leg);
}

void WormFlow::tail_drained(Lane& lane, Leg& leg) {
  const std::int64_t arrival_ps = std::max(leg.own_tail_ps + lane.rules->tail_delay_ps, leg.drain_from_ps);
  consumed(leg, arrival_ps, arrival_ps);
  listener_.drained(leg, arrival_ps);
}

void WormFlow::data_drained(const Lane& lane, Leg& leg) {
  listener_.data_arrived(leg, std::max(arrivals(lane, leg, leg.base + leg.data_length - 1).ps, leg.drain_from_ps));
}

/// A NIC (or a dead end) takes the leg's flits as they come.
void WormFlow::free_places(Lane& lane, Leg& leg) {
  look_again_at(lane);
  if (lane.rules->roomy) return;
  const std::int64_t end = std::min(lane.sent.end(), leg.base + leg.length);
  for (std::int64_t n = lane.freed.end(); n < end;) {
    Run run = arrivals(lane, leg, n);
    run.count = std::min(run.count, end - n);
    if (run.ps < leg.drain_from_ps) {
      const std::int64_t waiting =
          run.count == 1 ? 1 : std::min(run.count, (leg.drain_from_ps - run.ps + run.period - 1) / run.period);
      run = {leg.drain_from_ps, 0, waiting};
    }
    lane.freed.append(run);
    n += run.count;
  }
}

/// A replicated flit leaves its FIFO when the last branch has taken it.
void WormFlow::free_places_of_all_branches(Lane& up_lane, const Leg& up) {
  if (up.fork->branches.size() < up.fork->count) return;
  std::int64_t end = without_end;
  for (const Leg* branch : up.fork->branches) end = std::min(end, lane_of(*branch).sent.end() - branch->base);
  for (std::int64_t k = up_lane.freed.end() - up.base; k < end;) {
    Run run{long_ago, 0, end - k};
    for (const Leg* branch : up.fork->branches) run = later_of(run, lane_of(*branch).sent.from(branch->base + k));
    up_lane.freed.append(run);
    k += run.count;
  }
}

/// The leg's tail leaves the FIFO at the far end at `left_ps`, its transmission there ends at `over_ps`.
void WormFlow::consumed(Leg& leg, std::int64_t left_ps, std::int64_t over_ps) {
  if (leg.fork != nullptr) {
    if (leg.fork->branches.size() < leg.fork->count) return;
    for (const Leg* branch : leg.fork->branches) {
      if (branch->own_tail_ps < 0) return;
      left_ps = std::max(left_ps, branch->own_tail_ps);
      over_ps = std::max(over_ps, branch->own_tail_ps + lane_of(*branch).rules->tail_ps);
    }
  }
  leg.tail_left_ps = left_ps;
  leg.tail_over_ps = over_ps;
  Lane& lane = lane_of(leg);
  // Legs leave a FIFO in order, so this is the one at the front.
  leg.before_left_ps = lane.front_left_ps;
  leg.before_over_ps = lane.front_over_ps;
  lane.front_left_ps = leg.tail_left_ps;
  lane.front_over_ps = leg.tail_over_ps;
  lane.front = leg.behind;
  check_front(lane);
}

/// A header is at the front when it enters an empty FIFO, or when the tail before it has been transmitted.
void WormFlow::check_front(Lane& lane) {
  Leg* leg = lane.front;
  if (leg == nullptr || leg->drain_from_ps >= 0 || leg->header_arrival_ps < 0) return;
  std::int64_t arrival_ps = leg->header_arrival_ps;
  if (arrival_ps <= lane.front_left_ps) arrival_ps = lane.front_over_ps;
  if (leg->last) {
    begin_drain(lane, *leg, arrival_ps);
    return;
  }
  if (lane.rules->store_and_forward) {
    if (lane.sent.end() < leg->base + leg->length) return;
    arrival_ps = std::max(arrival_ps, lane.sent.at(leg->base + leg->length - 1) + lane.rules->tail_delay_ps);
  }
  listener_.header_at_front(*leg, arrival_ps);
}

}  // namespace sanvp::net::worm
