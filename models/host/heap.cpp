#include "models/host/heap.hpp"

#include <array>
#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>
#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>

namespace sanvp::host {
namespace {

/// It keeps its own records in the memory that it manages, as offsets.
using Algorithm = boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family>;

Algorithm& algorithm(const native::Range& room) { return *reinterpret_cast<Algorithm*>(room.begin); }

/// What the algorithm keeps before each block, free or not: its own, which it shows to nobody. So `can_look` tries.
struct Record {
  std::size_t size_before;
  std::size_t size : 62;  // in units of the alignment, with this
  std::size_t is_allocated_before : 1;
  std::size_t is_allocated : 1;
};

Record record_at(const std::byte* at) {
  Record record{};
  std::memcpy(&record, at, sizeof record);
  return record;
}

bool looks_allocated(const native::Range& room, const void* pointer) {
  constexpr std::size_t unit = Algorithm::Alignment;
  const std::byte* const at = static_cast<const std::byte*>(pointer) - sizeof(Record);
  if (at < room.begin || reinterpret_cast<std::uintptr_t>(at) % unit != 0) return false;
  const Record record = record_at(at);
  const auto units_left = static_cast<std::size_t>(room.end() - at) / unit;
  if (record.size == 0 || record.size >= units_left) return false;
  // What was freed and has become part of the free block before it still says that it is allocated; the next one knows.
  const Record next = record_at(at + record.size * unit);
  constexpr std::size_t end_units = 2;  // the last record's size is no size
  const std::size_t next_left = units_left - record.size;
  const bool is_next_sound = next_left <= end_units || (next.size > 0 && next.size < next_left);
  return record.is_allocated != 0 && next.is_allocated_before != 0 && is_next_sound;
}

/// Whether the records are as they are thought to be.
bool can_look() {
  constexpr std::size_t bytes = 4096, some = 40;
  alignas(Algorithm::Alignment) std::array<std::byte, bytes> memory;
  const native::Range room{memory.data(), bytes};
  auto& trial = *new (room.begin) Algorithm(bytes, 0);
  const std::array blocks{trial.allocate(some), trial.allocate(some), trial.allocate(some)};
  const auto allocated = [&](std::size_t i) { return looks_allocated(room, blocks.at(i)); };
  bool as_thought = allocated(0) && allocated(1) && allocated(2);
  trial.deallocate(blocks[0]);
  trial.deallocate(blocks[1]);
  as_thought = as_thought && !allocated(0) && !allocated(1) && allocated(2);
  return as_thought;
}

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

bool Heap::release(void* pointer) {
  static const bool looks = can_look();
  if (looks && !looks_allocated(room_, pointer)) return false;
  algorithm(room_).deallocate(pointer);
  return true;
}

std::size_t Heap::usable_size(const void* pointer) const {
  return room_.contains(pointer, 1) ? algorithm(room_).size(pointer) : 0;
}

}  // namespace sanvp::host
