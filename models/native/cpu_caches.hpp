/// Caches and branches of a processor: as a file of models/host/cpus states them, and as a machine has set them.
#pragma once

#include <cstdint>

namespace sanvp::native {

/// A number and its source.
struct Sourced {
  double value = 0;
  const char* source = "";
};

/// KiB of 0: there is none.
struct SourcedCache {
  int KiB = 0;
  int line_bytes = 64;
  int ways = 1;
  const char* source = "none";
};

struct SourcedCaches {
  SourcedCache instructions{};  ///< none: they come through the data cache
  SourcedCache data{};
  SourcedCache second{};
  Sourced second_cycles{0, "none"};
  Sourced memory_ns{0, "none"};
  Sourced misses_in_flight{1, "assumed: the CPU waits for each"};
  Sourced misprediction_cycles{0, "none"};
};

/// Bytes of 0: there is no such cache. Lines and sets are powers of two.
struct CacheShape {
  std::uint64_t bytes = 0;
  std::uint64_t line_bytes = 64;
  std::uint64_t ways = 1;

  std::uint64_t sets() const { return bytes / (line_bytes * ways); }
};

struct CachesSettings {
  CacheShape instructions{};  ///< none: they come through the data cache
  CacheShape data{};
  CacheShape second{};          ///< of both
  std::int64_t second_ps = 0;   ///< of a miss of the first level that the second one serves
  std::int64_t memory_ps = 0;   ///< of a miss of all levels
  double misses_in_flight = 1;  ///< data misses that overlap on average: each stalls for its part
};

}  // namespace sanvp::native
