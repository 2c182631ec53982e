/// The statistics a card keeps, for stats.csv.
#pragma once

#include <cstdint>

#include "models/nic/card/counters.hpp"

namespace sanvp::nic::lanai {

enum class Counter : std::uint8_t {
  packets_sent,
  packets_received,  ///< put into a buffer, whole
  bytes_sent,        ///< behind the route, with CRC
  bytes_received,
  crc_errors,
  no_buffer,   ///< packets that came while the control program had armed no buffer: thrown away
  misrouted,   ///< packets whose route leads to no host: thrown away
  lost,        ///< packets of this card's that met a full in-transit pool or a failed part
  in_transit,  ///< packets that were sent on
  sdma_bytes,  ///< host to SRAM
  rdma_bytes,  ///< SRAM to host
  host_stores,
  cycles,  ///< that the processor was at work
  timer,   ///< times that it rang
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
