/// A wiring, packed: what the control asks about a channel or a switch at every hop, without the names and rules
/// around it. A large network runs at the speed of the caches it fits in.
#pragma once

#include <cstdint>
#include <vector>

#include "models/net/wiring.hpp"

namespace sanvp::net {

struct Layout {
  struct Channel {
    std::int64_t flit_ps = 0;
    std::int64_t tail_ps = 0;
    std::int32_t from = 0;  ///< unit
    std::int32_t to = 0;    ///< unit
    std::int32_t first_lane = 0;
    std::int16_t from_port = 0;
    std::int16_t to_port = 0;
    std::uint8_t lanes = 1;
    bool from_nic = false;
    bool to_nic = false;
    bool special = false;  ///< bit errors happen, or a packet must fit into the buffer at the far end
  };
  struct Switch {
    std::int64_t routing_ps = 0;
    std::int64_t setup_ps = 0;
    std::int32_t first_out = 0;  ///< index into `outs`
    std::int16_t ports = 0;
    bool repeater = false;
    bool software_router = false;
  };

  std::vector<Channel> channels;
  std::vector<Switch> switches;
  std::vector<std::int32_t> outs;  ///< channel per output port of each switch in turn

  std::int32_t out(int unit, int port) const { return outs[static_cast<std::size_t>(switches[unit].first_out + port)]; }

  static Layout of(const Wiring& wiring, const std::vector<int>& first_lane);
};

}  // namespace sanvp::net
