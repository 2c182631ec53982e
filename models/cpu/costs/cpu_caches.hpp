/// Caches and branches of a processor: as stated by a file of models/host/cpus, and as set by a machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sanvp::cpu {

constexpr unsigned page_bits = 12;
constexpr std::uint64_t page_bytes = 1U << page_bits;

/// A number and its source.
struct Sourced {
  double value = 0;
  const char* source = "";
};

/// No such cache if KiB is 0.
struct SourcedCache {
  int KiB = 0;
  int line_bytes = 64;
  int ways = 1;
  const char* source = "none";
  bool replaces_randomly = false;  ///< else the least recently used line of a set is replaced
};

struct SourcedCaches {
  SourcedCache instructions{};  ///< none: they come through the data cache
  SourcedCache data{};
  SourcedCache second{};
  Sourced second_cycles{0, "none"};
  Sourced second_line_cycles{0, "assumed: the latency bounds it"};
  Sourced memory_ns{0, "none"};
  Sourced misses_in_flight{1, "assumed: the CPU waits for each"};
  Sourced prefetch_streams{0, "none: it fetches what it is asked for"};
  Sourced misprediction_cycles{0, "none"};
};

/// No such cache if its bytes are 0. Lines and sets are powers of two.
struct CacheShape {
  std::uint64_t bytes = 0;
  std::uint64_t line_bytes = 64;
  std::uint64_t ways = 1;
  bool replaces_randomly = false;

  std::uint64_t sets() const { return bytes / (line_bytes * ways); }
  bool operator==(const CacheShape&) const = default;
};

/// The lines of each page that a model of caches follows, chosen so that each part of a page, and each residue of a
/// stride, has equally many.
struct Sample {
  std::uint64_t mask = 0;  ///< 0: all lines

  bool has(std::uint64_t address) const { return ((address ^ address >> 2) & mask) == 0; }
  /// The number of lines that one of them stands for.
  double stands_for() const { return static_cast<double>(std::uint64_t{1} << std::popcount(mask)); }
};

struct CachesSettings {
  CacheShape instructions{};  ///< none: they come through the data cache
  CacheShape data{};
  CacheShape second{};                 ///< of both
  std::int64_t second_ps = 0;          ///< of a miss of the first level that the second one serves
  std::int64_t second_line_ps = 0;     ///< for which a line occupies the port between both levels
  std::int64_t memory_ps = 0;          ///< of a miss of all levels
  std::int64_t memory_line_ps = 0;     ///< for which a line that is fetched or written back occupies memory
  double misses_in_flight = 1;         ///< data misses that overlap on average: each stalls for its part
  std::uint64_t prefetch_streams = 0;  ///< sequences of data lines that are fetched ahead
  bool samples = false;                ///< a part of all lines stands for all

  bool has_any() const { return data.bytes + second.bytes != 0; }
  /// The cache whose misses memory serves.
  const CacheShape& last() const { return second.bytes != 0 ? second : data; }
  /// One line of 64 bytes in 16, as far as lines are not longer: three pairs of bits of their numbers in a page are
  /// equal.
  Sample sample() const {
    constexpr std::uint64_t least = 64, end = 1U << 10;
    const std::uint64_t line = std::max({least, data.line_bytes, second.line_bytes});
    return {samples && line < end ? end - line : 0};
  }
};

}  // namespace sanvp::cpu
