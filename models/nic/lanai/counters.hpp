/// The statistics of a card, for stats.csv.
#pragma once

#include <cstdint>

#include "models/nic/card/counters.hpp"

namespace sanvp::nic::lanai {

#define SANVP_LANAI_COUNTERS(EACH)                                                                                \
  EACH(packets_sent, "1")                                                                                         \
  EACH(packets_received, "1") /* completely stored in a buffer */                                                 \
  EACH(bytes_sent, "B")       /* behind the route, with CRC */                                                    \
  EACH(bytes_received, "B")                                                                                       \
  EACH(crc_errors, "1")                                                                                           \
  EACH(packets_without_buffer, "1") /* packets dropped because the control program had armed no buffer */         \
  EACH(packets_misrouted, "1")      /* packets dropped because their route leads to no host */                    \
  EACH(packets_lost, "1")           /* packets of this card dropped by a full in-transit pool or a failed part */ \
  EACH(packets_in_transit, "1")     /* packets that were forwarded */                                             \
  EACH(sdma_bytes, "B")             /* host to SRAM */                                                            \
  EACH(rdma_bytes, "B")             /* SRAM to host */                                                            \
  EACH(host_stores, "1")                                                                                          \
  EACH(processor_cycles, "1") /* of the processor, while it ran */                                                \
  EACH(timer_events, "1")     /* number of expirations */
SANVP_COUNTERS(SANVP_LANAI_COUNTERS);

}  // namespace sanvp::nic::lanai
