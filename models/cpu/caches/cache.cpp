#include "models/cpu/caches/cache.hpp"

#include <algorithm>
#include <bit>

namespace sanvp::cpu {
namespace {

/// Bits of a set's number that the sample fixes by the others: without them, the lines that are followed are packed,
/// and the same ones share a set.
unsigned fixed_bits(const CacheShape& shape, const Sample& sample) {
  const bool has_whole_pages = shape.bytes != 0 && shape.sets() * shape.line_bytes >= page_bytes;
  return has_whole_pages ? static_cast<unsigned>(std::popcount(sample.mask)) : 0;
}

}  // namespace

Cache::Cache(const CacheShape& shape, const Sample& sample)
    : line_bits_(static_cast<unsigned>(std::countr_zero(shape.line_bytes))),
      kept_bits_(page_bits - line_bits_ - fixed_bits(shape, sample)),
      kept_mask_((std::uint64_t{1} << kept_bits_) - 1),
      set_mask_(shape.bytes == 0 ? 0 : (shape.sets() >> fixed_bits(shape, sample)) - 1),
      ways_(shape.ways),
      replaces_randomly_(shape.replaces_randomly),
      lines_(shape.bytes / shape.line_bytes >> fixed_bits(shape, sample), empty) {}

/// Null: it does not hold the line.
std::uint64_t* Cache::way_of(std::uint64_t line) {
  std::uint64_t* const first = &lines_[first_of_set(line)];
  std::uint64_t* const found = std::find_if(first, first + ways_, [line](std::uint64_t at) { return is(at, line); });
  return found != first + ways_ ? found : nullptr;
}

bool Cache::access_other(std::uint64_t line, std::uint64_t dirty) {
  std::uint64_t* const first = &lines_[first_of_set(line)];
  std::uint64_t* found = way_of(line);
  const bool hits = found != nullptr;
  if (hits) {
    dirty |= *found & dirty_bit;
  } else {
    ++misses_;
    found = first + ways_ - 1;  // the least recently used line, or an empty way
    if (replaces_randomly_ && *found != empty) found = first + random_way();
    victim_ = *found != empty && (*found & dirty_bit) != 0 ? *found & ~dirty_bit : empty;
  }
  std::move_backward(first, found, found + 1);
  *first = line | dirty;
  return hits;
}

bool Cache::take_back(std::uint64_t address) {
  std::uint64_t* const found = way_of(line_of(address));
  if (found == nullptr) return false;
  *found |= dirty_bit;
  return true;
}

/// The same in every run.
std::size_t Cache::random_way() const {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;  // 2^64 by the golden ratio
  constexpr int kept = 32;
  std::uint64_t mixed = misses_ * golden;
  mixed ^= mixed >> kept;
  return (mixed * golden >> kept) * ways_ >> kept;
}

void Cache::drop(std::uint64_t line) {
  std::uint64_t* const found = way_of(line);
  if (found == nullptr) return;
  std::uint64_t* const end = &lines_[first_of_set(line)] + ways_;
  std::move(found + 1, end, found);
  *(end - 1) = empty;
}

void Cache::invalidate(std::uint64_t address, std::uint64_t bytes) {
  if (!exists() || bytes == 0) return;
  const std::uint64_t first = line_of(address), last = line_of(address + bytes - 1);
  if ((last - first) >> line_bits_ < lines_.size()) {
    for (std::uint64_t line = first; line - first <= last - first; line += line_bytes()) drop(line);
    return;
  }
  for (std::uint64_t& line : lines_)  // a range that is longer than the cache
    if ((line & ~dirty_bit) - first <= last - first) line = empty;
  for (auto set = lines_.begin(); set != lines_.end(); set += static_cast<std::ptrdiff_t>(ways_))
    std::stable_partition(set, set + static_cast<std::ptrdiff_t>(ways_),
                          [](std::uint64_t line) { return line != empty; });
}

}  // namespace sanvp::cpu
