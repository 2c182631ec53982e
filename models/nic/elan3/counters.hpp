/// The statistics of a card. Software can read eight of them in its user registers (FACTS.md 1.5).
#pragma once

#include <cstdint>

#include "models/nic/card/counters.hpp"

namespace sanvp::nic::elan3 {

/// The first eight are E3_REG_COUNTERS, in this order.
enum class Counter : std::uint8_t {
  packets_sent,
  packets_received,
  packets_rejected,  ///< answered with anything but OK
  packets_retried,
  tlb_hits,
  tlb_walks,
  events_set,
  traps,
  commands,
  dmas,
  payload_sent,      ///< bytes of DMA data
  payload_received,  ///< bytes written by write-blocks
  threads_run,
  corrupt,  ///< packets with a CRC error
  count_
};
using Counters = nic::Counters<Counter>;
constexpr Counters::Names counter_names{{
    {"packets_sent", "1"},
    {"packets_received", "1"},
    {"packets_rejected", "1"},
    {"packets_retried", "1"},
    {"tlb_hits", "1"},
    {"tlb_walks", "1"},
    {"events_set", "1"},
    {"traps", "1"},
    {"commands", "1"},
    {"dmas", "1"},
    {"payload_sent", "B"},
    {"payload_received", "B"},
    {"threads_run", "1"},
    {"corrupt", "1"},
}};

}  // namespace sanvp::nic::elan3
