/// A channel's rules as the worm fidelity has them.
#pragma once

#include "models/net/wiring.hpp"
#include "models/net/worm/virtual_channel.hpp"

namespace sanvp::net::worm {

/// 0: credits do not come as tokens.
Time token_time_of(const ChannelRules& rules);
VcRules rules_of(const Wiring& wiring, const Wiring::Channel& channel);
/// Flits that a VC can hold at most, on their way to its FIFO included; or more than any packet has, where headers do
/// not go ahead of them (ahead.cpp).
std::int64_t most_held(const Wiring& wiring, const Wiring::Channel& channel, const VcRules& vc);

}  // namespace sanvp::net::worm
