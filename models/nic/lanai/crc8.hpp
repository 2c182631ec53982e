/// The CRC at the end of each packet: the packet interface computes it when a packet leaves, and checks it on arrival.
/// Each switch removes its route byte and recomputes the CRC, so it covers what follows the route.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sanvp::nic::lanai {

namespace crc8_detail {

inline constexpr std::size_t bytes_at_once = 8;

/// tables[k][b]: the remainder of byte b with k bytes of zeros after it, so that several bytes are looked up at once.
inline constexpr auto tables = [] {
  constexpr unsigned polynomial = 0x07;
  std::array<std::array<std::uint8_t, 256>, bytes_at_once> values{};
  for (unsigned i = 0; i < 256; ++i) {
    unsigned value = i;
    for (std::array<std::uint8_t, 256>& table : values) {
      for (int bit = 0; bit < 8; ++bit) value = ((value << 1) ^ ((value & 0x80U) != 0 ? polynomial : 0U)) & 0xffU;
      table[i] = static_cast<std::uint8_t>(value);
    }
  }
  return values;
}();

}  // namespace crc8_detail

/// x^8 + x^2 + x + 1, bits from the highest (FACTS 2.2 names CRC-8; this polynomial, ANSI/VITA 26's, is R).
inline std::uint8_t crc8(std::span<const std::byte> bytes) {
  using crc8_detail::bytes_at_once, crc8_detail::tables;
  std::uint8_t crc = 0;
  for (; bytes.size() >= bytes_at_once; bytes = bytes.subspan(bytes_at_once)) {
    std::uint8_t all = tables[bytes_at_once - 1][crc ^ std::to_integer<std::uint8_t>(bytes[0])];
    for (std::size_t i = 1; i < bytes_at_once; ++i)
      all ^= tables[bytes_at_once - 1 - i][std::to_integer<std::uint8_t>(bytes[i])];
    crc = all;
  }
  for (const std::byte byte : bytes) crc = tables[0][crc ^ std::to_integer<std::uint8_t>(byte)];
  return crc;
}

}  // namespace sanvp::nic::lanai
