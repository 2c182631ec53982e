/// The statistics of a card.
#pragma once

#include <cstdint>

#include "models/nic/card/counters.hpp"

namespace sanvp::nic::tofu {

#define SANVP_TOFU_COUNTERS(EACH) \
  EACH(orders, "1")               \
  EACH(puts, "1")                 \
  EACH(gets, "1")                 \
  EACH(atomics, "1")              \
  EACH(packets_sent, "1")         \
  EACH(packets_received, "1")     \
  EACH(packets_lost, "1")         \
  EACH(packets_resent, "1")       \
  EACH(payload_sent, "B")         \
  EACH(payload_received, "B")     \
  EACH(notices, "1")              \
  EACH(notices_held, "1")         \
  EACH(refused, "1")              \
  EACH(steering_walks, "1")       \
  EACH(steering_hits, "1")        \
  EACH(signals, "1")              \
  EACH(barriers, "1")
SANVP_COUNTERS(SANVP_TOFU_COUNTERS);

}  // namespace sanvp::nic::tofu
