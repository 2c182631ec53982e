/// The CRC at the end of each packet: the packet interface computes it when a packet leaves, and checks it on arrival.
/// Each switch removes its route byte and recomputes the CRC, so it covers what follows the route.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sanvp::nic::lanai {

/// x^8 + x^2 + x + 1, bits from the highest (FACTS 2.2 names CRC-8; this polynomial, ANSI/VITA 26's, is R).
inline std::uint8_t crc8(std::span<const std::byte> bytes) {
  static constexpr auto table = [] {
    constexpr unsigned polynomial = 0x07;
    std::array<std::uint8_t, 256> values{};
    for (unsigned i = 0; i < values.size(); ++i) {
      unsigned value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value << 1) ^ ((value & 0x80U) != 0 ? polynomial : 0U);
      values[i] = static_cast<std::uint8_t>(value);
    }
    return values;
  }();
  std::uint8_t crc = 0;
  for (const std::byte byte : bytes) crc = table[crc ^ std::to_integer<std::uint8_t>(byte)];
  return crc;
}

}  // namespace sanvp::nic::lanai
