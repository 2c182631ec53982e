/// The statistics of a card. Software can read eight of them in its user registers (FACTS.md 1.5).
#pragma once

#include <cstdint>

#include "models/nic/card/counters.hpp"

namespace sanvp::nic::elan3 {

/// The first eight are E3_REG_COUNTERS, in this order.
#define SANVP_ELAN3_COUNTERS(EACH)                                \
  EACH(packets_sent, "1")                                         \
  EACH(packets_received, "1")                                     \
  EACH(packets_rejected, "1") /* answered with anything but OK */ \
  EACH(packets_retried, "1")                                      \
  EACH(tlb_hits, "1")                                             \
  EACH(tlb_walks, "1")                                            \
  EACH(events_set, "1")                                           \
  EACH(traps, "1")                                                \
  EACH(commands, "1")                                             \
  EACH(dmas, "1")                                                 \
  EACH(payload_sent, "B")     /* bytes of DMA data */             \
  EACH(payload_received, "B") /* bytes written by write-blocks */ \
  EACH(threads_run, "1")                                          \
  EACH(corrupt, "1") /* packets with a CRC error */
SANVP_COUNTERS(SANVP_ELAN3_COUNTERS);

}  // namespace sanvp::nic::elan3
