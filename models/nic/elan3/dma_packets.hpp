/// What the DMA engine puts on the wire: pieces of a DMA as packets.
#pragma once

#include "models/nic/elan3/dma_job.hpp"
#include "models/nic/elan3/memory.hpp"
#include "models/nic/elan3/packet.hpp"

namespace sanvp::nic::elan3 {

struct DmaPacket {
  Payload payload;
  int flits = 0;
  Time ready{0};  ///< its first bytes are there
  Fault fault{};  ///< the data may not be read
};

class DmaPackets {
 public:
  explicit DmaPackets(Memory& memory) : memory_(memory) {}

  /// Reads the data of `piece` from `at` on. The job's route has been fetched.
  DmaPacket make(const DmaJob& job, const DmaPiece& piece, Time at);

 private:
  Fault check_destination(const DmaJob& job, Time& at);
  void add_request(const DmaJob& job);
  void add_blocks(const DmaJob& job, const DmaPiece& piece, std::span<const std::byte> data);
  void add_event(const DmaJob& job);

  Memory& memory_;
  PacketBuilder builder_;
};

}  // namespace sanvp::nic::elan3
