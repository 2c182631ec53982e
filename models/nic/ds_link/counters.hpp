/// The statistics of a card, for stats.csv.
#pragma once

#include <cstdint>

#include "models/nic/card/counters.hpp"

namespace sanvp::nic::ds_link {

#define SANVP_DS_LINK_COUNTERS(EACH)                                                                            \
  EACH(commands, "1")                                                                                           \
  EACH(messages_out, "1")                                                                                       \
  EACH(messages_in, "1")                                                                                        \
  EACH(packets_out, "1")                                                                                        \
  EACH(packets_in, "1")                                                                                         \
  EACH(acknowledgements, "1") /* sent */                                                                        \
  EACH(resent, "1")                                                                                             \
  EACH(duplicates, "1")    /* packets that had been received before */                                          \
  EACH(parity_errors, "1") /* found by this card's link */                                                      \
  EACH(lost, "1")          /* packets that arrived while the link was down, or were truncated by its restart */ \
  EACH(starts, "1")        /* of the link */                                                                    \
  EACH(payload_in, "B")                                                                                         \
  EACH(payload_out, "B")
SANVP_COUNTERS(SANVP_DS_LINK_COUNTERS);

}  // namespace sanvp::nic::ds_link
