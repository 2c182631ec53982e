/// Plans that are taken back; and channels that flow-control tokens share with lanes. While tokens are sent, a lane's
/// flits follow each other at a *pace*: the flit time times the lanes that send, plus the tokens' share. When a lane or
/// the tokens begin or stop, what was planned for later on the channel is taken back, with everything that followed
/// from it, and planned anew.
///
/// Tokens are the one place where the worm fidelity is not exact: it is right on average.
/// tests/unit/transport_sharing.cpp prints and bounds the deviation.

#include <algorithm>

#include "models/net/network.hpp"
#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

void WormFlow::watch(int channel, std::int64_t ps) {
  const auto look_at = [&](int c, std::int64_t at_ps) {
    Channel& shared = channels_[static_cast<std::size_t>(c)];
    at_ps = std::max(at_ps, queue_.now_ps());
    if (shared.look_at_ps >= 0 && shared.look_at_ps <= at_ps) return;
    shared.look_at_ps = at_ps;
    queue_.schedule({.ps = at_ps, .handler = this, .unit = static_cast<std::uint32_t>(c)});
  };
  look_at(channel, ps);
  if (const int other = channels_[static_cast<std::size_t>(channel)].tokens_on; other >= 0) look_at(other, ps);
}

void WormFlow::handle(const Event& event) {
  Channel& channel = channels_[event.unit];
  if (channel.look_at_ps != event.ps) return;
  channel.look_at_ps = -1;
  if (lanes_[static_cast<std::size_t>(channel.first_lane)].rules->turns)
    take_turns(static_cast<int>(event.unit));
  else
    share(static_cast<int>(event.unit));
  spread();
}

/// Whether the lane sends now. Brings `begins_ps` forward to when it will begin, or `ends_ps` to when it will pause, as
/// far as is known.
bool WormFlow::is_sending(const Lane& lane, std::int64_t& begins_ps, std::int64_t& ends_ps) const {
  const std::int64_t now_ps = queue_.now_ps();
  if (lane.sent.last_ps() < now_ps) return false;
  const Run run = lane.sent.search(lane.sent.first_after(now_ps - 1));
  const std::int64_t pause_ps = 2 * lane.pace_ps;
  if (run.ps > now_ps + pause_ps) {
    begins_ps = std::min(begins_ps, run.ps);
    return false;
  }
  ends_ps = std::min(ends_ps, run.period > pause_ps ? run.ps + lane.pace_ps : run.last() + lane.pace_ps);
  return true;
}

/// Whether anything but the hop's lane is planned to be sent on its channel, or tokens for what comes the other way.
bool WormFlow::has_company(const Hop& hop) const {
  const std::int64_t now_ps = queue_.now_ps();
  const auto busy = [&](int c) {
    if (c < 0) return false;
    const Channel& channel = channels_[static_cast<std::size_t>(c)];
    if (channel.company_until_ps(hop.lane) < now_ps) return false;
    for (int l = channel.first_lane; l < channel.first_lane + channel.lanes; ++l)
      if (l != hop.lane && lanes_[static_cast<std::size_t>(l)].sent.last_ps() >= now_ps) return true;
    return false;
  };
  const Channel& channel = channels_[static_cast<std::size_t>(hop.channel)];
  return busy(hop.channel) || busy(channel.tokens_of) || busy(channel.tokens_on);
}

/// Time per flit that goes to tokens for what `other` sends in the other direction: one for each batch, whose flits
/// come at about this lane's pace. Of a packet shorter than a batch it counts whether its flits complete one.
std::int64_t WormFlow::token_share(const Channel& channel, const Lane& other) {
  const std::int64_t batch = other.rules->batch;
  const Hop* hop = other.newest;
  if (hop == nullptr || hop->length >= batch) return channel.token_share_ps;
  const bool completes_one = (hop->flow.base + hop->length) / batch > hop->flow.base / batch;
  return completes_one ? channel.token_share_ps * batch / hop->length : 0;
}

