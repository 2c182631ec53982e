/// Allocates the bulk of a network: on cache lines, and on huge pages if the network is large.
#pragma once

#include <cstddef>
#include <memory_resource>

namespace sanvp::net {

/// Bytes that the memory system moves at a time: x86-64's, and most arm64's.
constexpr std::size_t cache_line = 64;

/// Per-node stagger, against conflicts in the TLB: a block that every node has, such as a card's memory or a stack,
/// starts this much further on than in the previous node. Otherwise the same addresses of all nodes would share a few
/// sets of the TLB, which are chosen by the low bits of a page's number. An odd number of pages, which runs through all
/// sets.
constexpr std::size_t stagger_bytes = std::size_t{37} * 4096;

/// Prefetches a cache line for every 64 bytes from `begin` on.
inline void fetch_lines(const void* begin, std::size_t bytes) {
  for (std::size_t offset = 0; offset < bytes; offset += cache_line)
    __builtin_prefetch(static_cast<const std::byte*>(begin) + offset);
}

/// Blocks of memory that the kernel is asked to put on huge pages, if they are large enough for that: a large network
/// touches more small pages than the TLB holds. Small blocks are on ordinary pages, and so are all if the kernel has no
/// huge pages.
class HugePages final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace sanvp::net
