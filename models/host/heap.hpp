/// A piece of a node's memory that is handed out in parts. The same calls give the same offsets everywhere.
#pragma once

#include <cstddef>

#include "models/native/image.hpp"

namespace sanvp::host {

class Heap {
 public:
  /// `room` is not touched but for a few words until it is handed out.
  explicit Heap(native::Range room);
  // What is in there goes with the memory.
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// @param alignment  a power of two. @return null: there is no room
  void* allocate(std::size_t bytes, std::size_t alignment);
  /// @return false, and does nothing, where `pointer` is not what allocate has given, or is given back already, or its
  ///         records were overwritten
  bool release(void* pointer);
  /// Bytes that may be used at `pointer`; 0 where that is not of this heap.
  std::size_t usable_size(const void* pointer) const;

  /// Bytes of the last request that found no room; 0: there was none.
  std::size_t refused() const { return refused_; }
  const native::Range& room() const { return room_; }

 private:
  native::Range room_;
  std::size_t refused_ = 0;
};

}  // namespace sanvp::host
