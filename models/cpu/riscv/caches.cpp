#include "models/cpu/riscv/caches.hpp"

#include <algorithm>
#include <cmath>

namespace sanvp::riscv {
namespace {

std::int64_t part(std::int64_t stall_ps, double misses_in_flight) {
  return std::llround(static_cast<double>(stall_ps) / misses_in_flight);
}

}  // namespace

Caches::Caches(const native::CachesSettings& settings)
    : instructions_(settings.instructions),
      data_(settings.data),
      second_(settings.second),
      second_ps_(settings.second_ps),
      memory_ps_(settings.memory_ps),
      data_second_ps_(part(settings.second_ps, settings.misses_in_flight)),
      data_memory_ps_(part(settings.memory_ps, settings.misses_in_flight)) {}

std::int64_t Caches::fetch(std::uint64_t begin, std::uint64_t end) {
  Cache& first = instructions_.exists() ? instructions_ : data_;
  const std::uint64_t line = first.line_bytes();
  std::int64_t stall_ps = 0;
  for (std::uint64_t at = begin & ~(line - 1); at < end; at += line)
    if (!first.exists() || !first.access(at)) stall_ps += miss(at, second_ps_, memory_ps_);
  return stall_ps;
}

void Caches::invalidate(std::uint64_t address, std::uint64_t bytes) {
  instructions_.invalidate(address, bytes);
  data_.invalidate(address, bytes);
  for (const std::uint64_t end = address + bytes; address < end;) {
    const std::uint64_t part = std::min(end - address, page_bytes - (address & (page_bytes - 1)));
    second_.invalidate(physical(address), part);
    address += part;
  }
}

}  // namespace sanvp::riscv
