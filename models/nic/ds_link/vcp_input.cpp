#include "models/nic/ds_link/vcp_input.hpp"
#include "platform/core/parameters.hpp"

#include <algorithm>

namespace sanvp::nic::ds_link {

VcpInput::Rules VcpInput::Rules::read(const Parameters& parameters) {
  return {.packet =
              parameters.time("receive", 300ns, "to process a received packet: header, control block", "assumed")};
}

VcpInput::VcpInput(const Rules& rules, net::Clock& clock, BusMaster& bus, VcpOutput& output, VirtualLinks& links,
                   ControlBlocks& blocks, Counters& counters, Tracks& tracks)
    : rules_(rules),
      clock_(clock),
      bus_(bus),
      output_(output),
      links_(links),
      blocks_(blocks),
      counters_(counters),
      tracks_(tracks),
      queue_(clock) {}

void VcpInput::arrived(LinkPacket packet) {
  counters_.count(Counter::packets_in);
  const std::uint32_t link = packet.link;
  queue_.push({std::move(packet), link});
}

void VcpInput::input(std::uint32_t link, const ds_transfer& input) {
  VirtualLink& to = links_[link];
  InputChannel& channel = to.input;
  if (input.take_back != 0) {
    if (!channel.input || channel.in_message) return;  // no input, or one in progress
    channel.input.reset();
    ++to.block.inputs;
    ++to.block.taken_back;
    blocks_.tell(link, to);
    return;
  }
  if (channel.input) {
    blocks_.fault(DS_FAULT_BUSY, link);
    return;
  }
  channel.input = input;
  if (!channel.slots.empty()) queue_.push({{}, link});
}

void VcpInput::connected(std::uint32_t link) {
  if (!links_[link].input.slots.empty()) queue_.push({{}, link});
}

void VcpInput::owned(std::uint32_t first, std::uint32_t links) {
  for (std::uint32_t link = first; link < std::min(first + links, links_.size()); ++link)
    if (links_.is_used(link)) connected(link);
}

net::Task<> VcpInput::run() {
  for (;;) {
    working_ = false;
    Item item = co_await queue_.pop();
    working_ = true;
    co_await serve(std::move(item));
  }
}

net::Task<> VcpInput::serve(Item item) {
  if (item.packet) {
    const Time begin = clock_.now();
    const bool is_acknowledgement = item.packet->kind == LinkPacket::Kind::acknowledgement;
    co_await clock_.after(rules_.packet);
    tracks_.slice(Unit::input, is_acknowledgement ? "acknowledgement" : "packet", begin, clock_.now(),
                  {{"virtual link", item.link}});
    if (item.link >= links_.size()) co_return;
    if (is_acknowledgement) {
      output_.acknowledged(item.link, item.packet->sequence);
      co_return;
    }
    take(item.link, *item.packet);
  }
  co_await consume(item.link);
}

/// Stores a packet in its slot, unless it is a duplicate.
void VcpInput::take(std::uint32_t link, const LinkPacket& packet) {
  InputChannel& channel = links_[link].input;
  const std::uint32_t window = links_.window();
  if (channel.slots.empty()) channel.slots.resize(window);
  const std::uint32_t ahead = (packet.sequence + 2 * window - links_.turn(channel.expected)) % (2 * window);
  if (ahead >= window) {
    counters_.count(Counter::duplicates);
    output_.acknowledge(link, packet.sequence, 1);
    return;
  }
  Slot& slot = channel.slots[(channel.expected + ahead) % window];
  if (slot.copies++ == 0) {
    slot.packet = packet;
    ++work_;
  } else {
    counters_.count(Counter::duplicates);
  }
}

net::Task<> VcpInput::consume(std::uint32_t link) {
  VirtualLink& to = links_[link];
  InputChannel& channel = to.input;
  if (!to.connected && !to.owner_knows && !channel.slots.empty() && expected(channel).copies > 0)
    to.owner_knows = blocks_.tell_owner(link);
  // A packet waits if its process has not started, has not connected the link, or has given the memory back.
  while (to.connected && channel.input && expected(channel).copies > 0) {
    Slot slot = std::exchange(expected(channel), {});
    output_.acknowledge(link, slot.packet.sequence, slot.copies);
    ++channel.expected;
    channel.in_message = true;
    to.block.waiting = 0;
    co_await store(link, std::move(slot.packet));
  }
  if (!to.connected || channel.input || channel.in_message || to.block.waiting != 0 || channel.slots.empty()) co_return;
  if (expected(channel).copies == 0) co_return;
  to.block.waiting = 1;
  blocks_.tell(link, to);
}

net::Task<> VcpInput::store(std::uint32_t link, LinkPacket packet) {
  VirtualLink& to = links_[link];
  InputChannel& channel = to.input;
  const auto bytes = static_cast<std::uint32_t>(packet.data ? packet.data->size() : 0);
  const std::uint32_t fits = channel.input->bytes - std::min(channel.taken, channel.input->bytes);
  if (const std::uint32_t stored = std::min(bytes, fits); stored > 0) {
    const std::span<const std::byte> data(packet.data->data(), stored);
    const Time begin = clock_.now();
    const auto written = bus_.write(channel.input->address + channel.taken, data, begin);
    co_await clock_.until(written.done);
    tracks_.slice(Unit::input, "data to memory", begin, clock_.now(), {{"virtual link", link}});
    if (!written.good()) blocks_.fault(DS_FAULT_ADDRESS, link);
  }
  channel.taken += bytes;
  if (packet.ends_message) end(link);
}

void VcpInput::end(std::uint32_t number) {
  VirtualLink& link = links_[number];
  counters_.count(Counter::messages_in);
  counters_.count(Counter::payload_in, link.input.taken);
  link.block.bytes = link.input.taken;
  ++link.block.inputs;
  ++work_;
  link.input.taken = 0;
  link.input.in_message = false;
  link.input.input.reset();
  blocks_.tell(number, link);
}

CardQueue VcpInput::queue() const {
  CardQueue shown{"arrivals"};
  for (const Item& item : queue_.values()) {
    QueueEntry& entry = shown.entries.emplace_back();
    if (!item.packet) {
      entry.add("link", item.link).add("what", "a new buffer");
      continue;
    }
    const bool is_data = item.packet->kind == LinkPacket::Kind::data;
    entry.add("link", item.packet->link)
        .add("what", is_data ? "data" : "acknowledgement")
        .add("packet", item.packet->sequence);
  }
  return shown;
}

}  // namespace sanvp::nic::ds_link
