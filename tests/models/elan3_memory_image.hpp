/// Regions of the memory that tests map: written, read back and compared byte by byte.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tests/models/elan3_bench.hpp"

namespace sanvp::test {

using Bytes = std::vector<std::byte>;

/// Both memories as `boot` maps them: SDRAM at place::elan, main memory at place::main.
inline void write_bytes(Elan3Host& host, e3_addr address, const Bytes& bytes) {
  if (address >= place::main) {
    std::copy(bytes.begin(), bytes.end(), host.memory.begin() + (address - place::main));
    return;
  }
  std::array<std::byte, 256> piece;
  std::size_t i = 0;
  for (; i + piece.size() <= bytes.size(); i += piece.size()) {
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(i), piece.size(), piece.begin());
    host.store(Elan3Host::sdram(address + static_cast<e3_addr>(i)), piece);
  }
  for (; i < bytes.size(); ++i) host.store(Elan3Host::sdram(address + static_cast<e3_addr>(i)), bytes[i]);
}

inline Bytes read_bytes(Elan3Host& host, e3_addr address, std::size_t count) {
  if (address >= place::main) {
    const auto from = host.memory.begin() + (address - place::main);
    return {from, from + static_cast<std::ptrdiff_t>(count)};
  }
  Bytes bytes(count);
  constexpr std::size_t piece = 4096;
  for (std::size_t i = 0; i < count; i += piece) {
    const auto part = host.load<std::array<std::byte, piece>>(Elan3Host::sdram(address + static_cast<e3_addr>(i)));
    std::copy_n(part.begin(), std::min(piece, count - i), bytes.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return bytes;
}

}  // namespace sanvp::test
