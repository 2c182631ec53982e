/// A queue of receives or of messages that wait for each other, as MPI matches them: by rank and tag, either of which a
/// receive may leave open, and in the order of arrival among those that fit.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "platform/goal/program.hpp"

namespace sanvp::goal {

class MatchQueue {
 public:
  /// @param partner, tag  either may be `any`. @param what  the caller's own
  void push(std::uint32_t partner, std::uint32_t tag, std::uint32_t what);
  /// Takes the first entry that fits; either side may have `any`.
  std::optional<std::uint32_t> take(std::uint32_t partner, std::uint32_t tag);
  bool empty() const { return lists_.empty(); }
  /// All entries, in their order.
  std::vector<std::uint32_t> all() const;

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct Entry {
    std::uint64_t turn = 0;
    std::uint32_t what = 0;
    std::uint32_t next = none;
  };
  struct List {
    std::uint32_t first = none;
    std::uint32_t last = none;
  };
  using Lists = std::unordered_map<std::uint64_t, List>;

  static std::uint64_t key(std::uint32_t partner, std::uint32_t tag) { return std::uint64_t{partner} << 32 | tag; }
  static bool fits(std::uint32_t a, std::uint32_t b) { return a == b || a == any || b == any; }
  std::uint64_t turn_of(const List& list) const { return entries_[list.first].turn; }
  Lists::iterator first_that_fits(std::uint32_t partner, std::uint32_t tag);

  Lists lists_;  ///< by exact rank and tag; none is empty
  std::vector<Entry> entries_;
  std::uint32_t free_ = none;
  std::uint64_t turns_ = 0;
};

}  // namespace sanvp::goal
