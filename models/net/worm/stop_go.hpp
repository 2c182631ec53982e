/// The STOP/GO rule in closed form (TIMING.md). The occupancy rises only by arrivals, so STOP is sent with the first
/// arrival n that finds flit n - stop still in the FIFO; GO with the first departure d after it that finds flit d + go
/// not yet arrived.
#pragma once

#include <cstdint>

#include "models/net/worm/lane.hpp"

namespace sanvp::net::worm {

/// What the sender of `lane` may do next.
struct Gate {
  std::int64_t closes_ps = 0;  ///< flits may start before this instant ...
  std::int64_t opens_ps = 0;   ///< ... and again from here on
  bool closes = false;
  bool opens = false;  ///< the reopening is known
};

/// Looks at the arrivals that are planned so far; remembers in `lane` how far it got.
Gate gate(Lane& lane);

/// Says that the sender has waited for the reopening of `gate`.
void reopened(Lane& lane, const Gate& gate);

/// How many flits of `run`, the next ones to be planned, certainly cause no STOP: their arrivals find enough places
/// freed. They may be planned at once. 0 when that cannot be said.
std::int64_t certainly_go(const Lane& lane, const Run& run);

}  // namespace sanvp::net::worm
