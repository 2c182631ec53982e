/// A set-associative cache for timing only: it tracks which lines are cached, not their contents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/cpu/costs/cpu_caches.hpp"

namespace sanvp::cpu {

class Cache {
 public:
  /// @param sample  it is asked for these lines alone: others have no place
  explicit Cache(const CacheShape& shape, const Sample& sample = {});

  bool exists() const { return !lines_.empty(); }
  std::uint64_t line_bytes() const { return std::uint64_t{1} << line_bits_; }

  /// Whether it holds the line of this address. Afterwards it does, and the line is dirty if it was or if this
  /// `writes`.
  bool access(std::uint64_t address, bool writes = false) {
    ++accesses_;
    return touch(address, writes);
  }
  /// The same; count() adds the access.
  bool touch(std::uint64_t address, bool writes = false) {
    const std::uint64_t line = line_of(address), dirty = writes ? dirty_bit : 0;
    std::uint64_t& used_last = lines_[first_of_set(line)];
    if (!is(used_last, line)) return access_other(line, dirty);
    used_last |= dirty;
    return true;
  }
  void count(std::uint64_t accesses) { accesses_ += accesses; }

  /// The address of the dirty line that the last miss has replaced, if it was one.
  std::optional<std::uint64_t> written_back() const {
    if (victim_ == empty) return std::nullopt;
    return victim_;
  }
  /// A dirty line of the level before has come back: it is dirty here. @returns false if it is not here
  bool take_back(std::uint64_t address);

  /// Its lines by their addresses, with dirty_bit, set after set, in each the most recently used one first. For
  /// translated code, which finds hits by itself: it moves a line to the front of its set and makes it dirty, as
  /// touch() does.
  std::uint64_t* lines() { return lines_.data(); }
  static constexpr std::uint64_t dirty_bit = 1;  ///< addresses of lines are multiples of their bytes

  /// Drops all lines of this range.
  void invalidate(std::uint64_t address, std::uint64_t bytes);

  std::uint64_t accesses() const { return accesses_; }
  std::uint64_t misses() const { return misses_; }

 private:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};  ///< a way without a line

  static bool is(std::uint64_t way, std::uint64_t line) { return (way & ~dirty_bit) == line; }
  std::uint64_t line_of(std::uint64_t address) const { return address & ~(line_bytes() - 1); }
  std::size_t first_of_set(std::uint64_t line) const {
    const std::uint64_t in_page = line >> line_bits_ & kept_mask_;
    return ((line >> page_bits << kept_bits_ | in_page) & set_mask_) * ways_;
  }
  std::uint64_t* way_of(std::uint64_t line);
  bool access_other(std::uint64_t line, std::uint64_t dirty);
  std::size_t random_way() const;
  void drop(std::uint64_t line);

  unsigned line_bits_;
  unsigned kept_bits_;  ///< of a line's number in its page: those that the sample does not fix by the others
  std::uint64_t kept_mask_;
  std::uint64_t set_mask_;
  std::size_t ways_;
  bool replaces_randomly_;
  std::vector<std::uint64_t> lines_;
  std::uint64_t victim_ = empty;  ///< of the last miss: a dirty line, without that bit
  std::uint64_t accesses_ = 0, misses_ = 0;
};

}  // namespace sanvp::cpu
