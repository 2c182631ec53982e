#include "models/nic/ds_link/vcp_output.hpp"
#include "platform/core/parameters.hpp"

#include <algorithm>

namespace sanvp::nic::ds_link {

VcpOutput::Rules VcpOutput::Rules::read(const Parameters& parameters) {
  Rules rules;
  rules.packet = parameters.time("packet", 300ns, "to start a data packet: control block, header", "assumed");
  rules.acknowledgement = parameters.time("acknowledge", 100ns, "to start an acknowledgement", "assumed");
  rules.resend = parameters.time(
      "resend", 10ms,
      "time without an acknowledgement after which a packet is retransmitted; no packet may stay in the "
      "network for longer",
      "assumed: a T9000 leaves broken links to software; far above a congested network's latencies");
  rules.packet_bytes = static_cast<std::uint32_t>(
      parameters.count("packet_bytes", 32, "maximum data of a packet", "FACTS 3.3", 1, 1 << 16));
  return rules;
}

VcpOutput::VcpOutput(const Rules& rules, net::Clock& clock, BusMaster& bus, LinkEnd& link, VirtualLinks& links,
                     ControlBlocks& blocks, Counters& counters, Tracks& tracks)
    : rules_(rules),
      clock_(clock),
      bus_(bus),
      link_(link),
      links_(links),
      blocks_(blocks),
      counters_(counters),
      tracks_(tracks),
      work_to_do_(clock),
      sent_one_(clock) {}

void VcpOutput::output(std::uint32_t link, const ds_transfer& message) {
  OutputChannel& channel = links_[link].output;
  if (channel.message) {
    blocks_.fault(DS_FAULT_BUSY, link);
    return;
  }
  channel.message = message;
  channel.offset = 0;
  channel.all_sent = false;
  ++unfinished_;
  queue(link);
}

void VcpOutput::acknowledge(std::uint32_t link, std::uint32_t turn, int copies) {
  for (int i = 0; i < copies; ++i) acknowledgements_.push_back({link, turn});
  work_to_do_.notify();
}

/// While copies of acknowledged packets may still be in the network, the channel waits: headers have few sequence
/// numbers.
bool VcpOutput::may_send(OutputChannel& channel) const {
  if (!channel.message || channel.all_sent || channel.flights.size() >= links_.window()) return false;
  const auto waiting = std::count_if(channel.flights.begin(), channel.flights.end(),
                                     [](const Flight& flight) { return !flight.acknowledged; });
  if (channel.copies > waiting && clock_.now() >= channel.aged) channel.copies = static_cast<int>(waiting);
  return channel.copies <= waiting;
}

void VcpOutput::queue(std::uint32_t link) {
  OutputChannel& channel = links_[link].output;
  if (channel.queued || !may_send(channel)) return;
  channel.queued = true;
  ready_.push_back(link);
  work_to_do_.notify();
}

Flight* VcpOutput::find(OutputChannel& channel, std::uint32_t sequence) {
  const auto found = std::find_if(channel.flights.begin(), channel.flights.end(),
                                  [&](const Flight& flight) { return flight.sequence == sequence; });
  return found == channel.flights.end() ? nullptr : &*found;
}

void VcpOutput::acknowledged(std::uint32_t link, std::uint32_t turn) {
  OutputChannel& channel = links_[link].output;
  if (channel.copies > 0) --channel.copies;
  for (Flight& flight : channel.flights) {
    if (links_.turn(flight.sequence) != turn || flight.acknowledged) continue;
    flight.acknowledged = true;
    ++work_;
  }
  while (!channel.flights.empty() && channel.flights.front().acknowledged)
    channel.flights.erase(channel.flights.begin());
  if (channel.message && channel.all_sent && channel.flights.empty()) end(link);
  queue(link);
}

void VcpOutput::end(std::uint32_t link) {
  VirtualLink& virtual_link = links_[link];
  counters_.count(Counter::messages_out);
  counters_.count(Counter::payload_out, virtual_link.output.message->bytes);
  virtual_link.output.message.reset();
  ++virtual_link.block.outputs;
  --unfinished_;
  blocks_.tell(link, virtual_link);
}

net::Task<> VcpOutput::run() {
  for (;;) {
    if (!acknowledgements_.empty()) {
      const Turn turn = acknowledgements_.front();
      acknowledgements_.pop_front();
      co_await send_acknowledgement(turn);
    } else if (!losses_.empty()) {
      const Due lost = losses_.front();
      losses_.pop_front();
      co_await send_again(lost.link, lost.sequence);
    } else if (!ready_.empty()) {
      const std::uint32_t link = ready_.front();
      ready_.pop_front();
      links_[link].output.queued = false;
      co_await send_next(link);
    } else {
      co_await work_to_do_.wait();
    }
  }
}

net::Task<> VcpOutput::send_acknowledgement(Turn turn) {
  const Time begin = clock_.now();
  co_await clock_.after(rules_.acknowledgement);
  co_await link_.room();
  const ds_connection& to = links_[turn.link].connection;
  const LinkPacket packet{.kind = LinkPacket::Kind::acknowledgement, .link = to.link, .sequence = turn.turn};
  tracks_.slice(Unit::output, "acknowledgement", begin, clock_.now(), {{"virtual link", turn.link}});
  if (!link_.send(static_cast<int>(to.node), packet)) blocks_.fault(DS_FAULT_NO_ROUTE, turn.link);
}

net::Task<> VcpOutput::send_next(std::uint32_t link) {
  OutputChannel& channel = links_[link].output;
  if (!may_send(channel)) co_return;
  const std::uint32_t bytes = std::min(rules_.packet_bytes, channel.message->bytes - channel.offset);
  Flight flight{.sequence = channel.next++, .offset = channel.offset, .bytes = bytes};
  channel.offset += bytes;
  flight.ends_message = channel.all_sent = channel.offset == channel.message->bytes;
  const std::uint32_t sequence = flight.sequence;
  channel.flights.push_back(flight);
  co_await send_data(link, sequence);
  queue(link);
}

net::Task<> VcpOutput::send_again(std::uint32_t link, std::uint32_t sequence) {
  const Flight* flight = find(links_[link].output, sequence);
  if (flight == nullptr || flight->acknowledged) co_return;
  counters_.count(Counter::resent);
  co_await send_data(link, sequence);
}

net::Task<> VcpOutput::send_data(std::uint32_t link, std::uint32_t sequence) {
  VirtualLink& from = links_[link];
  // The late acknowledgement of a retransmitted packet may arrive at any time.
  const auto is_wanted = [&] {
    const Flight* flight = find(from.output, sequence);
    return flight != nullptr && !flight->acknowledged;
  };
  const Time begin = clock_.now();
  co_await clock_.after(rules_.packet);
  if (!is_wanted()) co_return;
  const Flight what = *find(from.output, sequence);
  auto data = std::make_shared<std::vector<std::byte>>(what.bytes);
  if (what.bytes > 0) {
    const auto fetched = bus_.read(from.output.message->address + what.offset, *data, clock_.now());
    co_await clock_.until(fetched.done);
    if (!fetched.good()) {
      blocks_.fault(DS_FAULT_ADDRESS, link);
      co_return;
    }
  }
  co_await link_.room();
  if (!is_wanted()) co_return;
  const LinkPacket packet{.link = from.connection.link,
                          .sequence = links_.turn(sequence),
                          .ends_message = what.ends_message,
                          .data = std::move(data)};
  from.output.aged = clock_.now() + rules_.resend;
  ++from.output.copies;
  due_.push_back({from.output.aged, link, sequence});
  sent_one_.notify();
  tracks_.slice(Unit::output, "packet", begin, clock_.now(), {{"virtual link", link}});
  if (!link_.send(static_cast<int>(from.connection.node), packet)) blocks_.fault(DS_FAULT_NO_ROUTE, link);
}

/// Checks each packet at its timeout.
net::Task<> VcpOutput::look_for_losses() {
  for (;;) {
    while (due_.empty()) co_await sent_one_.wait();
    const Due due = due_.front();
    due_.pop_front();
    OutputChannel& channel = links_[due.link].output;
    const Flight* flight = find(channel, due.sequence);
    if (flight == nullptr && channel.copies == 0) continue;  // the usual case
    co_await clock_.until(due.at);
    flight = find(channel, due.sequence);
    if (flight != nullptr && !flight->acknowledged) {
      losses_.push_back(due);
      work_to_do_.notify();
    } else {
      queue(due.link);  // it may have waited until the copy had left the network
    }
  }
}

std::vector<CardQueue> VcpOutput::queues() const {
  CardQueue channels{"channels with packets to send"}, acknowledgements{"acknowledgements to send"},
      lost{"packets to send again"};
  for (const std::uint32_t link : ready_) channels.entries.push_back(QueueEntry().add("link", link));
  for (const Turn& turn : acknowledgements_)
    acknowledgements.entries.push_back(QueueEntry().add("link", turn.link).add("packet", turn.turn));
  for (const Due& due : losses_) lost.entries.push_back(QueueEntry().add("link", due.link).add("packet", due.sequence));
  return {channels, acknowledgements, lost};
}

}  // namespace sanvp::nic::ds_link
