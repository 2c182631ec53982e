#include "models/net/worm/stop_go.hpp"

#include <algorithm>

#include "models/net/worm/planning.hpp"

namespace sanvp::net::worm {
namespace {

/// The departure that makes the FIFO fall below `go` after the STOP, or -1 while it is not known.
std::int64_t go_departure(const VirtualChannel& vc) {
  const StopGoState& signals = *vc.signals;
  for (std::int64_t d = signals.stopped_by - vc.rules->stop; d < vc.freed.end();) {
    const Run left = vc.freed.search(d);
    // A departure in the STOP's own instant came before the STOP.
    if (left.last() <= signals.stopped_ps) {
      d += left.count;
      continue;
    }
    if (left.ps <= signals.stopped_ps) {
      d += left.first_after(signals.stopped_ps);
      continue;
    }
    if (d + vc.rules->go >= vc.sent.end()) return d;
    Run arrived = vc.sent.search(d + vc.rules->go);
    arrived.ps += vc.rules->delay_ps;
    const std::int64_t count = std::min(left.count, arrived.count);
    const std::int64_t missing = first_later(arrived, left, count);
    d += missing;
    if (missing < count) return d;
  }
  return -1;
}

/// The first arrival from signals.scan on, those of `run` included, that may still trigger STOP: it triggers one
/// (signals.stopped_ps), or the departure that decides is not known. @return flits that arrive from then on
Run first_doubtful(VirtualChannel& vc, const Run& run) {
  const VcRules& rules = *vc.rules;
  StopGoState& signals = *vc.signals;
  const std::int64_t next = vc.sent.end();
  const std::int64_t end = next + run.count;
  signals.scan = std::max(signals.scan, std::min(rules.stop, end));
  while (signals.scan < end) {
    Run arriving = signals.scan < next ? vc.sent.search(signals.scan)
                                       : Run{run.at(signals.scan - next), run.period, end - signals.scan};
    arriving.ps += rules.delay_ps;
    while (arriving.count > 0) {
      if (signals.scan - rules.stop >= vc.freed.end()) return arriving;
      const Run slots = vc.freed.search(signals.scan - rules.stop);
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

std::int64_t flits_before_stop(VirtualChannel& vc, const Run& run) {
  StopGoState& signals = *vc.signals;
  std::int64_t stop_ps = signals.stopped_ps;
  signals.awaited = -1;
  if (stop_ps < 0) {
    const Run doubtful = first_doubtful(vc, run);
    if (doubtful.count == 0) return run.count;
    stop_ps = doubtful.ps;
    if (signals.stopped_ps < 0) signals.awaited = signals.scan - vc.rules->stop;
  }
  // It is sent at the end of that instant, so it does not bind before the next one.
  signals.binds_ps = stop_ps + std::max<std::int64_t>(vc.rules->signal_ps, 1);
  if (run.ps >= signals.binds_ps) return 0;
  return run.last() < signals.binds_ps ? run.count : (signals.binds_ps - 1 - run.ps) / run.period + 1;
}

bool wait_for_go(VirtualChannel& vc) {
  StopGoState& signals = *vc.signals;
  if (signals.stopped_ps < 0) return false;
  const std::int64_t d = go_departure(vc);
  if (d < 0) return false;
  const std::int64_t go_ps = vc.freed.at(d);
  vc.free_ps = std::max(vc.free_ps, go_ps + vc.rules->signal_ps);
  signals.scan = std::max(signals.scan, vc.sent.first_after(go_ps - vc.rules->delay_ps));
  signals.stopped_ps = -1;
  return true;
}

}  // namespace sanvp::net::worm
