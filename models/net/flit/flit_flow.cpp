#include "models/net/flit/flit_flow.hpp"

#include <algorithm>

#include "models/net/network.hpp"

namespace sanvp::net {

std::unique_ptr<Flow> make_flit_flow(const Wiring& wiring, const std::vector<int>& first_vc, EventQueue& queue,
                                     Network& network) {
  return std::make_unique<flit::FlitFlow>(wiring, first_vc, queue, network);
}

namespace flit {

FlitFlow::FlitFlow(const Wiring& wiring, const std::vector<int>& first_vc, EventQueue& queue, Network& network)
    : first_vc_(first_vc),
      queue_(queue),
      network_(network),
      vcs_(static_cast<std::size_t>(first_vc.back())),
      channels_(wiring.channels.size()) {
  for (std::size_t c = 0; c < channels_.size(); ++c)
    for (int l = first_vc[c]; l < first_vc[c + 1]; ++l) {
      vcs_[l].channel = static_cast<int>(c);
      vcs_[l].credits = buffer_flits(wiring.channels[c].rules.flow);
    }
}

std::int64_t FlitFlow::buffered(int vc) const {
  const VirtualChannel& of = vcs_[vc];
  const std::int64_t now_ps = queue_.now_ps();
  const std::int64_t delay_ps = network_.wiring().channels[of.channel].rules.delay.count();
  const auto arrived = std::ranges::lower_bound(of.started_ps, now_ps - delay_ps) - of.started_ps.begin();
  const auto left = std::ranges::lower_bound(of.left_ps, now_ps) - of.left_ps.begin();
  return of.arrived + arrived - of.left - left;
}

bool FlitFlow::is_idle(int channel) const {
  for (int l = first_vc_[channel]; l < first_vc_[channel + 1]; ++l) {
    const VirtualChannel& vc = vcs_[l];
    if (vc.sender != nullptr || vc.on_the_way > 0 || vc.occupancy > 0 || vc.tokens_waiting > 0 ||
        vc.settled_ps >= queue_.now_ps())
      return false;
  }
  return true;
}

Flow::Started FlitFlow::started(const Hop& hop) const { return {hop.flow.flits->sent, hop.flow.flits->sent_ps}; }

/// Remembers that a flit started on a virtual channel, or left the buffer at its end, as far as buffered() may ask.
void FlitFlow::note(std::deque<std::int64_t>& instants_ps, std::int64_t& before, std::int64_t past_ps) const {
  while (!instants_ps.empty() && instants_ps.front() < past_ps) {
    instants_ps.pop_front();
    ++before;
  }
  instants_ps.push_back(queue_.now_ps());
}

void FlitFlow::start(Hop& hop, std::int64_t earliest_ps) {
  if (free_counts_.empty()) free_counts_.push_back(&counts_.emplace_back());
  hop.flow.flits = free_counts_.back();
  free_counts_.pop_back();
  *hop.flow.flits = {};
  hop.flow.earliest_ps = earliest_ps;
  hop.flow.limit = hop.up == nullptr ? hop.data_length : hop.length;
  vcs_[hop.vc_index].sender = &hop;
  if (earliest_ps > queue_.now_ps())
    queue_.schedule(
        {.ps = earliest_ps, .handler = this, .kind = may_start, .unit = static_cast<std::uint32_t>(hop.channel)});
  else
    wake(hop.channel);
}

void FlitFlow::acknowledge(Hop& source) {
  source.flow.limit = source.length;
  wake(source.channel);
}

void FlitFlow::drain(Hop& hop) {
  hop.flow.drain_from_ps = queue_.now_ps();
  consume_arrived(hop);
}

void FlitFlow::wake(int channel) {
  if (channels_[channel].dirty) return;
  channels_[channel].dirty = true;
  dirty_channels_.push_back(channel);
}

void FlitFlow::handle(const Event& event) {
  if (event.kind >= first_control) {
    --controls_;
    queue_.end_background();
  }
  const auto unit = static_cast<int>(event.unit);
  switch (static_cast<Kind>(event.kind)) {
    case flit_arrives:
      arrive(*static_cast<Hop*>(event.subject));
      break;
    case credits_arrive:
      vcs_[unit].credits += static_cast<std::int64_t>(event.serial);
      wake(vcs_[unit].channel);
      break;
    case signal_binds:
      vcs_[unit].held = event.serial != 0;
      wake(vcs_[unit].channel);
      break;
    case channel_idle:
    case may_start:
      wake(unit);
      break;
    case next_header:
      if (vcs_[unit].front_over_ps <= queue_.now_ps()) announce_header(unit);
      break;
  }
}

const Hop* FlitFlow::before(const Hop& hop) const {
  const auto& fifo = vcs_[static_cast<std::size_t>(hop.vc_index)].fifo;
  const auto at = std::find(fifo.begin(), fifo.end(), &hop);  // not there yet: it comes after all that are
  return at == fifo.begin() ? nullptr : *std::prev(at);
}

// ---- phase 4

bool FlitFlow::transmit() {
  if (dirty_channels_.empty()) return false;
  bool changed = false;
  std::sort(dirty_channels_.begin(), dirty_channels_.end());
  // Sending frees buffer slots in this instant, which may wake channels that were created earlier: they come in the
  // next round.
  std::vector<int> round;
  round.swap(dirty_channels_);
  for (const int channel : round) {
    channels_[channel].dirty = false;
    changed |= send_next(channel);
  }
  return changed || !dirty_channels_.empty();
}

/// If one virtual channel holds the channel, EOPs go between its flits; their time has already been reserved.
bool FlitFlow::send_command(int index) {
  for (int l = first_vc_[index]; l < first_vc_[index + 1]; ++l) {
    Hop* hop = vcs_[l].sender;
    if (hop == nullptr || hop->flow.flits->sent < hop->data_length || !can_send(*hop)) continue;
    if (hop->flow.flits->data_over_ps > queue_.now_ps()) continue;  // not in the middle of its own data
    send_flit(index, *hop);
    return true;
  }
  return false;
}

bool FlitFlow::send_next(int index) {
  Channel& channel = channels_[index];
  const bool hold = network_.wiring().channels[index].rules.hold;
  bool sent = false;
  while (hold && send_command(index)) sent = true;
  if (channel.busy_until_ps > queue_.now_ps()) return sent;
  if (!channel.tokens.empty()) {
    send_token(index);
    return true;
  }
  const int vcs = network_.wiring().channels[index].rules.virtual_channels;
  const int first = hold ? channel.last_served : channel.last_served + 1;
  for (int i = 0; i < vcs; ++i) {
    const int vc = (first + i + vcs) % vcs;
    Hop* hop = vcs_[first_vc_[index] + vc].sender;
    if (hop == nullptr || !can_send(*hop)) continue;
    channel.last_served = vc;
    send_flit(index, *hop);
    return true;
  }
  return sent;
}

/// Number of the first flit of the hop that is not there to be sent yet.
std::int64_t FlitFlow::ready(const Hop& hop) const {
  if (hop.up == nullptr) return hop.flow.limit;
  return std::max<std::int64_t>(hop.up->flow.flits->arrived - hop.strip, 0) + hop.prepend;
}

bool FlitFlow::can_send(const Hop& hop) const {
  const VirtualChannel& vc = vcs_[hop.vc_index];
  if (hop.flow.earliest_ps > queue_.now_ps() || hop.flow.flits->sent >= ready(hop)) return false;
  return std::holds_alternative<StopGo>(network_.wiring().channels[hop.channel].rules.flow) ? !vc.held : vc.credits > 0;
}

void FlitFlow::send_flit(int index, Hop& hop) {
  const ChannelRules& rules = network_.wiring().channels[index].rules;
  const std::int64_t now_ps = queue_.now_ps();
  VirtualChannel& vc = vcs_[hop.vc_index];
  const std::int64_t k = hop.flow.flits->sent++;
  hop.flow.flits->sent_ps = now_ps;
  if (FlitObserver* observer = network_.flit_observer()) observer->flit_sent(hop, k, Time{now_ps});
  const bool tail = hop.flow.flits->sent == hop.length;
  std::int64_t over_ps = now_ps + (tail ? rules.tail_time : rules.flit_time).count();
  // Behind its own data a circuit keeps the time of its EOP, which may go between the data of others.
  if (rules.hold && hop.flow.flits->sent == hop.data_length && !tail) {
    hop.flow.flits->data_over_ps = over_ps;
    schedule_control({.ps = over_ps, .handler = this, .kind = channel_idle, .unit = static_cast<std::uint32_t>(index)});
    over_ps += rules.tail_time.count();
  }
  const bool command = rules.hold && k >= hop.data_length;
  if (!command) channels_[index].busy_until_ps = over_ps;
  schedule_control({.ps = over_ps, .handler = this, .kind = channel_idle, .unit = static_cast<std::uint32_t>(index)});
  const std::int64_t arrival_ps = now_ps + (rules.delay - (tail ? rules.tail_lead : Time{0})).count();
  queue_.schedule({.ps = arrival_ps,
                   .handler = this,
                   .subject = &hop,
                   .kind = flit_arrives,
                   .unit = static_cast<std::uint32_t>(hop.vc_index)});
  --vc.credits;
  ++vc.on_the_way;
  vc.settled_ps = std::max(vc.settled_ps, over_ps);
  if (network_.wiring().looks_at_queues) note(vc.started_ps, vc.arrived, now_ps - rules.delay.count());
  if (k == 0) {
    hop.header_start_ps = now_ps;
    hop.header_arrival_ps = arrival_ps;
  }
  if (hop.up != nullptr && !hop.reinjected) take_from_fifo(*hop.up);
  if (hop.up == nullptr && hop.flow.flits->sent == hop.data_length) network_.data_over(hop, over_ps);
  if (tail) {
    vc.sender = nullptr;
    network_.tail_over(hop, over_ps);
    if (hop.up != nullptr && !hop.reinjected) {
      // The header behind gets to the front when this transmission has ended, if it is in the FIFO already.
      hop.up->flow.tail_over_ps = std::max(hop.up->flow.tail_over_ps, over_ps);
      if (hop.up->flow.flits->consumed == hop.up->length)
        vcs_[hop.up->vc_index].front_over_ps = hop.up->flow.tail_over_ps;
      schedule_control(
          {.ps = over_ps, .handler = this, .kind = next_header, .unit = static_cast<std::uint32_t>(hop.up->vc_index)});
    }
  }
}

/// A hop fed by `up` has just sent a flit: whatever all hops fed by it have sent leaves the FIFO.
void FlitFlow::take_from_fifo(Hop& up) {
  std::int64_t gone = up.length;
  const auto through = [&](const Hop& down) {
    if (down.flow.flits->sent == 0) return std::int64_t{0};
    return std::max<std::int64_t>(down.flow.flits->sent - down.prepend, 0) + down.strip;
  };
  if (up.fork != nullptr) {
    if (up.fork->branches.size() < up.fork->count) return;
    for (const Hop* branch : up.fork->branches) gone = std::min(gone, through(*branch));
  } else {
    gone = through(*up.down);
  }
  while (up.flow.flits->consumed < gone) {
    ++up.flow.flits->consumed;
    free_slot(up.vc_index);
    if (up.flow.flits->consumed == up.length) vcs_[up.vc_index].fifo.pop_front();
  }
}

void FlitFlow::free_slot(int index) {
  VirtualChannel& vc = vcs_[index];
  const Wiring::Channel& channel = network_.wiring().channels[vc.channel];
  const std::int64_t now_ps = queue_.now_ps();
  --vc.occupancy;
  if (network_.wiring().looks_at_queues) note(vc.left_ps, vc.left, now_ps);
  if (const auto* rule = std::get_if<StopGo>(&channel.rules.flow)) {
    vc.settled_ps = std::max(vc.settled_ps, now_ps + rule->signal_delay.count());
    if (vc.said_stop && vc.occupancy < rule->go) {
      vc.said_stop = false;
      send_signal(index, false);
    }
    return;
  }
  const auto& rule = std::get<Credits>(channel.rules.flow);
  const bool by_tokens = rule.token_time > Time{0} && channel.reverse >= 0;
  vc.settled_ps = std::max(vc.settled_ps, now_ps + (by_tokens ? 0 : rule.return_delay.count()));
  if (++vc.slots_owed < rule.batch) return;
  vc.slots_owed = 0;
  if (by_tokens) {
    ++vc.tokens_waiting;
    channels_[channel.reverse].tokens.push_back(index);
    wake(channel.reverse);
  } else {
    schedule_control({.ps = now_ps + rule.return_delay.count(),
                      .handler = this,
                      .serial = static_cast<std::uint32_t>(rule.batch),
                      .kind = credits_arrive,
                      .unit = static_cast<std::uint32_t>(index)});
    tell_credits(index, Time{now_ps + rule.return_delay.count()});
  }
}

void FlitFlow::tell_credits(int index, Time usable) {
  FlitObserver* observer = network_.flit_observer();
  if (observer == nullptr) return;
  const int channel = vcs_[index].channel;
  const int slots = std::get<Credits>(network_.wiring().channels[channel].rules.flow).batch;
  observer->credits_sent(channel, index - first_vc_[channel], slots, queue_.now(), usable);
}

/// STOP or GO, from the receiver of a virtual channel to its sender.
void FlitFlow::send_signal(int index, bool stop) {
  const int channel = vcs_[index].channel;
  const std::int64_t binds_ps =
      queue_.now_ps() + std::get<StopGo>(network_.wiring().channels[channel].rules.flow).signal_delay.count();
  schedule_control({.ps = binds_ps,
                    .handler = this,
                    .serial = stop ? 1U : 0U,
                    .kind = signal_binds,
                    .unit = static_cast<std::uint32_t>(index)});
  if (FlitObserver* observer = network_.flit_observer())
    observer->signal_sent(channel, index - first_vc_[channel], stop, queue_.now(), Time{binds_ps});
}

void FlitFlow::send_token(int index) {
  Channel& channel = channels_[index];
  const int vc = channel.tokens.front();
  channel.tokens.pop_front();
  const auto& rule = std::get<Credits>(network_.wiring().channels[vcs_[vc].channel].rules.flow);
  channel.busy_until_ps = queue_.now_ps() + rule.token_time.count();
  schedule_control(
      {.ps = channel.busy_until_ps, .handler = this, .kind = channel_idle, .unit = static_cast<std::uint32_t>(index)});
  const Time on_the_way = network_.wiring().channels[index].rules.wire + rule.return_delay;
  const Time usable{channel.busy_until_ps + on_the_way.count()};
  --vcs_[vc].tokens_waiting;
  vcs_[vc].settled_ps = std::max(vcs_[vc].settled_ps, usable.count());
  schedule_control({.ps = usable.count(),
                    .handler = this,
                    .serial = static_cast<std::uint32_t>(rule.batch),
                    .kind = credits_arrive,
                    .unit = static_cast<std::uint32_t>(vc)});
  tell_credits(vc, usable);
}

// ---- phase 1

void FlitFlow::arrive(Hop& hop) {
  VirtualChannel& vc = vcs_[hop.vc_index];
  const bool empty = vc.occupancy == 0;
  if (hop.flow.flits->arrived == 0) vc.fifo.push_back(&hop);
  ++hop.flow.flits->arrived;
  --vc.on_the_way;
  ++vc.occupancy;
  if (!vc.occupancy_changed) {
    vc.occupancy_changed = true;
    changed_vcs_.push_back(hop.vc_index);
  }
  if (hop.last || hop.flow.drain_from_ps >= 0) {
    if (vc.fifo.front() == &hop) consume_arrived(hop);
    return;
  }
  const bool header = hop.flow.flits->arrived == 1;
  const bool tail = hop.flow.flits->arrived == hop.length;
  if (header && empty) hop.flow.flits->at_front = true;
  if (hop.flow.flits->at_front && (header || tail)) announce_header(hop.vc_index);
  if (hop.down != nullptr) wake(hop.down->channel);
  if (hop.fork != nullptr)
    for (const Hop* branch : hop.fork->branches) wake(branch->channel);
}

void FlitFlow::announce_header(int index) {
  VirtualChannel& vc = vcs_[index];
  if (vc.fifo.empty()) return;
  Hop& hop = *vc.fifo.front();
  hop.flow.flits->at_front = true;
  const Terminal to = network_.wiring().channels[hop.channel].to;
  const bool whole = to.kind == Terminal::Kind::switch_ && network_.wiring().switches[to.unit].rules.store_and_forward;
  if (hop.flow.flits->announced || hop.last || hop.flow.drain_from_ps >= 0 ||
      (whole && hop.flow.flits->arrived < hop.length))
    return;
  hop.flow.flits->announced = true;
  network_.header_at_front(hop, queue_.now_ps());
}

/// A far end that takes everything takes what has arrived of the hop at the front of its FIFO.
void FlitFlow::consume_arrived(Hop& hop) {
  VirtualChannel& vc = vcs_[hop.vc_index];
  const std::int64_t now_ps = queue_.now_ps();
  while (hop.flow.flits->consumed < hop.flow.flits->arrived) {
    ++hop.flow.flits->consumed;
    free_slot(hop.vc_index);
    if (hop.last && hop.flow.flits->consumed == hop.data_length) network_.data_arrived(hop, now_ps);
  }
  if (hop.down != nullptr) wake(hop.down->channel);
  if (hop.flow.flits->consumed < hop.length) return;
  vc.fifo.pop_front();
  network_.drained(hop, now_ps);
  vc.front_over_ps = now_ps;
  if (vc.fifo.empty()) return;
  if (Hop& next = *vc.fifo.front(); next.last)
    consume_arrived(next);
  else
    announce_header(hop.vc_index);
}

// ---- phase 5

void FlitFlow::close_instant() {
  for (const int index : changed_vcs_) {
    VirtualChannel& vc = vcs_[index];
    vc.occupancy_changed = false;
    const auto* rule = std::get_if<StopGo>(&network_.wiring().channels[vc.channel].rules.flow);
    if (rule == nullptr || vc.said_stop || vc.occupancy <= rule->stop) continue;
    vc.said_stop = true;
    send_signal(index, true);
  }
  changed_vcs_.clear();
}

}  // namespace flit
}  // namespace sanvp::net
