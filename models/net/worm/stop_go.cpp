#include "models/net/worm/stop_go.hpp"

#include <algorithm>

namespace sanvp::net::worm {
namespace {

/// When a STOP caused by an arrival at `ps` binds: it is sent at the end of that instant, so not before the next one.
std::int64_t stop_binds(const Lane& lane, std::int64_t ps) {
  return ps + std::max<std::int64_t>(lane.rules->signal_ps, 1);
}

std::int64_t arrival(const Lane& lane, std::int64_t n) { return lane.sent.at(n) + lane.rules->delay_ps; }

/// The departure that makes the FIFO fall below `go` after the STOP, or -1 while it is not known.
std::int64_t go_departure(const Lane& lane) {
  for (std::int64_t d = lane.stopped_by - lane.rules->stop; d < lane.freed.end();) {
    Run left = lane.freed.from(d);
    // A departure in the STOP's own instant came before the STOP.
    if (left.last() <= lane.stopped_ps) {
      d += left.count;
      continue;
    }
    if (d + lane.rules->go >= lane.sent.end()) return d + left.first_after(lane.stopped_ps);
    Run arrived = lane.sent.from(d + lane.rules->go);
    arrived.ps += lane.rules->delay_ps;
    const std::int64_t count = std::min(left.count, arrived.count);
    // Times within runs lie on lines: if both ends are below, all are.
    if (arrived.ps > left.ps || arrived.at(count - 1) > left.at(count - 1))
      for (std::int64_t k = 0; k < count; ++k)
        if (left.at(k) > lane.stopped_ps && arrived.at(k) > left.at(k)) return d + k;
    d += count;
  }
  return -1;
}

}  // namespace

Gate gate(Lane& lane) {
  while (lane.stopped_ps < 0) {
    if (lane.scan >= lane.sent.end()) return {};
    const std::int64_t n = lane.scan;
    if (n >= lane.rules->stop) {
      // Not known to have left: it leaves at some later instant, perhaps in time. What starts before a STOP could bind
      // may start in any case.
      if (n - lane.rules->stop >= lane.freed.end())
        return {.closes_ps = stop_binds(lane, arrival(lane, n)), .closes = true};
      const Run places = lane.freed.from(n - lane.rules->stop);
      const Run flits = lane.sent.from(n);
      const std::int64_t count = std::min({places.count, flits.count, lane.sent.end() - n});
      if (places.ps > flits.ps + lane.rules->delay_ps) {
        lane.stopped_ps = flits.ps + lane.rules->delay_ps;
        lane.stopped_by = n;
      } else if (places.at(count - 1) <= flits.at(count - 1) + lane.rules->delay_ps) {
        lane.scan += count;
        continue;
      }
    }
    ++lane.scan;
  }
  Gate result{.closes_ps = stop_binds(lane, lane.stopped_ps), .closes = true};
  if (const std::int64_t d = go_departure(lane); d >= 0) {
    result.opens = true;
    result.opens_ps = lane.freed.at(d) + lane.rules->signal_ps;
  }
  return result;
}

void reopened(Lane& lane, const Gate& gate) {
  lane.scan = std::max(lane.scan, lane.sent.first_after(gate.opens_ps - lane.rules->signal_ps - lane.rules->delay_ps));
  lane.stopped_ps = -1;
}

std::int64_t certainly_go(const Lane& lane, const Run& run) {
  if (lane.stopped_ps >= 0 || lane.scan < lane.sent.end()) return 0;
  const std::int64_t n = lane.sent.end();
  if (n < lane.rules->stop) return std::min(run.count, lane.rules->stop - n);
  if (n - lane.rules->stop >= lane.freed.end()) return 0;
  const Run places = lane.freed.from(n - lane.rules->stop);
  const std::int64_t count = std::min(places.count, run.count);
  const bool first = places.ps <= run.ps + lane.rules->delay_ps;
  const bool last = places.at(count - 1) <= run.at(count - 1) + lane.rules->delay_ps;
  return first && last ? count : 0;
}

}  // namespace sanvp::net::worm
