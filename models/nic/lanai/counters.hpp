/// The statistics of a card, for stats.csv.
#pragma once

#include <cstdint>

#include "models/nic/card/counters.hpp"

namespace sanvp::nic::lanai {

enum class Counter : std::uint8_t {
  packets_sent,
  packets_received,  ///< completely stored in a buffer
  bytes_sent,        ///< behind the route, with CRC
  bytes_received,
  crc_errors,
  no_buffer,   ///< packets dropped because the control program had armed no buffer
  misrouted,   ///< packets dropped because their route leads to no host
  lost,        ///< packets of this card dropped by a full in-transit pool or a failed part
  in_transit,  ///< packets that were forwarded
  sdma_bytes,  ///< host to SRAM
  rdma_bytes,  ///< SRAM to host
  host_stores,
  cycles,  ///< of the processor, while it ran
  timer,   ///< number of expirations
  count_
};
using Counters = nic::Counters<Counter>;
constexpr Counters::Names counter_names{{
    {"packets_sent", "1"},
    {"packets_received", "1"},
    {"bytes_sent", "B"},
    {"bytes_received", "B"},
    {"crc_errors", "1"},
    {"packets_without_buffer", "1"},
    {"packets_misrouted", "1"},
    {"packets_lost", "1"},
    {"packets_in_transit", "1"},
    {"sdma_bytes", "B"},
    {"rdma_bytes", "B"},
    {"host_stores", "1"},
    {"processor_cycles", "1"},
    {"timer_events", "1"},
}};

}  // namespace sanvp::nic::lanai
