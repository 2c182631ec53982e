#include "models/net/flit/flit_flow.hpp"

#include <algorithm>

namespace sanvp::net {

std::unique_ptr<Flow> make_flit_flow(const Wiring& wiring, const std::vector<int>& first_lane, EventQueue& queue,
                                     FlowListener& listener) {
  return std::make_unique<flit::FlitFlow>(wiring, first_lane, queue, listener);
}

namespace flit {

FlitFlow::FlitFlow(const Wiring& wiring, const std::vector<int>& first_lane, EventQueue& queue, FlowListener& listener)
    : wiring_(wiring),
      first_lane_(first_lane),
      queue_(queue),
      listener_(listener),
      lanes_(static_cast<std::size_t>(first_lane.back())),
      channels_(wiring.channels.size()) {
  for (std::size_t c = 0; c < channels_.size(); ++c)
    for (int l = first_lane[c]; l < first_lane[c + 1]; ++l) {
      lanes_[l].channel = static_cast<int>(c);
      lanes_[l].credits = buffer_flits(wiring.channels[c].rules.flow);
    }
}

void FlitFlow::start(Leg& leg, std::int64_t earliest_ps) {
  if (free_counts_.empty()) free_counts_.push_back(&counts_.emplace_back());
  leg.flits = free_counts_.back();
  free_counts_.pop_back();
  *leg.flits = {};
  leg.earliest_ps = earliest_ps;
  leg.limit = leg.up == nullptr ? leg.data_length : leg.length;
  lanes_[leg.lane].sender = &leg;
  if (earliest_ps > queue_.now_ps())
    queue_.schedule(
        {.ps = earliest_ps, .handler = this, .kind = k_may_start, .unit = static_cast<std::uint32_t>(leg.channel)});
  else
    wake(leg.channel);
}

void FlitFlow::acknowledge(Leg& source) {
  source.limit = source.length;
  wake(source.channel);
}

void FlitFlow::drain(Leg& leg) {
  leg.drain_from_ps = queue_.now_ps();
  consume_arrived(leg);
}

void FlitFlow::wake(int channel) {
  if (channels_[channel].dirty) return;
  channels_[channel].dirty = true;
  dirty_channels_.push_back(channel);
}

void FlitFlow::handle(const Event& event) {
  const auto unit = static_cast<int>(event.unit);
  switch (static_cast<Kind>(event.kind)) {
    case k_arrival:
      arrive(*static_cast<Leg*>(event.subject));
      break;
    case k_credits:
      lanes_[unit].credits += static_cast<std::int64_t>(event.serial);
      wake(lanes_[unit].channel);
      break;
    case k_signal:
      lanes_[unit].held = event.serial != 0;
      wake(lanes_[unit].channel);
      break;
    case k_channel_idle:
    case k_may_start:
      wake(unit);
      break;
    case k_next_header:
      if (lanes_[unit].front_over_ps <= queue_.now_ps()) announce_header(unit);
      break;
  }
}

const Leg* FlitFlow::before(const Leg& leg) const {
  const auto& fifo = lanes_[static_cast<std::size_t>(leg.lane)].fifo;
  const auto at = std::find(fifo.begin(), fifo.end(), &leg);  // not there yet: it comes after all that are
  return at == fifo.begin() ? nullptr : *std::prev(at);
}

// ---- phase 4

bool FlitFlow::transmit() {
  if (dirty_channels_.empty()) return false;
  bool changed = false;
  std::sort(dirty_channels_.begin(), dirty_channels_.end());
  // Sending frees places in this instant, which may wake channels that were created earlier: they come in the next
  // round.
  std::vector<int> round;
  round.swap(dirty_channels_);
  for (const int channel : round) {
    channels_[channel].dirty = false;
    changed |= send_next(channel);
  }
  return changed || !dirty_channels_.empty();
}

/// Where one virtual channel holds the channel, EOPs go between its flits; their time has been kept before.
bool FlitFlow::send_command(int index) {
  for (int l = first_lane_[index]; l < first_lane_[index + 1]; ++l) {
    Leg* leg = lanes_[l].sender;
    if (leg == nullptr || leg->flits->sent < leg->data_length || !can_send(*leg)) continue;
    if (leg->flits->data_over_ps > queue_.now_ps()) continue;  // not in the middle of its own data
    send_flit(index, *leg);
    return true;
  }
  return false;
}

bool FlitFlow::send_next(int index) {
  Channel& channel = channels_[index];
  const bool hold = wiring_.channels[index].rules.hold;
  bool sent = false;
  while (hold && send_command(index)) sent = true;
  if (channel.busy_until_ps > queue_.now_ps()) return sent;
  if (!channel.tokens.empty()) {
    send_token(index);
    return true;
  }
  const int vcs = wiring_.channels[index].rules.virtual_channels;
  const int first = hold ? channel.last_served : channel.last_served + 1;
  for (int i = 0; i < vcs; ++i) {
    const int vc = (first + i + vcs) % vcs;
    Leg* leg = lanes_[first_lane_[index] + vc].sender;
    if (leg == nullptr || !can_send(*leg)) continue;
    channel.last_served = vc;
    send_flit(index, *leg);
    return true;
  }
  return sent;
}

/// Number of the first flit of the leg that is not there to be sent yet.
std::int64_t FlitFlow::ready(const Leg& leg) const {
  if (leg.up == nullptr) return leg.limit;
  return std::max<std::int64_t>(leg.up->flits->arrived - leg.strip, 0) + leg.prepend;
}

bool FlitFlow::can_send(const Leg& leg) const {
  const Lane& lane = lanes_[leg.lane];
  if (leg.earliest_ps > queue_.now_ps() || leg.flits->sent >= ready(leg)) return false;
  return std::holds_alternative<StopGo>(wiring_.channels[leg.channel].rules.flow) ? !lane.held : lane.credits > 0;
}

void FlitFlow::send_flit(int index, Leg& leg) {
  const ChannelRules& rules = wiring_.channels[index].rules;
  const std::int64_t now_ps = queue_.now_ps();
  Lane& lane = lanes_[leg.lane];
  const std::int64_t k = leg.flits->sent++;
  const bool tail = leg.flits->sent == leg.length;
  std::int64_t over_ps = now_ps + (tail ? rules.tail_time : rules.flit_time).count();
  // The time of an EOP that may come between others' data is kept behind its own.
  if (rules.hold && leg.flits->sent == leg.data_length && !tail) {
    leg.flits->data_over_ps = over_ps;
    queue_.schedule(
        {.ps = over_ps, .handler = this, .kind = k_channel_idle, .unit = static_cast<std::uint32_t>(index)});
    over_ps += rules.tail_time.count();
  }
  const bool command = rules.hold && k >= leg.data_length;
  if (!command) channels_[index].busy_until_ps = over_ps;
  queue_.schedule({.ps = over_ps, .handler = this, .kind = k_channel_idle, .unit = static_cast<std::uint32_t>(index)});
  const std::int64_t arrival_ps = now_ps + (rules.delay - (tail ? rules.tail_lead : Time{0})).count();
  queue_.schedule({.ps = arrival_ps,
                   .handler = this,
                   .subject = &leg,
                   .kind = k_arrival,
                   .unit = static_cast<std::uint32_t>(leg.lane)});
  --lane.credits;
  if (k == 0) {
    leg.header_start_ps = now_ps;
    leg.header_arrival_ps = arrival_ps;
  }
  if (leg.up != nullptr && !leg.reinjected) take_from_fifo(*leg.up);
  if (leg.up == nullptr && leg.flits->sent == leg.data_length) listener_.data_over(leg, over_ps);
  if (tail) {
    lane.sender = nullptr;
    listener_.tail_over(leg, over_ps);
    if (leg.up != nullptr && !leg.reinjected) {
      // The header behind gets to the front when this transmission has ended, if it is in the FIFO already.
      leg.up->tail_over_ps = std::max(leg.up->tail_over_ps, over_ps);
      if (leg.up->flits->consumed == leg.up->length) lanes_[leg.up->lane].front_over_ps = leg.up->tail_over_ps;
      queue_.schedule(
          {.ps = over_ps, .handler = this, .kind = k_next_header, .unit = static_cast<std::uint32_t>(leg.up->lane)});
    }
  }
}

/// A leg fed by `up` has just sent a flit: whatever all legs fed by it have sent leaves the FIFO.
void FlitFlow::take_from_fifo(Leg& up) {
  std::int64_t gone = up.length;
  const auto through = [&](const Leg& down) {
    if (down.flits->sent == 0) return std::int64_t{0};
    return std::max<std::int64_t>(down.flits->sent - down.prepend, 0) + down.strip;
  };
  if (up.fork != nullptr) {
    if (up.fork->branches.size() < up.fork->count) return;
    for (const Leg* branch : up.fork->branches) gone = std::min(gone, through(*branch));
  } else {
    gone = through(*up.down);
  }
  while (up.flits->consumed < gone) {
    ++up.flits->consumed;
    free_place(up.lane);
    if (up.flits->consumed == up.length) lanes_[up.lane].fifo.pop_front();
  }
}

void FlitFlow::free_place(int index) {
  Lane& lane = lanes_[index];
  const Wiring::Channel& channel = wiring_.channels[lane.channel];
  const std::int64_t now_ps = queue_.now_ps();
  --lane.occupancy;
  if (const auto* rule = std::get_if<StopGo>(&channel.rules.flow)) {
    if (lane.said_stop && lane.occupancy < rule->go) {
      lane.said_stop = false;
      queue_.schedule({.ps = now_ps + rule->signal_delay.count(),
                       .handler = this,
                       .serial = 0,
                       .kind = k_signal,
                       .unit = static_cast<std::uint32_t>(index)});
    }
    return;
  }
  const auto& rule = std::get<Credits>(channel.rules.flow);
  if (++lane.places_owed < rule.batch) return;
  lane.places_owed = 0;
  if (rule.token_time > Time{0} && channel.reverse >= 0) {
    channels_[channel.reverse].tokens.push_back(index);
    wake(channel.reverse);
  } else {
    queue_.schedule({.ps = now_ps + rule.return_delay.count(),
                     .handler = this,
                     .serial = static_cast<std::uint32_t>(rule.batch),
                     .kind = k_credits,
                     .unit = static_cast<std::uint32_t>(index)});
  }
}

void FlitFlow::send_token(int index) {
  Channel& channel = channels_[index];
  const int lane = channel.tokens.front();
  channel.tokens.pop_front();
  const auto& rule = std::get<Credits>(wiring_.channels[lanes_[lane].channel].rules.flow);
  channel.busy_until_ps = queue_.now_ps() + rule.token_time.count();
  queue_.schedule({.ps = channel.busy_until_ps,
                   .handler = this,
                   .kind = k_channel_idle,
                   .unit = static_cast<std::uint32_t>(index)});
  const Time on_the_way = wiring_.channels[index].rules.wire + rule.return_delay;
  queue_.schedule({.ps = channel.busy_until_ps + on_the_way.count(),
                   .handler = this,
                   .serial = static_cast<std::uint32_t>(rule.batch),
                   .kind = k_credits,
                   .unit = static_cast<std::uint32_t>(lane)});
}

// ---- phase 1

void FlitFlow::arrive(Leg& leg) {
  Lane& lane = lanes_[leg.lane];
  const bool empty = lane.occupancy == 0;
  if (leg.flits->arrived == 0) lane.fifo.push_back(&leg);
  ++leg.flits->arrived;
  ++lane.occupancy;
  if (!lane.occupancy_changed) {
    lane.occupancy_changed = true;
    changed_lanes_.push_back(leg.lane);
  }
  if (leg.last || leg.drain_from_ps >= 0) {
    if (lane.fifo.front() == &leg) consume_arrived(leg);
    return;
  }
  const bool header = leg.flits->arrived == 1;
  const bool tail = leg.flits->arrived == leg.length;
  if (header && empty) leg.flits->at_front = true;
  if (leg.flits->at_front && (header || tail)) announce_header(leg.lane);
  if (leg.down != nullptr) wake(leg.down->channel);
  if (leg.fork != nullptr)
    for (const Leg* branch : leg.fork->branches) wake(branch->channel);
}

void FlitFlow::announce_header(int index) {
  Lane& lane = lanes_[index];
  if (lane.fifo.empty()) return;
  Leg& leg = *lane.fifo.front();
  leg.flits->at_front = true;
  const Terminal to = wiring_.channels[leg.channel].to;
  const bool whole = to.kind == Terminal::Kind::switch_ && wiring_.switches[to.unit].rules.store_and_forward;
  if (leg.flits->announced || leg.last || leg.drain_from_ps >= 0 || (whole && leg.flits->arrived < leg.length)) return;
  leg.flits->announced = true;
  listener_.header_at_front(leg, queue_.now_ps());
}

/// A far end that takes everything takes what has arrived of the leg at the front of its FIFO.
void FlitFlow::consume_arrived(Leg& leg) {
  Lane& lane = lanes_[leg.lane];
  const std::int64_t now_ps = queue_.now_ps();
  while (leg.flits->consumed < leg.flits->arrived) {
    ++leg.flits->consumed;
    free_place(leg.lane);
    if (leg.last && leg.flits->consumed == leg.data_length) listener_.data_arrived(leg, now_ps);
  }
  if (leg.down != nullptr) wake(leg.down->channel);
  if (leg.flits->consumed < leg.length) return;
  lane.fifo.pop_front();
  listener_.drained(leg, now_ps);
  lane.front_over_ps = now_ps;
  if (lane.fifo.empty()) return;
  if (Leg& next = *lane.fifo.front(); next.last)
    consume_arrived(next);
  else
    announce_header(leg.lane);
}

// ---- phase 5

void FlitFlow::close_instant() {
  for (const int index : changed_lanes_) {
    Lane& lane = lanes_[index];
    lane.occupancy_changed = false;
    const auto* rule = std::get_if<StopGo>(&wiring_.channels[lane.channel].rules.flow);
    if (rule == nullptr || lane.said_stop || lane.occupancy <= rule->stop) continue;
    lane.said_stop = true;
    queue_.schedule({.ps = queue_.now_ps() + rule->signal_delay.count(),
                     .handler = this,
                     .serial = 1,
                     .kind = k_signal,
                     .unit = static_cast<std::uint32_t>(index)});
  }
  changed_lanes_.clear();
}

}  // namespace flit
}  // namespace sanvp::net
