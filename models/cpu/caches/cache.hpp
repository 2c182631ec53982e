/// A set-associative cache for timing only: it tracks which lines are cached, not their contents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/cpu/costs/cpu_caches.hpp"

namespace sanvp::cpu {

class Cache {
 public:
  explicit Cache(const CacheShape& shape);

  bool exists() const { return !lines_.empty(); }
  std::uint64_t line_bytes() const { return std::uint64_t{1} << line_bits_; }

  /// Whether it holds the line of this address. Afterwards it does.
  bool access(std::uint64_t address) {
    const std::uint64_t line = line_of(address);
    ++accesses_;
    return lines_[first_of_set(line)] == line || access_other(line);
  }
  /// Drops all lines of this range.
  void invalidate(std::uint64_t address, std::uint64_t bytes);

  std::uint64_t accesses() const { return accesses_; }
  std::uint64_t misses() const { return misses_; }

 private:
  /// Counts from 1, since 0 is an empty way.
  std::uint64_t line_of(std::uint64_t address) const { return (address >> line_bits_) + 1; }
  std::size_t first_of_set(std::uint64_t line) const { return (line & set_mask_) * ways_; }
  bool access_other(std::uint64_t line);
  std::size_t random_way() const;
  void drop(std::uint64_t line);

  unsigned line_bits_;
  std::uint64_t set_mask_;
  std::size_t ways_;
  bool replaces_randomly_;
  std::vector<std::uint64_t> lines_;  ///< set after set, in each the most recently used one first
  std::uint64_t accesses_ = 0, misses_ = 0;
};

}  // namespace sanvp::cpu
