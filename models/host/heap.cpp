#include "models/host/heap.hpp"

#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>
#include <new>
#include <stdexcept>

namespace sanvp::host {
namespace {

/// It keeps its own records in the memory that it manages, as offsets.
using Algorithm = boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family>;

Algorithm& algorithm(const native::Range& room) { return *reinterpret_cast<Algorithm*>(room.begin); }

}  // namespace

Heap::Heap(native::Range room) : room_(room) {
  if (room.bytes < Algorithm::get_min_size(0)) throw std::invalid_argument("a heap without room");
  new (room.begin) Algorithm(room.bytes, 0);
}

void* Heap::allocate(std::size_t bytes, std::size_t alignment) {
  void* found = nullptr;
  if (bytes <= room_.bytes)
    found = alignment <= Algorithm::Alignment ? algorithm(room_).allocate(bytes)
                                              : algorithm(room_).allocate_aligned(bytes, alignment);
  if (found == nullptr) refused_ = bytes;
  return found;
}

void Heap::release(void* pointer) { algorithm(room_).deallocate(pointer); }

std::size_t Heap::usable_size(const void* pointer) const {
  return room_.contains(pointer, 1) ? algorithm(room_).size(pointer) : 0;
}

}  // namespace sanvp::host
