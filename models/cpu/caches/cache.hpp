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
    ++accesses_;
    return touch(address);
  }
  /// The same; count() adds the access.
  bool touch(std::uint64_t address) {
    const std::uint64_t line = line_of(address);
    return lines_[first_of_set(line)] == line || access_other(line);
  }
  void count(std::uint64_t accesses) { accesses_ += accesses; }

  /// Its lines by their addresses, set after set, in each the most recently used one first. For translated code, which
  /// finds hits by itself: it moves a line to the front of its set, as touch() does.
  std::uint64_t* lines() { return lines_.data(); }

  /// Drops all lines of this range.
  void invalidate(std::uint64_t address, std::uint64_t bytes);

  std::uint64_t accesses() const { return accesses_; }
  std::uint64_t misses() const { return misses_; }

 private:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};  ///< a way without a line

  std::uint64_t line_of(std::uint64_t address) const { return address & ~(line_bytes() - 1); }
  std::size_t first_of_set(std::uint64_t line) const { return (line >> line_bits_ & set_mask_) * ways_; }
  bool access_other(std::uint64_t line);
  std::size_t random_way() const;
  void drop(std::uint64_t line);

  unsigned line_bits_;
  std::uint64_t set_mask_;
  std::size_t ways_;
  bool replaces_randomly_;
  std::vector<std::uint64_t> lines_;
  std::uint64_t accesses_ = 0, misses_ = 0;
};

}  // namespace sanvp::cpu
