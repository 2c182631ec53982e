/// Channels that go on with a virtual channel until it can send no more (ChannelRules::hold). A lane's plan is cut into
/// stretches of flits that follow each other without a pause; while one is sent, those of the other lanes are put off
/// to its end. At that end, and when another stretch begins, the channel is looked at again.

#include <algorithm>

#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {
namespace {

/// A circuit's EOP, of the lane's present leg or of the one before, goes between the data.
bool is_command(const Lane& lane, std::int64_t n) {
  const Leg* leg = lane.newest;
  if (!lane.rules->circuits) return false;
  return leg == nullptr ? n == lane.sent.end() - 1 : n == leg->base + leg->data_length || n == leg->base - 1;
}

/// When the channel is through with flit n of the lane, which starts at `ps`: the time of the EOP is kept behind the
/// data.
std::int64_t over(const Lane& lane, std::int64_t n, std::int64_t ps) {
  return ps + lane.rules->flit_ps + (is_command(lane, n + 1) ? lane.rules->tail_ps : 0);
}

}  // namespace

/// The first stretch of which a flit begins at `from_ps` or later.
WormFlow::Stretch WormFlow::stretch(const Lane& lane, std::int64_t from_ps) const {
  const std::int64_t end = lane.sent.end();
  std::int64_t n = lane.sent.last_ps() < from_ps ? end : lane.sent.first_after(from_ps - 1);
  if (n >= end || is_command(lane, n)) return {};
  const std::int64_t flit_ps = lane.rules->flit_ps;
  Stretch found{.first = n, .begin_ps = lane.sent.search(n).ps};
  found.end_ps = found.begin_ps;
  while (n < end && !is_command(lane, n)) {
    const Run run = lane.sent.search(n);
    if (run.ps > found.end_ps) break;
    const bool steady = run.period <= flit_ps;
    found.end_ps = (steady ? run.last() : run.ps) + flit_ps;
    if (!steady && run.count > 1) break;
    n += run.count;
    if (is_command(lane, n)) found.end_ps += lane.rules->tail_ps;
  }
  return found;
}

/// What is about to be planned does not begin before the stretch that another lane sends now is over, as far as that is
/// known.
void WormFlow::wait_for_holder(Lane& lane, const Leg& leg) {
  if (is_command(lane, lane.sent.end())) return;
  const std::int64_t now_ps = queue_.now_ps();
  const Channel& channel = channels_[static_cast<std::size_t>(leg.channel)];
  // An EOP's time may be all that is left of another lane's, whose rules are those of the channel.
  const std::int64_t since_ps = now_ps - lane.rules->flit_ps - lane.rules->tail_ps + 1;
  if (channel.company_until_ps(leg.lane) < since_ps) return;
  for (int l = channel.first_lane; l < channel.first_lane + channel.lanes; ++l) {
    const Lane& other = lanes_[static_cast<std::size_t>(l)];
    if (&other == &lane || other.sent.last_ps() < since_ps) continue;
    const Stretch sent = stretch(other, since_ps);
    if (sent.first >= 0 && sent.begin_ps < now_ps) lane.free_ps = std::max(lane.free_ps, sent.end_ps);
  }
}

void WormFlow::hold(int index) {
  Channel& channel = channels_[static_cast<std::size_t>(index)];
  channel.look_at_ps = queue_.now_ps();  // it is being looked at: what is cut here needs no second look
  const std::int64_t now_ps = queue_.now_ps();
  const auto lane_at = [&](int l) -> Lane& {
    return lanes_[static_cast<std::size_t>(channel.first_lane + l % channel.lanes)];
  };

  // Who was served last, and when the channel is through with that.
  int served_last = channel.lanes - 1;
  std::int64_t through_ps = 0;
  for (int l = 0; l < channel.lanes; ++l) {
    const Lane& lane = lane_at(l);
    if (lane.sent.end() == 0 || lane.sent.last_ps() <= long_ago) continue;
    std::int64_t n = lane.sent.first_after(now_ps - 1) - 1;
    if (n >= 0 && is_command(lane, n)) --n;
    if (n < 0) continue;
    const std::int64_t sent_ps = lane.sent.search(n).ps;
    if (sent_ps <= long_ago) continue;
    if (const std::int64_t over_ps = over(lane, n, sent_ps); over_ps > through_ps) {
      through_ps = over_ps;
      served_last = l;
    }
  }

  const std::int64_t slot_ps = std::max(now_ps, through_ps);

  // It goes on, or else the next one in turn that can.
  int holder = -1;
  Stretch held;
  for (int i = 0; i < channel.lanes && holder < 0; ++i) {
    held = stretch(lane_at(served_last + i), now_ps);
    if (held.first >= 0 && held.begin_ps <= slot_ps) holder = (served_last + i) % channel.lanes;
  }
  std::int64_t next_ps = INT64_MAX;
  const auto put_off = [&](Lane& lane, std::int64_t first, std::int64_t to_ps) {
    cut(lane, first);
    lane.free_ps = std::max(to_ps, lane.newest->earliest_ps);
    next_ps = std::min(next_ps, to_ps);
  };
  if (holder >= 0 && held.begin_ps < slot_ps && lane_at(holder).sent.search(held.first).ps < slot_ps) {
    put_off(lane_at(holder), held.first, slot_ps);  // planned from before the channel is free on
    held.end_ps = slot_ps;
  }
  const std::int64_t over_ps = holder >= 0 ? held.end_ps : slot_ps;
  for (int l = 0; l < channel.lanes; ++l) {
    if (l == holder) continue;
    Lane& lane = lane_at(l);
    const Stretch waits = stretch(lane, now_ps);
    if (waits.first < 0) continue;
    if (waits.begin_ps < over_ps)
      put_off(lane, waits.first, over_ps);
    else
      next_ps = std::min(next_ps, waits.begin_ps);
  }
  channel.look_at_ps = -1;
  if (next_ps != INT64_MAX) watch(index, std::max(next_ps, now_ps + 1));
}

}  // namespace sanvp::net::worm
