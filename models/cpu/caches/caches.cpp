#include "models/cpu/caches/caches.hpp"

#include <algorithm>
#include <cmath>

namespace sanvp::cpu {
namespace {

/// The stall of a miss of data among others: its part of the latency, or the time of its lines at the port.
std::int64_t part(std::int64_t stall_ps, const CachesSettings& settings, std::int64_t line_ps = 0) {
  const double lines = settings.sample().stands_for();
  const double stall = static_cast<double>(stall_ps) / settings.misses_in_flight;
  return std::llround(lines * std::max(stall, static_cast<double>(line_ps)));
}

/// @param line_ps  for which it moves a line
void adopt_time(CachePort& port, std::int64_t line_ps, const CachesSettings& settings) {
  constexpr double lines_of_a_miss = 2;  // a fetched one, and one written back
  const double of_sample_ps = static_cast<double>(line_ps) * settings.sample().stands_for();
  port.line_ps = std::llround(of_sample_ps);
  port.slack_ps = std::llround(of_sample_ps * lines_of_a_miss * settings.misses_in_flight);
}

/// A cache that sees the lines of a sample alone. Its sets see as many as without it if they are told apart by all bits
/// of an address within a page, and fewer if not: then it has fewer ways.
CacheShape sampled(CacheShape shape, const Sample& sample) {
  const std::uint64_t way_bytes = shape.sets() * shape.line_bytes;
  const double pages = static_cast<double>(way_bytes) / static_cast<double>(page_bytes);
  const double share = std::clamp(pages, 1 / sample.stands_for(), 1.0);
  shape.ways = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(shape.ways) * share));
  shape.bytes = shape.ways * way_bytes;
  return shape;
}

}  // namespace

Caches::Caches(const CachesSettings& settings)
    : sample_(settings.sample()),
      instructions_(settings.instructions),
      data_(data_shape(settings)),
      second_(sampled(settings.second, sample_), sample_),
      streams_(settings.prefetch_streams, (data_.exists() ? data_ : second_).line_bytes(), sample_) {
  adopt_times(settings);
}

CacheShape Caches::data_shape(const CachesSettings& settings) { return sampled(settings.data, settings.sample()); }

void Caches::adopt_times(const CachesSettings& settings) {
  second_ps_ = settings.second_ps;
  memory_ps_ = settings.memory_ps;
  data_second_ps_ = {part(settings.second_ps, settings, settings.second_line_ps),
                     part(settings.second_ps, settings, 2 * settings.second_line_ps)};
  data_memory_ps_ = part(settings.memory_ps, settings);
  adopt_time(memory_port_, settings.memory_line_ps, settings);
  adopt_time(second_port_, settings.second_line_ps, settings);
}

/// A dirty line that leaves the first level of data goes to the second one if that has it, or to memory.
/// @returns whether it went to the second level
bool Caches::write_back_first() {
  const auto victim = data_.written_back();
  if (!victim) return false;
  if (second_.exists() && second_.take_back(physical(*victim))) return true;
  ++moved_.by_memory;
  return false;
}

/// Whether the second level has the line. A dirty one that it replaces goes to memory.
bool Caches::reach_second(std::uint64_t address, bool writes) {
  if (!second_.exists()) return false;
  if (second_.access(physical(address), writes)) return true;
  if (second_.written_back()) ++moved_.by_memory;
  return false;
}

/// A line that is written is fetched first. One that has been fetched ahead does not wait for its latency.
std::int64_t Caches::miss_of_data(std::uint64_t address, bool writes) {
  const bool returns = data_.exists() && write_back_first();
  const bool is_ahead = streams_.continues(address);
  const bool is_in_second = reach_second(address, writes && !data_.exists());
  if (!is_in_second) ++moved_.by_memory;
  if (is_ahead) {
    if (is_in_second) moved_.ahead += returns ? 2 : 1;
    return 0;
  }
  return is_in_second ? data_second_ps_[returns ? 1 : 0] : data_memory_ps_;
}

std::int64_t Caches::miss_of_instructions(std::uint64_t address) {
  if (!instructions_.exists() && data_.exists()) write_back_first();
  return reach_second(address, false) ? second_ps_ : memory_ps_;
}

std::int64_t Caches::fetch(std::uint64_t begin, std::uint64_t end) {
  Cache& first = first_of_instructions();
  const std::uint64_t line = first.line_bytes(), from = begin & ~(line - 1);
  std::int64_t stall_ps = 0;
  for (std::uint64_t at = from; at - from < end - from; at += line)  // the last line's end may be 2^64
    if (!first.exists() || !first.access(at)) stall_ps += miss_of_instructions(at);
  return stall_ps;
}

void Caches::invalidate(std::uint64_t address, std::uint64_t bytes) {
  instructions_.invalidate(address, bytes);
  data_.invalidate(address, bytes);
  for (const std::uint64_t end = address + bytes; address < end;) {
    const std::uint64_t in_page = page_bytes - (address & (page_bytes - 1));
    const std::uint64_t length = std::min(end - address, in_page);
    second_.invalidate(physical(address), length);
    address += length;
  }
}

}  // namespace sanvp::cpu
