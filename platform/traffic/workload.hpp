/// What the traffic nodes send, apart from the pattern: lengths, pace and load; and its size on the wire.
#pragma once

#include <cstdint>

#include "platform/traffic/arrivals.hpp"
#include "platform/traffic/load.hpp"
#include "platform/traffic/message_sizes.hpp"
#include "platform/traffic/network_under_test.hpp"

namespace sanvp::traffic {

struct Workload {
  MessageSizes sizes;
  Arrivals arrivals = Arrivals::exponential;
  Bursts bursts{};
  Load load{};
  std::int64_t request_bytes = 0;  ///< payload of a packet that requests data (the pattern's reads)
};

/// Bytes of a message's packets on the injection channel, headers included; an end token has none.
std::int64_t wire_bytes(const nic::PacketFormat& format, std::int64_t message_bytes);
/// The least time for which a message's packets occupy a host's injection channel.
Time wire_time(const NetworkUnderTest& network, int host, std::int64_t message_bytes);
/// Mean interval between a node's messages at the given load. Throws UserError if it ever is below least_interval_ps.
double mean_interval_ps(const NetworkUnderTest& network, const Workload& workload, int host);

}  // namespace sanvp::traffic
