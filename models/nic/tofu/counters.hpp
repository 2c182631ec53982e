/// The statistics of a card.
#pragma once

#include <cstdint>

#include "models/nic/card/counters.hpp"

namespace sanvp::nic::tofu {

enum class Counter : std::uint8_t {
  orders,
  puts,
  gets,
  atomics,
  packets_sent,
  packets_received,
  packets_lost,
  packets_resent,
  payload_sent,
  payload_received,
  notices,
  notices_held,
  refused,
  steering_walks,
  steering_hits,
  signals,
  barriers,
  count_
};
using Counters = nic::Counters<Counter>;
constexpr Counters::Names counter_names{{
    {"orders", "1"},
    {"puts", "1"},
    {"gets", "1"},
    {"atomics", "1"},
    {"packets_sent", "1"},
    {"packets_received", "1"},
    {"packets_lost", "1"},
    {"packets_resent", "1"},
    {"payload_sent", "B"},
    {"payload_received", "B"},
    {"notices", "1"},
    {"notices_held", "1"},
    {"refused", "1"},
    {"steering_walks", "1"},
    {"steering_hits", "1"},
    {"signals", "1"},
    {"barriers", "1"},
}};

}  // namespace sanvp::nic::tofu
