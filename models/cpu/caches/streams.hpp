/// A prefetcher of data: it recognizes lines that a program misses one after the other, upwards or downwards, and
/// fetches the next one before it is asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "models/cpu/costs/cpu_caches.hpp"

namespace sanvp::cpu {

class Streams {
 public:
  /// @param number  followed at a time; 0: there is no prefetcher
  /// @param sample  it is told of these lines alone
  Streams(std::uint64_t number, std::uint64_t line_bytes, const Sample& sample)
      : streams_(number), line_bytes_(line_bytes), sample_(sample) {}

  /// The program misses this line of the first level.
  /// @returns whether it had been fetched ahead: the line before or after it was missed a short time ago
  bool continues(std::uint64_t address);

 private:
  /// The lines that would continue it. In its first line no direction is known.
  struct Stream {
    std::uint64_t above = 0, below = 0;
  };

  std::uint64_t next(std::uint64_t line, std::uint64_t step_bytes) const;

  std::vector<Stream> streams_;  ///< that which has gone on last is the first
  std::uint64_t line_bytes_;
  Sample sample_;
};

}  // namespace sanvp::cpu
