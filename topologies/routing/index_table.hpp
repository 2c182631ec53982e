/// A hash table that is cheap to fill and clear thousands of times: 64-bit keys to small indices.
#pragma once

#include <cstdint>
#include <vector>

namespace sanvp::topologies {

/// Open addressing. Clearing takes constant time: a slot is valid only if its epoch is the current one.
class IndexTable {
 public:
  /// The index stored under `key`; if none is stored, stores and returns `index`.
  std::uint32_t find_or_insert(std::uint64_t key, std::uint32_t index) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[find(key)];
    if (slot.epoch == epoch_) return slot.index;
    slot = {key, index, epoch_};
    ++size_;
    return index;
  }

  void clear() {
    size_ = 0;
    if (++epoch_ == 0)
      *this = {};  // the epoch wrapped around after four thousand million times: start with an empty table
  }

 private:
  struct Slot {
    std::uint64_t key;
    std::uint32_t index;
    std::uint32_t epoch;
  };

  /// The slot that holds `key`, or the free slot where it belongs.
  std::size_t find(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t hash = (key ^ key >> 30) * 0xbf58476d1ce4e5b9;  // as SplitMix64 does
    hash ^= hash >> 32;
    std::size_t at = hash & mask;
    while (slots_[at].epoch == epoch_ && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    const std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? 1024 : 2 * old.size(), Slot{});
    for (const Slot& slot : old)
      if (slot.epoch == epoch_) slots_[find(slot.key)] = slot;
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
  std::uint32_t epoch_ = 1;
};

}  // namespace sanvp::topologies
