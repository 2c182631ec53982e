#include "models/host/heap.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace sanvp::host {
namespace {

// The placement of blocks decides which cache lines and pages a program's buffers share, and so simulated times: these
// numbers and the order among free blocks of one size are part of the results.
constexpr std::size_t unit = 16;                        // bytes: the alignment that malloc promises on x86-64
constexpr std::size_t guard_bytes = 8;                  // the end of a block's first unit
constexpr std::size_t smallest = 3;                     // units: a smaller remainder of a block stays with it
constexpr std::size_t first_offset = 4;                 // units: the first payload begins 80 bytes into the room
constexpr std::size_t at_the_end = 1;                   // unit: the guard word behind the last block
constexpr std::uint64_t pattern = 0x5ca1ab1e'0ddba115;  // no pointer, and no number that programs store often

/// A block has one unit before its payload. The first half of the next block's, up to its guard word, may be used, too.
constexpr std::size_t usable_bytes(std::size_t size) { return size * unit - guard_bytes; }

constexpr std::size_t size_for(std::size_t bytes) {
  const std::size_t beyond = std::max(bytes, guard_bytes) - guard_bytes;
  return std::max((beyond + unit - 1) / unit + 1, smallest);
}

}  // namespace

Heap::Heap(native::Range room) : room_(room) {
  const std::size_t units = room.bytes / unit;
  if (units < first_offset + smallest + at_the_end) throw std::invalid_argument("a heap without room");
  const std::size_t size = units - first_offset - at_the_end;
  blocks_[first_offset] = {size, add_free(size, first_offset, true)};
  guard(first_offset) = pattern ^ first_offset;
  guard(first_offset + size) = pattern ^ (first_offset + size);
}

std::byte* Heap::payload(std::size_t offset) const { return room_.begin + (offset + 1) * unit; }

std::uint64_t& Heap::guard(std::size_t offset) const {
  return *reinterpret_cast<std::uint64_t*>(payload(offset) - guard_bytes);
}

Heap::FreeBlocks::iterator Heap::add_free(std::size_t size, std::size_t offset, bool before_equals) {
  return before_equals ? free_.emplace_hint(free_.lower_bound(size), size, offset) : free_.emplace(size, offset);
}

/// The smallest free block that is large enough, without its surplus; end() if none exists.
Heap::Blocks::iterator Heap::take(std::size_t size) {
  const auto found = free_.lower_bound(size);
  if (found == free_.end()) return blocks_.end();
  const auto block = blocks_.find(found->second);
  const std::size_t rest = found->first - size;
  const bool before_equals = found != free_.begin() && std::prev(found)->first > rest;
  free_.erase(found);
  block->second.free = free_.end();
  if (rest >= smallest) {
    const auto behind = split(block, size);
    behind->second.free = add_free(rest, behind->first, before_equals);
  }
  return block;
}

/// Cuts an allocated block to `size`. @return the rest behind it, allocated
Heap::Blocks::iterator Heap::split(Blocks::iterator block, std::size_t size) {
  const std::size_t offset = block->first + size;
  const auto behind = blocks_.emplace_hint(std::next(block), offset, Block{block->second.size - size, free_.end()});
  block->second.size = size;
  guard(offset) = pattern ^ offset;
  return behind;
}

/// Coalesces it with its free neighbours. Among blocks of one size the last one added is taken first, except one that
/// has grown beyond others, which is taken last.
void Heap::give_back(Blocks::iterator block) {
  auto larger = free_.end();
  bool has_grown = false;
  const auto take_in = [&](Blocks::iterator into, Blocks::iterator from, Blocks::iterator free) {
    larger = free_.erase(free->second.free);
    has_grown = true;
    into->second.size += from->second.size;
    blocks_.erase(from);
  };
  if (const auto next = std::next(block); next != blocks_.end() && is_free(next->second)) take_in(block, next, next);
  if (block != blocks_.begin() && is_free(std::prev(block)->second)) {
    const auto before = std::prev(block);
    take_in(before, block, before);
    block = before;
  }
  const std::size_t size = block->second.size;
  const bool has_passed_others = has_grown && larger != free_.end() && size > larger->first;
  block->second.free = add_free(size, block->first, !has_passed_others);
}

void* Heap::allocate(std::size_t bytes, std::size_t alignment) {
  auto block = blocks_.end();
  if (bytes <= room_.bytes && alignment <= room_.bytes)
    block = alignment <= unit ? take(size_for(bytes)) : take_aligned(bytes, alignment);
  if (block == blocks_.end()) {
    refused_ = bytes;
    return nullptr;
  }
  return payload(block->first);
}

/// Takes a block so large that its payload can move to an aligned address; the skipped part becomes a free block.
Heap::Blocks::iterator Heap::take_aligned(std::size_t bytes, std::size_t alignment) {
  const std::size_t beyond = bytes > guard_bytes ? bytes - guard_bytes : bytes;
  auto block = take(size_for(std::max(beyond + alignment, smallest * unit) + (2 * smallest - 1) * unit));
  if (block == blocks_.end()) return block;
  auto skipped = blocks_.end();
  if (const auto address = reinterpret_cast<std::uintptr_t>(payload(block->first)); address % alignment != 0) {
    const std::uintptr_t aligned = (address + smallest * unit + alignment - 1) & -alignment;
    skipped = block;
    block = split(block, (aligned - address) / unit);
  }
  const std::size_t size = std::max((beyond + unit - 1) / unit + 1, smallest);
  if (block->second.size >= size + smallest) give_back(split(block, size));
  if (skipped != blocks_.end()) give_back(skipped);
  return block;
}

Heap::Blocks::const_iterator Heap::find_allocated(const void* pointer) const {
  if (!room_.contains(pointer, 1)) return blocks_.end();
  const auto distance = static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - room_.begin);
  if (distance % unit != 0) return blocks_.end();
  const auto found = blocks_.find(distance / unit - 1);
  return found != blocks_.end() && !is_free(found->second) ? found : blocks_.end();
}

bool Heap::release(void* pointer) {
  const auto found = find_allocated(pointer);
  if (found == blocks_.end()) return false;
  const std::size_t offset = found->first, behind = offset + found->second.size;
  if (guard(offset) != (pattern ^ offset) || guard(behind) != (pattern ^ behind)) return false;
  give_back(blocks_.find(offset));
  return true;
}

std::size_t Heap::usable_size(const void* pointer) const {
  const auto found = find_allocated(pointer);
  if (found != blocks_.end()) return usable_bytes(found->second.size);
  return room_.contains(pointer, 1) ? 1 : 0;
}

bool Heap::is_free_at(const void* pointer) const {
  if (!room_.contains(pointer, 1)) return false;
  const auto distance = static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - room_.begin);
  const auto after = blocks_.upper_bound(distance / unit);
  return after != blocks_.begin() && is_free(std::prev(after)->second);
}

}  // namespace sanvp::host
