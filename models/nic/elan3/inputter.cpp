#include "models/nic/elan3/inputter.hpp"
#include "platform/core/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sanvp::nic::elan3 {

Inputter::Rules Inputter::Rules::read(const Parameters& parameters) {
  return {.process = parameters.time("process", 260ns, "from the arrival of a transaction's address to its answer",
                                     "calibrated: 2.2 us for a DMA of 0 bytes across 64 nodes (QsNET paper 5.1)"),
          .partners = Partners::Rules::read(parameters)};
}

Inputter::Inputter(const Rules& rules, net::Clock& clock, Microcode& microcode, net::NetworkInitiatorSocket& network,
                   const RouteTables& routes, Transactions& transactions, Traps& traps, Counters& counters,
                   Tracks& tracks)
    : rules_(rules),
      partners_(rules.partners, routes),
      clock_(clock),
      microcode_(microcode),
      network_(network),
      transactions_(transactions),
      traps_(traps),
      counters_(counters),
      tracks_(tracks),
      channels_{Channel(clock), Channel(clock)} {}

void Inputter::delivered(net::Packet& packet) {
  counters_.count(Counter::packets_received);
  // It arrived on a virtual channel that no other circuit holds.
  Channel& channel = channels_[0].circuit == nullptr ? channels_[0] : channels_[1];
  channel.circuit = &packet;
  channel.id = packet.id;
  // Read soon, and the sender has written it long ago.
  if (packet.payload != nullptr) net::fetch_lines(packet.payload->data(), packet.payload->size());
  channel.arrivals.push({&packet, packet.payload, microcode_.receive(clock_.now(), packet.flits), packet.corrupt,
                         packet.flits, packet.id, packet.source});
}

void Inputter::closed(const net::Packet& packet) {
  for (int number = 0; number < channels; ++number) {
    Channel& channel = channels_[number];
    if (channel.circuit != &packet) continue;
    channel.circuit = nullptr;
    channel.taken_by_all = packet.acknowledgement == E3_ACK_OK && !packet.lost && !packet.abandoned;
    channel.end.notify();
    // By now the links have drawn theirs.
    if (tracks_.wants(channel.since, clock_.now())) tracks_.arrow_end(inputter_of(number), packet.id, channel.since);
  }
}

bool Inputter::busy() const {
  for (const Channel& channel : channels_)
    if (channel.working || !channel.arrivals.empty()) return true;
  return false;
}

net::Task<> Inputter::run(int number) {
  Channel& channel = channels_[number];
  const auto unit = static_cast<e3_trap_unit>(E3_TRAP_INPUT0 + number);
  for (;;) {
    const Arrival arrival = co_await channel.arrivals.pop();
    channel.working = true;
    channel.since = clock_.now();
    co_await take_in(channel, unit, arrival);
    if (tracks_.wants(channel.since, clock_.now())) draw(number, arrival);
    channel.working = false;
  }
}

/// How long the last transaction has been processed when its data arrive: since the arrival of its address.
Time Inputter::begun(const ParsedPacket& packet) const {
  if (packet.transactions().empty()) return Time{0};
  const int data_bytes = std::max(0, wire_data_bytes(packet.transactions().back().type));
  return std::min(rules_.process, microcode_.on_link(data_bytes / flit_bytes));
}

net::Task<> Inputter::take_in(Channel& channel, e3_trap_unit unit, const Arrival& arrival) {
  const bool intact = !arrival.corrupt && arrival.payload != nullptr;
  const ParsedPacket packet(intact ? std::span<const std::byte>(*arrival.payload) : std::span<const std::byte>());
  transactions_.fetch_ahead(packet);
  co_await clock_.until(arrival.in + rules_.process - begun(packet));
  if (!intact) {
    counters_.count(Counter::corrupt);
    co_return answer(channel, arrival, E3_ACK_DISCARD);  // not Error: the sender shall retry
  }
  if (!channel.holds(arrival)) co_return;
  Judgement judgement = transactions_.judge(packet, clock_.now());
  while (judgement.fault) {
    const e3_trap record = trap_record(judgement.fault, judgement.object);
    if (co_await traps_.raise(unit, record) == Verdict::drop) co_return answer(channel, arrival, E3_ACK_ERROR);
    if (!channel.holds(arrival)) co_return;  // the sender has given it up: it must not be executed
    judgement = transactions_.judge(packet, clock_.now());
  }
  if (judgement.acknowledgement != E3_ACK_OK || judgement.thrown_away) {
    co_await clock_.until(judgement.done);
    co_return answer(channel, arrival, judgement.acknowledgement);
  }
  for (const bool after_end : {false, true}) {
    if (after_end) {
      if (!judgement.waits) co_return;
      while (channel.holds(arrival)) co_await channel.end.wait();
      if (!channel.taken_by_all) co_return;
      judgement.done = clock_.now();
    }
    const Transactions::Applied applied = transactions_.apply(packet, after_end, judgement.done);
    const bool releases = !after_end && !packet.transactions().empty();
    const Time more = releases ? partners_.release(packet.transactions().front().context) : Time{0};
    co_await clock_.until(applied.done + more);
    if (!after_end) answer(channel, arrival, E3_ACK_OK, applied.reply);
    for (const Transaction& transaction : packet.transactions()) {
      if (!Transactions::acts(transaction) || waits_for_end(transaction) != after_end) continue;
      for (;;) {
        const Fault fault = co_await transactions_.act(transaction, unit - E3_TRAP_INPUT0);
        if (!fault) break;
        const Verdict verdict = co_await traps_.raise(unit, trap_record(fault, transaction.address));
        if (verdict == Verdict::drop) break;
      }
    }
  }
}

void Inputter::draw(int number, const Arrival& arrival) {
  tracks_.slice(inputter_of(number), fmt::format("packet {} from {}", arrival.id, arrival.source),
                channels_[number].since, clock_.now(),
                {{"flits", arrival.flits}, {"corrupt", arrival.corrupt ? 1 : 0}});
}

/// No answer if the sender has given the packet up.
void Inputter::answer(const Channel& channel, const Arrival& arrival, int acknowledgement, std::uint32_t reply) {
  if (acknowledgement != E3_ACK_OK) counters_.count(Counter::packets_rejected);
  if (!channel.holds(arrival)) return;
  network_->acknowledge(*arrival.packet, acknowledgement, reply, net::to_sc_time(clock_.now() - net::kernel_now()));
}

CardQueue Inputter::queue() const {
  CardQueue shown{"arrived packets"};
  for (std::size_t number = 0; number < channels_.size(); ++number) {
    const Channel& channel = channels_[number];
    if (channel.working)
      shown.entries.push_back(
          QueueEntry().add("channel", number).add("packet", channel.id).add("state", "is being taken in"));
    for (const Arrival& arrival : channel.arrivals.values())
      shown.entries.push_back(QueueEntry()
                                  .add("channel", number)
                                  .add("packet", arrival.id)
                                  .add("state", "waits")
                                  .add("from", arrival.source)
                                  .add("flits", arrival.flits));
  }
  return shown;
}

}  // namespace sanvp::nic::elan3