/// The pace of a lane on the channel; `newcomer` counts as sending.
std::int64_t WormFlow::pace(int index, const Lane* newcomer) const {
  const Channel& channel = channels_[static_cast<std::size_t>(index)];
  std::int64_t begins_ps = INT64_MAX;
  std::int64_t ends_ps = INT64_MAX;
  std::int64_t senders = 0;
  for (int l = channel.first_lane; l < channel.first_lane + channel.lanes; ++l) {
    const Lane& lane = lanes_[static_cast<std::size_t>(l)];
    senders += &lane == newcomer || is_sending(lane, begins_ps, ends_ps) ? 1 : 0;
  }
  std::int64_t each_ps = lanes_[static_cast<std::size_t>(channel.first_lane)].rules->flit_ps;
  if (channel.tokens_of >= 0) {
    const Channel& other = channels_[static_cast<std::size_t>(channel.tokens_of)];
    for (int l = other.first_lane; l < other.first_lane + other.lanes; ++l)
      if (is_sending(lanes_[static_cast<std::size_t>(l)], begins_ps, ends_ps)) {
        each_ps += token_share(channel, lanes_[static_cast<std::size_t>(l)]);
        break;
      }
  }
  return std::max<std::int64_t>(senders, 1) * each_ps;
}

void WormFlow::share(int index) {
  const Channel& channel = channels_[static_cast<std::size_t>(index)];
  const std::int64_t now_ps = queue_.now_ps();
  std::int64_t begins_ps = INT64_MAX;
  std::int64_t ends_ps = INT64_MAX;
  int senders = 0;
  const std::int64_t pace_ps = pace(index, nullptr);
  const auto lanes = [&](auto act) {
    for (int l = channel.first_lane; l < channel.first_lane + channel.lanes; ++l)
      act(lanes_[static_cast<std::size_t>(l)]);
  };
  if (channel.tokens_of >= 0) {
    const Channel& other = channels_[static_cast<std::size_t>(channel.tokens_of)];
    for (int l = other.first_lane; l < other.first_lane + other.lanes; ++l)
      senders += is_sending(lanes_[static_cast<std::size_t>(l)], begins_ps, ends_ps) ? 1 : 0;
  }

  // Those whose pace changes are planned anew, in turn after the lane that was served last.
  std::vector<Lane*> anew;
  std::int64_t busy_until_ps = 0;
  const Lane* served_last = nullptr;
  lanes([&](Lane& lane) {
    if (is_sending(lane, begins_ps, ends_ps)) {
      ++senders;
      if (lane.pace_ps != pace_ps) anew.push_back(&lane);
    }
    lane.pace_ps = pace_ps;
    const std::int64_t n = lane.sent.first_after(now_ps - 1);
    if (n == 0) return;
    const std::int64_t sent_ps = lane.sent.search(n - 1).ps;
    if (sent_ps <= long_ago) return;
    if (const std::int64_t over_ps = sent_ps + lane.rules->flit_ps; over_ps > busy_until_ps) {
      busy_until_ps = over_ps;
      served_last = &lane;
    }
  });
  if (!anew.empty()) {
    if (served_last != nullptr) {
      const auto after = std::find_if(anew.begin(), anew.end(), [&](const Lane* lane) { return lane > served_last; });
      std::rotate(anew.begin(), after, anew.end());
    }
    std::int64_t start_ps = std::max(now_ps, busy_until_ps);
    for (Lane* lane : anew) {
      const std::int64_t from = lane->sent.first_after(now_ps - 1);
      if (from >= lane->sent.end()) continue;  // gone with what another lane lost
      const std::int64_t planned_ps = lane->sent.search(from).ps;
      cut(*lane, from);
      lane->free_ps = std::max(start_ps, lane->newest->flow.earliest_ps);
      start_ps = std::max(start_ps, planned_ps) + lane->rules->flit_ps;
    }
    ends_ps = std::min(ends_ps, now_ps + pace_ps);
  }
  // The end of a lane that sends alone is nobody else's concern.
  if (senders > 1) begins_ps = std::min(begins_ps, ends_ps);
  if (begins_ps != INT64_MAX) watch(index, std::max(begins_ps, now_ps + 1));
}

