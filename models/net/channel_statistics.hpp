/// Counters of a channel.
#pragma once

#include <cstdint>

namespace sanvp::net {

/// A part of ChannelStatistics.
struct ChannelUse {
  std::int64_t busy_ps = 0;
  std::int64_t held_ps = 0;
};

/// What a channel has carried, and how long headers waited for it.
struct ChannelStatistics {
  std::uint64_t packets = 0;
  std::uint64_t flits = 0;
  std::int64_t busy_ps = 0;  ///< flits x flit time: divided by the time it is the channel's use
  std::int64_t wait_ps = 0;  ///< effective blocking: headers at the front, ready, output busy
  std::int64_t longest_wait_ps = 0;
  std::int64_t head_blocking_ps = 0;  ///< from a header's arrival in the switch before this channel to its grant
  std::int64_t held_ps = 0;           ///< owned by some packet, summed over virtual channels
};

}  // namespace sanvp::net
