/// A DMA in progress: its descriptor, its position, and its unanswered packets.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/nic/elan3/route_tables.hpp"
#include "platform/core/time.hpp"
#include "sw/abi/registers/elan3.h"

namespace sanvp::nic::elan3 {

struct DmaJob {
  e3_dma descriptor{};
  std::uint32_t context = 0;
  e3_addr object = 0;  ///< where the descriptor was read from; 0 for one that came in a packet
  bool system = false;
  Time queued_at{0};

  std::int64_t sent = 0;    ///< bytes passed to the link
  std::int64_t rewind = 0;  ///< where to resume after a failure: all before it has succeeded
  int outstanding = 0;      ///< packets without an answer
  std::uint32_t fails_left = 0;
  Time back_off{0};

  bool running = false;     ///< the engine is sending it
  bool queued = false;      ///< it waits for the engine
  bool last_waits = false;  ///< only the packet of its event is left, which must not overtake the others
  bool all_sent = false;
  bool failed = false;        ///< a packet has failed; sending stops until the others are answered
  bool defunct = false;       ///< the driver has to decide
  bool heard = false;         ///< the far card has answered since the retries started
  Time silent_since = never;  ///< send time of the first packet without any answer, if none was answered since
  std::uint32_t cause = E3_CAUSE_NONE;  ///< of a permanent failure

  Destination destination;  ///< valid when its route has been fetched

  std::uint32_t direction() const { return descriptor.type & E3_DMA_DIRECTION_MASK; }
  bool is_read() const { return direction() != E3_DMA_WRITE; }
  /// For a read the source of the data is the far process, whose card sets the source event.
  bool sets_source_event() const { return descriptor.src_event != 0 && !is_read(); }
  bool is_remote() const { return (descriptor.type & E3_DMA_REMOTE) != 0; }
  /// Its event, if any, comes in a packet of its own: it must not overtake data that may have to be sent again.
  bool holds_event_back() const { return outstanding > 0 && descriptor.dest_event != 0; }
  std::uint32_t fail_count() const { return (descriptor.type & E3_DMA_FAIL_COUNT_MASK) >> E3_DMA_FAIL_COUNT_SHIFT; }
  /// Virtual process that its packets are sent to: for a read the process that has the data.
  std::uint32_t process() const {
    return (is_read() ? descriptor.src_cookie_proc : descriptor.dest_cookie_proc) & 0xffffU;
  }
  /// A descriptor of the remaining part.
  e3_dma remainder() const {
    e3_dma rest = descriptor;
    if (is_read() || (rest.type & E3_DMA_QUEUED) != 0) return rest;
    const auto done = static_cast<std::uint32_t>(failed ? rewind : sent);
    rest.size -= done;
    rest.source += done;
    rest.dest += done;
    return rest;
  }
};

/// The bytes of one packet of a DMA.
struct DmaPiece {
  std::int64_t offset = 0;
  std::uint32_t bytes = 0;
  bool last = false;  ///< sets the event, too
};

inline DmaPiece next_piece(const DmaJob& job) {
  constexpr std::int64_t most = E3_PACKET_BLOCKS * E3_BLOCK_BYTES;
  if (job.is_read()) return {.offset = 0, .bytes = 0, .last = true};
  const std::int64_t left = std::int64_t{job.descriptor.size} - job.sent;
  const bool last = left <= most && (left == 0 || !job.holds_event_back());
  return {.offset = job.sent, .bytes = static_cast<std::uint32_t>(std::min(left, most)), .last = last};
}

/// The error in a descriptor, as in registers/elan3.h; E3_CAUSE_NONE if it is valid.
std::uint32_t check_descriptor(const e3_dma& dma);

}  // namespace sanvp::nic::elan3
