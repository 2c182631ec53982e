#include "models/host/memory_traffic.hpp"

#include <algorithm>
#include <cmath>

namespace sanvp::host {
namespace {

constexpr double ps_per_second = 1e12;

// Two samples further apart than this many spans do not belong to one traversal: the loop was left in between.
constexpr int most_spans_between = 4;
// Number of blocks of the cache model: enough for a program's arrays to be in the cache side by side, few enough to be
// fast.
constexpr std::int64_t blocks_of_a_cache = 2048;
constexpr std::int64_t least_block_bytes = 64, most_block_bytes = 4096;
constexpr std::uintptr_t word_bytes = 8;
// How far memory may run ahead, as with prefetching: the model streams blocks, a real memory streams lines.
constexpr std::size_t prefetched_bytes = 32768;

Time time_of(std::size_t bytes, double Bps) {
  return Time{std::llround(static_cast<double>(bytes) * ps_per_second / Bps)};
}

}  // namespace

std::uintptr_t address_of(const native::Operand& operand, const hal_registers& registers, const native::Image& image) {
  constexpr std::uint8_t last_register = 15;
  std::uintptr_t address = 0;
  if (operand.base == native::Operand::instruction_pointer)
    address = reinterpret_cast<std::uintptr_t>(image.loaded(static_cast<std::uint64_t>(operand.displacement)));
  else
    address = static_cast<std::uintptr_t>(operand.displacement);
  if (operand.base <= last_register) address += registers.general[operand.base];
  if (operand.index <= last_register) address += registers.general[operand.index] * operand.scale;
  if (operand.own_global) address += image.globals_place();
  return address;
}

Time MemoryChannel::transfer(Time at, std::size_t bytes) {
  free_ = std::max(free_, at) + time_of(bytes, Bps_);
  return free_;
}

MemoryTraffic::MemoryTraffic(MemoryChannel& channel, std::int64_t cache_bytes, double Bps, Time load)
    : channel_(channel),
      block_bytes_(static_cast<std::uintptr_t>(
          std::clamp(cache_bytes / blocks_of_a_cache, least_block_bytes, most_block_bytes))),
      most_blocks_(std::max<std::size_t>(1, static_cast<std::size_t>(cache_bytes) / block_bytes_)),
      Bps_(Bps),
      load_(std::max(load, Time{1})) {}

Time MemoryTraffic::stall(const native::Loop& loop, const hal_registers& registers, const native::Image& image,
                          Time now, Time span) {
  computed_ += span;
  const std::size_t operands = std::min(loop.operands.size(), most_operands);
  if (operands == 0) return Time{0};
  bool first = false;
  Visit& visit = visit_of(loop.returns_to, first);
  const Time between = computed_ - visit.computed;
  const bool goes_on = !first && between <= most_spans_between * span;
  const auto most_loads = static_cast<std::uintptr_t>(between / load_);
  std::size_t missing = 0;
  for (std::size_t i = 0; i < operands; ++i) {
    const std::uintptr_t at = address_of(loop.operands[i], registers, image);
    const auto [low, high] = std::minmax(at, visit.at[i]);
    // A distance that its loads could not cover is a jump: to another array, or to the next element of a list.
    if (goes_on && high - low <= most_loads * std::max<std::uintptr_t>(loop.operands[i].bytes, word_bytes))
      missing += walk(low, high);
    else
      touch(at / block_bytes_);
    visit.at[i] = at;
  }
  visit.computed = computed_;
  return std::max(Time{0}, given(missing, now - span, now) - now);
}

/// Most samples are of the same loop as the one before.
MemoryTraffic::Visit& MemoryTraffic::visit_of(std::uint64_t loop, bool& first) {
  if (last_visit_ == nullptr || last_visit_->first != loop) {
    const auto [found, is_new] = visits_.try_emplace(loop);
    last_visit_ = &*found;
    first = is_new;
  }
  return last_visit_->second;
}

Time MemoryTraffic::stall(const void* memory, std::size_t bytes, Time now, Time price) {
  const auto from = reinterpret_cast<std::uintptr_t>(memory);
  return std::max(Time{0}, given(walk(from, from + bytes - 1), now, now) - (now + price));
}

/// When `missing` bytes that are not in the cache, requested from `asked` on, have arrived.
Time MemoryTraffic::given(std::size_t missing, Time asked, Time now) {
  if (missing == 0) return now;
  const Time prefetched = time_of(prefetched_bytes, Bps_);
  supplied_ = std::max(supplied_, now - prefetched) + time_of(missing, Bps_);
  return std::max(supplied_, channel_.transfer(asked, missing) - prefetched);
}

/// @return bytes of the blocks in the range that were not in the cache
std::size_t MemoryTraffic::walk(std::uintptr_t from, std::uintptr_t to) {
  std::size_t missing = 0;
  for (std::uintptr_t block = from / block_bytes_; block <= to / block_bytes_; ++block)
    if (!touch(block)) missing += block_bytes_;
  return missing;
}

/// @return whether it was in the cache
bool MemoryTraffic::touch(std::uintptr_t block) {
  if (!blocks_.empty() && blocks_.front() == block) return true;
  const auto [place, is_new] = places_.try_emplace(block);
  if (!is_new) {
    blocks_.splice(blocks_.begin(), blocks_, place->second);
    return true;
  }
  blocks_.push_front(block);
  place->second = blocks_.begin();
  if (blocks_.size() > most_blocks_) {
    places_.erase(blocks_.back());
    blocks_.pop_back();
  }
  return false;
}

}  // namespace sanvp::host
