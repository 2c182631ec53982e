/// The packet list of `sanvp replay`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/core/time.hpp"

namespace sanvp::replay {

/// One packet to send: a line `TIME_NS SRC DST BYTES [ROUTE_ID]`.
struct Packet {
  static constexpr int any_route = -1;  ///< no ROUTE_ID given: the NIC chooses

  Time time;               ///< when the packet is generated
  int source = 0;          ///< host
  int destination = 0;     ///< host, not the source
  std::int64_t bytes = 0;  ///< length on the wire
  int route_id = any_route;

  bool operator==(const Packet&) const = default;
};

/// Reads packets in the order of the file, which need not be ordered by time. TIME_NS may have decimals, down to the
/// picosecond, and is read exactly.
/// @param name   names the text in messages
/// @param hosts  number of hosts of the machine: SRC and DST are less
std::vector<Packet> parse_traffic(std::string_view text, const std::string& name, int hosts);
std::vector<Packet> read_traffic_file(const std::string& path, int hosts);

/// Text from which parse_traffic reads the same packets.
std::string to_text(const std::vector<Packet>& packets);

}  // namespace sanvp::replay
