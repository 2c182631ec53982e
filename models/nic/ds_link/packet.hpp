/// A DS-link packet as the virtual channel processor sees it: virtual link, sequence number, data or acknowledgement.
/// On the wire: header (which encodes node and link; its lowest bits are the sequence number), data, EOP or EOM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/net/packet.hpp"

namespace sanvp::nic::ds_link {

using Bytes = std::shared_ptr<std::vector<std::byte>>;

struct LinkPacket {
  enum class Kind : std::uint8_t {
    data,
    acknowledgement  ///< header and EOP, no data (FACTS 3.3)
  };
  Kind kind = Kind::data;
  std::uint32_t link = 0;      ///< at the destination
  std::uint32_t sequence = 0;  ///< of the data packet that it is or acknowledges, modulo twice the window
  bool ends_message = false;   ///< EOM at its end, not EOP
  bool cut = false;            ///< truncated: its sender's link was restarted before it had left
  Bytes data{};

  bool operator==(const LinkPacket&) const = default;
};

/// Stored in the network's packet as its tag.
inline std::int64_t encode(const LinkPacket& packet) {
  return static_cast<std::int64_t>(std::uint64_t{packet.link} << 32 | packet.sequence << 8 |
                                   std::uint32_t{packet.cut} << 2 | std::uint32_t{packet.ends_message} << 1 |
                                   static_cast<std::uint32_t>(packet.kind));
}
inline LinkPacket decode(const net::Packet& packet) {
  const auto tag = static_cast<std::uint64_t>(packet.tag);
  return {.kind = static_cast<LinkPacket::Kind>(tag & 1),
          .link = static_cast<std::uint32_t>(tag >> 32),
          .sequence = static_cast<std::uint32_t>(tag >> 8) & 0xffffff,
          .ends_message = (tag & 2) != 0,
          .cut = (tag & 4) != 0,
          .data = packet.payload};
}

}  // namespace sanvp::nic::ds_link
