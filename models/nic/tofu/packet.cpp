#include "models/nic/tofu/packet.hpp"

#include <cstring>
#include <type_traits>
#include <utility>

namespace sanvp::nic::tofu {

static_assert(std::is_trivially_copyable_v<Header>);

Payload encode(const Header& header, std::size_t data_bytes) {
  auto packet = std::make_shared<std::vector<std::byte>>(sizeof header + data_bytes);
  std::memcpy(packet->data(), &header, sizeof header);
  return packet;
}

Header header_of(const std::vector<std::byte>& packet) {
  Header header;
  std::memcpy(&header, packet.data(), sizeof header);
  return header;
}

std::span<std::byte> data_of(std::vector<std::byte>& packet) { return std::span(packet).subspan(sizeof(Header)); }

Header answer(const Header& header, Header::Kind kind, std::uint8_t status) {
  Header back = header;
  back.kind = kind;
  back.status = status;
  std::swap(back.from, back.to);
  return back;
}

}  // namespace sanvp::nic::tofu
