/// Where the bulk of a network lies: on lines of the cache, and of a large network on huge pages.
#pragma once

#include <cstddef>
#include <memory_resource>

namespace sanvp::net {

/// Bytes that the memory system moves at a time, on every machine this has run on.
constexpr std::size_t cache_line = 64;

/// What every node has alike, such as a card's memory or a stack, begins so much further on than in the node before. A
/// processor looks for a page by the low bits of its number: else the same places of all nodes would share a few sets
/// of its TLB. An odd number of pages, which runs through all sets.
constexpr std::size_t stagger_bytes = std::size_t{37} * 4096;

/// What is there will be wanted soon: it comes into the cache, a line for every 64 bytes from `begin` on.
inline void fetch_lines(const void* begin, std::size_t bytes) {
  for (std::size_t offset = 0; offset < bytes; offset += cache_line)
    __builtin_prefetch(static_cast<const std::byte*>(begin) + offset);
}

/// Blocks of memory that the kernel is asked to put on huge pages, where they are large enough for that: a large
/// network touches more small pages than the processor can remember. Small blocks are ordinary ones, and so are all
/// where the kernel has no huge pages.
class HugePages final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace sanvp::net
