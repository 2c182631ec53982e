#include "models/net/worm/stop_go.hpp"

#include <algorithm>

#include "models/net/worm/planning.hpp"

namespace sanvp::net::worm {
namespace {

/// The departure that makes the FIFO fall below `go` after the STOP, or -1 while it is not known.
std::int64_t go_departure(const Lane& lane) {
  const StopGoState& signals = lane.signals;
  for (std::int64_t d = signals.stopped_by - lane.rules->stop; d < lane.freed.end();) {
    const Run left = lane.freed.search(d);
    // A departure in the STOP's own instant came before the STOP.
    if (left.last() <= signals.stopped_ps) {
      d += left.count;
      continue;
    }
    if (left.ps <= signals.stopped_ps) {
      d += left.first_after(signals.stopped_ps);
      continue;
    }
    if (d + lane.rules->go >= lane.sent.end()) return d;
    Run arrived = lane.sent.search(d + lane.rules->go);
    arrived.ps += lane.rules->delay_ps;
    const std::int64_t count = std::min(left.count, arrived.count);
    const std::int64_t missing = first_later(arrived, left, count);
    d += missing;
    if (missing < count) return d;
  }
  return -1;
}

/// The first arrival from signals.scan on, those of `run` included, that may still trigger STOP: it triggers one
/// (signals.stopped_ps), or the departure that decides is not known. @return flits that arrive from then on
Run first_doubtful(Lane& lane, const Run& run) {
  const LaneRules& rules = *lane.rules;
  StopGoState& signals = lane.signals;
  const std::int64_t next = lane.sent.end();
  const std::int64_t end = next + run.count;
  signals.scan = std::max(signals.scan, std::min(rules.stop, end));
  while (signals.scan < end) {
    Run arriving = signals.scan < next ? lane.sent.search(signals.scan)
                                       : Run{run.at(signals.scan - next), run.period, end - signals.scan};
    arriving.ps += rules.delay_ps;
    while (arriving.count > 0) {
      if (signals.scan - rules.stop >= lane.freed.end()) return arriving;
      const Run slots = lane.freed.search(signals.scan - rules.stop);
      const std::int64_t count = std::min(slots.count, arriving.count);
      const std::int64_t in_time = first_later(slots, arriving, count);
      signals.scan += in_time;
      arriving = {arriving.at(in_time), arriving.period, arriving.count - in_time};
      if (in_time == count) continue;
      signals.stopped_ps = arriving.ps;
      signals.stopped_by = signals.scan++;
      return arriving;
    }
  }
  return {};
}

}  // namespace

std::int64_t flits_before_stop(Lane& lane, const Run& run) {
  StopGoState& signals = lane.signals;
  std::int64_t stop_ps = signals.stopped_ps;
  signals.awaited = -1;
  if (stop_ps < 0) {
    const Run doubtful = first_doubtful(lane, run);
    if (doubtful.count == 0) return run.count;
    stop_ps = doubtful.ps;
    if (signals.stopped_ps < 0) signals.awaited = signals.scan - lane.rules->stop;
  }
  // It is sent at the end of that instant, so it does not bind before the next one.
  signals.binds_ps = stop_ps + std::max<std::int64_t>(lane.rules->signal_ps, 1);
  if (run.ps >= signals.binds_ps) return 0;
  return run.last() < signals.binds_ps ? run.count : (signals.binds_ps - 1 - run.ps) / run.period + 1;
}

bool wait_for_go(Lane& lane) {
  StopGoState& signals = lane.signals;
  if (signals.stopped_ps < 0) return false;
  const std::int64_t d = go_departure(lane);
  if (d < 0) return false;
  const std::int64_t go_ps = lane.freed.at(d);
  lane.free_ps = std::max(lane.free_ps, go_ps + lane.rules->signal_ps);
  signals.scan = std::max(signals.scan, lane.sent.first_after(go_ps - lane.rules->delay_ps));
  signals.stopped_ps = -1;
  return true;
}

}  // namespace sanvp::net::worm
