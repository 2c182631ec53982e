/// The STOP/GO rule in closed form (TIMING.md). The occupancy rises only by arrivals, so STOP is sent with the first
/// arrival n that finds flit n - stop still in the FIFO; GO with the first departure d after it that finds flit d + go
/// not yet arrived.
#pragma once

#include <cstdint>

#include "models/net/worm/virtual_channel.hpp"

namespace sanvp::net::worm {

/// How many flits of `run`, the next ones to be planned, start before a STOP binds their sender: all those that will
/// be sent whatever becomes known of the FIFO later. Remembers in `vc` how far it looked, the flits counted included.
std::int64_t flits_before_stop(VirtualChannel& vc, const Run& run);

/// The sender of `vc` waits for the GO that follows the STOP. @return false if that is not known yet
bool wait_for_go(VirtualChannel& vc);

}  // namespace sanvp::net::worm
