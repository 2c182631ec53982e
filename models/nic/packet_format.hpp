/// Conversion of bytes to flits, and the latencies of the network's ends.
#pragma once

#include <algorithm>
#include <cstdint>

#include "platform/core/time.hpp"

namespace sanvp::nic {

struct PacketFormat {
  int flit_bytes = 1;
  int overhead_bytes = 0;         ///< route, header, CRC of every packet
  bool end_token = false;         ///< one more flit, the tail, that carries no byte (DS link: EOP)
  std::int64_t most_payload = 0;  ///< bytes per packet; longer messages are split; 0: no limit
  Time send_latency{0};           ///< in the sending NIC: part of a packet's latency, takes no bandwidth
  Time receive_latency{0};        ///< in the receiving NIC: the same

  /// Flits of `bytes` on the wire, headers included.
  int wire_flits(std::int64_t bytes) const {
    return static_cast<int>(std::max<std::int64_t>(1, (bytes + flit_bytes - 1) / flit_bytes)) + (end_token ? 1 : 0);
  }
  /// Flits of a packet that carries `payload` bytes.
  int flits(std::int64_t payload) const { return wire_flits(payload + overhead_bytes); }

  std::int64_t packets(std::int64_t message_bytes) const {
    return most_payload == 0 ? 1 : std::max<std::int64_t>(1, (message_bytes + most_payload - 1) / most_payload);
  }
  /// Payload of packet `index` of a message: all packets but the last are full.
  std::int64_t payload(std::int64_t message_bytes, std::int64_t index) const {
    return most_payload == 0 ? message_bytes : std::min(most_payload, message_bytes - index * most_payload);
  }
};

}  // namespace sanvp::nic
