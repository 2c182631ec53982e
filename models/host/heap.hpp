/// A piece of a node's memory that is handed out in blocks. The same calls give the same offsets everywhere.
///
/// What is allocated and what is free is recorded outside of the node's memory, where a program that writes beyond its
/// blocks cannot damage it. In the memory itself a guard word precedes each block; such a program overwrites it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "models/native/image.hpp"

namespace sanvp::host {

class Heap {
 public:
  /// Touches only a few words of `room` until it is handed out. Throws std::invalid_argument if `room` is too small.
  explicit Heap(native::Range room);
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// Best fit. @param alignment  a power of two. @return null: no room
  void* allocate(std::size_t bytes, std::size_t alignment);
  /// Does nothing if `pointer` does not come from allocate, or has been released, or if the guard word before or behind
  /// its block was overwritten. @return whether the block was released
  bool release(void* pointer);
  /// Bytes that may be used at `pointer`; 0 if it is not in the room. In the room, but not an allocated block: 1, so
  /// that the caller does not take it for another allocator's; release() refuses it.
  std::size_t usable_size(const void* pointer) const;

  /// Whether the byte is in the room, and in no block that is handed out.
  bool is_free_at(const void* pointer) const;

  /// Bytes of the last request that found no room; 0 if none was refused.
  std::size_t refused() const { return refused_; }
  const native::Range& room() const { return room_; }

 private:
  // Sizes and offsets in units of `unit` bytes.
  using FreeBlocks = std::multimap<std::size_t, std::size_t>;  ///< size to offset
  struct Block {
    std::size_t size = 0;
    FreeBlocks::iterator free{};  ///< end() while it is allocated
  };
  using Blocks = std::map<std::size_t, Block>;  ///< offset to block: all of the heap, without gaps

  Blocks::iterator take(std::size_t size);
  Blocks::iterator take_aligned(std::size_t bytes, std::size_t alignment);
  Blocks::iterator split(Blocks::iterator block, std::size_t size);
  void give_back(Blocks::iterator block);
  FreeBlocks::iterator add_free(std::size_t size, std::size_t offset, bool before_equals);
  bool is_free(const Block& block) const { return block.free != free_.end(); }
  Blocks::const_iterator find_allocated(const void* pointer) const;
  std::byte* payload(std::size_t offset) const;
  std::uint64_t& guard(std::size_t offset) const;

  native::Range room_;
  FreeBlocks free_;
  Blocks blocks_;
  std::size_t refused_ = 0;
};

}  // namespace sanvp::host
