/// host::Heap: blocks as a program sees them, whatever the program does to what lies between them.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "models/host/heap.hpp"

using namespace sanvp;
using host::Heap;

namespace {

constexpr std::size_t room_bytes = 64 << 10;

/// A heap in memory of its own, at an address that is a multiple of any alignment asked for here.
struct Bench {
  alignas(room_bytes) std::array<std::byte, room_bytes> memory{};
  Heap heap{{memory.data(), room_bytes}};

  std::ptrdiff_t offset(const void* pointer) const { return static_cast<const std::byte*>(pointer) - memory.data(); }
};

/// The most that can be allocated in one block.
std::size_t largest_block(Heap& heap) {
  std::size_t fits = 0, too_large = room_bytes;
  while (fits + 1 < too_large) {
    const std::size_t bytes = (fits + too_large) / 2;
    void* const block = heap.allocate(bytes, 16);
    if (block != nullptr) heap.release(block);
    (block != nullptr ? fits : too_large) = bytes;
  }
  return fits;
}

/// 4,000 times at random: allocates or releases a block, at random size and alignment. `visit(heap, live)` after each.
template <class Visit>
std::vector<std::ptrdiff_t> exercise(Bench& bench, unsigned seed, Visit visit) {
  std::mt19937 random(seed);
  std::map<std::byte*, std::size_t> live;
  std::vector<std::ptrdiff_t> offsets;
  for (int step = 0; step < 4000; ++step) {
    if (random() % 5 < 3) {
      const std::size_t bytes = random() % 3 == 0 ? random() % 5000 : random() % 200;
      const std::size_t alignment = random() % 4 == 0 ? std::size_t{32} << random() % 6 : 16;
      auto* const block = static_cast<std::byte*>(bench.heap.allocate(bytes, alignment));
      offsets.push_back(block != nullptr ? bench.offset(block) : -1);
      if (block == nullptr) continue;
      CHECK(reinterpret_cast<std::uintptr_t>(block) % alignment == 0);
      live[block] = bytes;
    } else if (!live.empty()) {
      const auto block = std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size()));
      CHECK(bench.heap.release(block->first));
      live.erase(block);
    }
    visit(live);
  }
  for (const auto& [block, bytes] : live) CHECK(bench.heap.release(block));
  return offsets;
}

}  // namespace

TEST_CASE("blocks lie in the room, do not overlap, and hold what was asked for") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Bench bench;
    exercise(bench, seed, [&](const std::map<std::byte*, std::size_t>& live) {
      std::byte* free_from = bench.memory.data();
      for (const auto& [block, bytes] : live) {
        const std::size_t usable = bench.heap.usable_size(block);
        if (block < free_from || usable < bytes || block + usable > bench.memory.data() + room_bytes)
          FAIL("seed " << seed << ": block at " << bench.offset(block) << " of " << bytes << " bytes");
        std::memset(block, 0xff, usable);  // whatever a program stores in it
        free_from = block + usable;
      }
    });
  }
}

TEST_CASE("the same calls give the same offsets in any room") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Bench one, other;
    const auto nothing = [](const auto&) {};
    CHECK(exercise(one, seed, nothing) == exercise(other, seed, nothing));
  }
}

TEST_CASE("when all blocks are released, in any order, the room is one block again") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Bench bench;
    const std::size_t at_first = largest_block(bench.heap);
    // All units of 16 bytes but 4 before the first block and 1 behind the last, but for 8 bytes of the block's own.
    CHECK(at_first == room_bytes - 5 * 16 - 8);
    exercise(bench, seed, [](const auto&) {});
    CHECK(largest_block(bench.heap) == at_first);
  }
}

TEST_CASE("the smallest free block that is large enough is taken") {
  Bench bench;
  std::vector<void*> blocks;
  for (const std::size_t bytes : {1000, 100, 500, 100, 300, 100}) blocks.push_back(bench.heap.allocate(bytes, 16));
  for (const std::size_t hole : {0, 2, 4}) CHECK(bench.heap.release(blocks.at(hole)));
  CHECK(bench.heap.allocate(400, 16) == blocks[2]);
  CHECK(bench.heap.allocate(200, 16) == blocks[4]);
  CHECK(bench.heap.allocate(900, 16) == blocks[0]);
}

TEST_CASE("a request that finds no room is refused and remembered, and what is allocated stays") {
  Bench bench;
  CHECK(bench.heap.refused() == 0);
  void* const block = bench.heap.allocate(40'000, 16);
  REQUIRE(block != nullptr);
  for (const std::size_t bytes : {std::size_t{30'000}, std::size_t{1} << 40, ~std::size_t{0}}) {
    CHECK(bench.heap.allocate(bytes, 16) == nullptr);
    CHECK(bench.heap.refused() == bytes);
  }
  CHECK(bench.heap.allocate(8, std::size_t{1} << 63) == nullptr);
  CHECK(bench.heap.usable_size(block) >= 40'000);
}

TEST_CASE("only what allocate has returned can be released, and once") {
  Bench bench;
  auto* const block = static_cast<std::byte*>(bench.heap.allocate(100, 16));
  auto* const next = static_cast<std::byte*>(bench.heap.allocate(100, 16));
  for (void* wrong :
       {static_cast<void*>(block + 16), static_cast<void*>(block + 1), static_cast<void*>(bench.memory.data()),
        static_cast<void*>(bench.memory.data() + room_bytes), static_cast<void*>(&bench.heap)}) {
    CHECK_FALSE(bench.heap.release(wrong));
    CHECK(bench.heap.usable_size(wrong) == (bench.heap.room().contains(wrong, 1) ? 1 : 0));
  }
  CHECK(bench.heap.release(next));
  CHECK_FALSE(bench.heap.release(next));
  CHECK(bench.heap.release(block));
  CHECK_FALSE(bench.heap.release(next));  // now in the middle of a larger free block
}

TEST_CASE("a block is not released when something was stored beyond it or before it, and the heap stays usable") {
  for (const bool beyond : {true, false}) {
    for (const bool next_is_free : {true, false}) {
      Bench bench;
      auto* const block = static_cast<std::byte*>(bench.heap.allocate(100, 16));
      auto* const next = static_cast<std::byte*>(bench.heap.allocate(100, 16));
      if (next_is_free) CHECK(bench.heap.release(next));
      (beyond ? block + bench.heap.usable_size(block) : block - 1)[0] ^= std::byte{1};
      CHECK_FALSE(bench.heap.release(block));
      // Nothing in the memory itself leads anywhere.
      std::fill(bench.memory.begin(), bench.memory.end(), std::byte{0xff});
      for (int i = 0; i < 100; ++i) {
        auto* const another = static_cast<std::byte*>(bench.heap.allocate(200, 64));
        REQUIRE(another != nullptr);
        CHECK((another >= block + 100 || another + 200 <= block));
      }
    }
  }
}
