/// The statistics of a card, for stats.csv.
#pragma once

#include <cstdint>

#include "models/nic/card/counters.hpp"

namespace sanvp::nic::ds_link {

enum class Counter : std::uint8_t {
  commands,
  messages_out,
  messages_in,
  packets_out,
  packets_in,
  acknowledgements,  ///< sent
  resent,
  duplicates,     ///< packets that had been received before
  parity_errors,  ///< found by this card's link
  lost,           ///< packets that arrived while the link was down, or were truncated by its restart
  starts,         ///< of the link
  payload_in,
  payload_out,
  count_
};
using Counters = nic::Counters<Counter>;
constexpr Counters::Names counter_names{{
    {"commands", "1"},
    {"messages_out", "1"},
    {"messages_in", "1"},
    {"packets_out", "1"},
    {"packets_in", "1"},
    {"acknowledgements", "1"},
    {"resent", "1"},
    {"duplicates", "1"},
    {"parity_errors", "1"},
    {"lost", "1"},
    {"starts", "1"},
    {"payload_in", "B"},
    {"payload_out", "B"},
}};

}  // namespace sanvp::nic::ds_link
