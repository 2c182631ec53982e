/// The header of a packet between two cards. On the wire it is the format's overhead (Mesh of Clos paper 4: two header
/// flits); fields that the paper omits, such as the tag, take no flits here either.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace sanvp::nic::message_port {

struct Header {
  enum class Kind : std::uint32_t {
    data,
    acknowledgement,  ///< the system message that ends a message
    confirmation,     ///< of a packet, if packets are protected
  };
  Kind kind = Kind::data;
  std::uint32_t number = 0;  ///< of the message, counted by its sender
  std::uint32_t node = 0, process = 0;
  std::uint32_t to_process = 0;
  std::uint32_t tag = 0;
  std::uint32_t bytes = 0;         ///< of the message
  std::uint32_t offset = 0;        ///< of this packet's data in it
  std::uint32_t state = 0;         ///< of an acknowledgement: enum message_state
  std::uint32_t may_overtake = 0;  ///< 1: its route is adaptive
  std::uint32_t sequence = 0;      ///< of the packet, among those to its node, if packets are protected
};

using Payload = std::shared_ptr<std::vector<std::byte>>;

inline Payload encode(const Header& header, std::size_t data_bytes) {
  auto payload = std::make_shared<std::vector<std::byte>>(sizeof header + data_bytes);
  std::memcpy(payload->data(), &header, sizeof header);
  return payload;
}
inline void put_header(const Payload& payload, const Header& header) {
  std::memcpy(payload->data(), &header, sizeof header);
}
inline std::span<std::byte> data_of(const Payload& payload) { return std::span(*payload).subspan(sizeof(Header)); }
inline Header header_of(const Payload& payload) {
  Header header;
  std::memcpy(&header, payload->data(), sizeof header);
  return header;
}

}  // namespace sanvp::nic::message_port
