#include "models/nic/elan3/dma_packets.hpp"

#include <array>

namespace sanvp::nic::elan3 {

std::uint32_t check_descriptor(const e3_dma& dma) {
  constexpr std::uint32_t known = 3U | E3_DMA_DIRECTION_MASK | E3_DMA_QUEUED | E3_DMA_BROADCAST | E3_DMA_UNSAFE |
                                  E3_DMA_FAIL_COUNT_MASK | E3_DMA_REMOTE | E3_DMA_CONTEXT_MASK;
  const std::uint32_t direction = dma.type & E3_DMA_DIRECTION_MASK;
  const bool queued = (dma.type & E3_DMA_QUEUED) != 0;
  const bool broadcast = (dma.type & E3_DMA_BROADCAST) != 0;
  const bool reads = direction == E3_DMA_READ || direction == E3_DMA_READ_REQUEUE || direction == E3_DMA_READ_BROADCAST;
  const bool good = (dma.type & ~known) == 0 && (direction == E3_DMA_WRITE || reads) && dma.size <= E3_DMA_MOST_BYTES &&
                    !(queued && dma.size > E3_QUEUE_MOST_BYTES) && !(queued && reads) && !(broadcast && reads) &&
                    std::uint64_t{dma.source} + dma.size <= (1ULL << 32) &&
                    (queued || std::uint64_t{dma.dest} + dma.size <= (1ULL << 32));
  return good ? E3_CAUSE_NONE : E3_CAUSE_DESCRIPTOR;
}

DmaPacket DmaPackets::make(const DmaJob& job, const DmaPiece& piece, Time at) {
  DmaPacket packet;
  packet.ready = at;
  if (job.is_read()) {
    packet.fault = check_destination(job, packet.ready);
    if (packet.fault) return packet;
    add_request(job);
  } else {
    std::array<std::byte, E3_PACKET_BLOCKS * E3_BLOCK_BYTES> buffer;
    const std::span<std::byte> data{buffer.data(), piece.bytes};
    const Access access = memory_.read({.context = job.context, .remote = job.is_remote()},
                                       job.descriptor.source + static_cast<e3_addr>(piece.offset), data, at);
    packet.fault = access.fault;
    if (packet.fault) return packet;
    packet.ready = access.done;
    add_blocks(job, piece, data);
    if (piece.last) add_event(job);
  }
  packet.flits = packet_flits(job.destination.way->flits, builder_.bytes());
  packet.payload = builder_.finish();
  return packet;
}

/// Checks the destination here, before the far card is asked for data: the first and the last byte, as the far card
/// checks the source.
Fault DmaPackets::check_destination(const DmaJob& job, Time& at) {
  const e3_dma& dma = job.descriptor;
  if (dma.size == 0) return {};
  for (const e3_addr address : {dma.dest, dma.dest + (dma.size - 1)}) {
    const Access access = memory_.check({.context = job.context, .remote = true}, address, 1, Intent::write, at);
    at = access.done;
    if (access.fault) return access.fault;
  }
  return {};
}

/// The descriptor is sent to the node that has the data, and runs there as a write.
void DmaPackets::add_request(const DmaJob& job) {
  e3_dma there = job.descriptor;
  there.type = (there.type & ~E3_DMA_DIRECTION_MASK) | E3_DMA_REMOTE;
  builder_.add(E3_TR_REMOTE_DMA, job.destination.context, 0, std::as_bytes(std::span{&there, 1}));
}

void DmaPackets::add_blocks(const DmaJob& job, const DmaPiece& piece, std::span<const std::byte> data) {
  const bool queued = (job.descriptor.type & E3_DMA_QUEUED) != 0;
  if (queued) builder_.add(E3_TR_LOCK_QUEUE, job.destination.context, job.descriptor.dest);
  // Blocks for a queue contain their offset in the slot.
  const e3_addr to = queued ? 0 : job.descriptor.dest + static_cast<e3_addr>(piece.offset);
  builder_.add_blocks(job.destination.context, to, data);
  if (queued) builder_.add(E3_TR_UNLOCK_QUEUE, job.destination.context, job.descriptor.dest);
}

/// For a broadcast it waits for the EOP, which says whether all destinations accepted the packet: otherwise those that
/// did would have their event set again by the retry.
void DmaPackets::add_event(const DmaJob& job) {
  if (job.descriptor.dest_event == 0 && builder_.transactions() > 0) return;
  const std::uint32_t wait = (job.descriptor.type & E3_DMA_BROADCAST) != 0 ? E3_TR_WAIT_EOP : 0;
  builder_.add(E3_TR_SET_EVENT | wait, job.destination.context, job.descriptor.dest_event);
}

}  // namespace sanvp::nic::elan3