/// Less is known of the lane's flits from n on, which all lie in the future: takes them back.
void WormFlow::cut(Lane& lane, std::int64_t n) {
  if (n > lane.sent.end() || (n == lane.sent.end() && lane.sending == nullptr)) return;
  if (!lane.rules->turns) return take_back(lane, n);
  // Whatever its next flit will be, others have been planned with what it was.
  const Hop& hop = *lane.newest;
  n = std::max(n, hop.flow.base);
  unsee(hop);
  if (n == lane.sent.end()) return;
  const std::int64_t first_ps = lane.sent.search(n).ps;
  take_back(lane, n);
  if (!lane.rules->hold || n != hop.flow.base + hop.data_length) cut_turns(hop.channel, first_ps);
}

/// Takes back the flits from n on, and what follows from them: on the lanes behind, where they would have arrived, and
/// on those before, where their places would have become free.
void WormFlow::take_back(Lane& lane, std::int64_t n) {
  if (n >= lane.sent.end()) return;
  Hop& hop = *lane.newest;
  n = std::max(n, hop.flow.base);
  const bool had_tail = lane.sent.end() == hop.flow.base + hop.length;
  lane.sent.cut(n);
  if (lane.rules->turns) had_turns_until(lane, hop, n);
  lane.sending = &hop;
  lane.free_ps = n > hop.flow.base ? lane.sent.last_ps() + lane.pace_ps : hop.flow.earliest_ps;
  if (n == hop.flow.base) {
    hop.header_start_ps = hop.header_arrival_ps = -1;
    not_at_front(lane, hop);
  }
  if (n < hop.flow.base + hop.data_length) {
    hop.due.arrival_ps = -1;
    if (hop.up == nullptr) network_.data_over(hop, -1);
  }
  if (had_tail) {
    hop.due.release_ps = hop.flow.own_tail_ps = hop.due.drained_ps = -1;
    if (lane.rules->store_and_forward) not_at_front(lane, hop);  // the header waits for the tail
    if (hop.up != nullptr && !hop.reinjected) not_through(*hop.up);
    if (hop.flow.drain_from_ps >= 0) not_through(hop);
  }
  if (hop.up != nullptr && !hop.reinjected) {
    Lane& up_lane = lane_of(*hop.up);
    // What the switch removes has left with the first flit.
    const std::int64_t left =
        n == hop.flow.base ? 0 : std::max<std::int64_t>(n - hop.flow.base - hop.prepend, 0) + hop.strip;
    cut_places(up_lane, hop.up->flow.base + left);
  }
  if (hop.flow.drain_from_ps >= 0) {
    cut_places(lane, n);
    if (hop.last) arriving_.push_back(&hop);
  }
  const auto cut_supply = [&](Hop& down) {
    cut(lane_of(down), down.flow.base + std::max<std::int64_t>(n - hop.flow.base - down.strip, 0) + down.prepend);
  };
  if (hop.down != nullptr) cut_supply(*hop.down);
  if (hop.fork != nullptr)
    for (Hop* branch : hop.fork->branches) cut_supply(*branch);
  work_.push_back(&lane);
}

/// Places from n on are not known to become free any more.
void WormFlow::cut_places(Lane& lane, std::int64_t n) {
  if (lane.rules->roomy || n >= lane.freed.end()) return;
  lane.freed.cut(n);
  cut(lane, lane.freed.end() / lane.rules->batch * lane.rules->batch + lane.rules->buffer);
}

/// The hop's header is not known to reach the front any more.
void WormFlow::not_at_front(Lane& lane, Hop& hop) {
  hop.due.front_ps = hop.due.request_ps = -1;
  if (!hop.last || hop.flow.drain_from_ps < 0) return;
  hop.flow.drain_from_ps = -1;
  hop.due.arrival_ps = hop.due.drained_ps = -1;
  not_through(hop);
  cut_places(lane, hop.flow.base);
}

/// The hop's tail is not known to leave its FIFO any more, so the hop behind is not at the front.
void WormFlow::not_through(Hop& hop) {
  if (hop.flow.tail_left_ps < 0) return;
  hop.flow.tail_left_ps = hop.flow.tail_over_ps = -1;
  Lane& lane = lane_of(hop);
  if (hop.flow.behind != nullptr) not_at_front(lane, *hop.flow.behind);
  lane.front = &hop;
  lane.front_left_ps = hop.flow.before_left_ps;
  lane.front_over_ps = hop.flow.before_over_ps;
}

}  // namespace sanvp::net::worm
