/// The mappings of a process: the program, its heap above it (brk), mappings below the stack.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "models/cpu/riscv/memory.hpp"

namespace sanvp::riscv::os {

constexpr std::uint64_t rounded_to_pages(std::uint64_t bytes) { return (bytes + page_bytes - 1) & ~(page_bytes - 1); }

class AddressSpace {
 public:
  /// @param window  bytes of addresses
  /// @param limit limit on the bytes written to at a time: pages count from their first store on
  /// @param reserved  at the end of the window: nothing is mapped there
  /// @param place     of the window (Memory)
  AddressSpace(std::uint64_t window, std::uint64_t limit, std::uint64_t reserved = 0, std::uint64_t place = 0)
      : memory_(window, place), limit_(limit), end_(window - reserved) {
    memory_.limit_count(limit >> page_bits);
  }

  const Memory& memory() const { return memory_; }
  std::uint64_t limit() const { return limit_; }
  std::uint64_t used() const { return memory_.count().pages << page_bits; }
  /// Called before code may change: pages that were executable are unmapped, or get other permissions.
  void on_code_change(std::function<void(std::uint64_t address, std::uint64_t bytes)> call) {
    code_changes_ = std::move(call);
  }

  /// Called after pages that were mapped have been given back.
  void on_unmap(std::function<void(std::uint64_t address, std::uint64_t bytes)> call) { unmaps_ = std::move(call); }

  /// Maps pages there, in place of what is mapped. False if they are outside the window, or are writable and exceed the
  /// limit by themselves.
  bool map_at(std::uint64_t address, std::uint64_t bytes, std::uint8_t permissions);
  /// Maps pages at the highest free place below the stack.
  std::optional<std::uint64_t> map(std::uint64_t bytes, std::uint8_t permissions);
  bool unmap(std::uint64_t address, std::uint64_t bytes);
  enum class Protected : std::uint8_t { done, not_mapped, no_memory };
  Protected protect(std::uint64_t address, std::uint64_t bytes, std::uint8_t permissions);
  /// Changes the length of a mapping; it may move. One that grows has the same permissions in all pages.
  std::optional<std::uint64_t> remap(std::uint64_t address, std::uint64_t before, std::uint64_t after, bool may_move);
  /// Permits the use of pages at the end of the window that the machine maps: memory that processes share.
  void permit(std::uint64_t address, std::uint64_t bytes, std::uint8_t permissions) {
    memory_.protect(address, rounded_to_pages(bytes), permissions);
  }
  /// Whole pages hold zeros again.
  void clear(std::uint64_t address, std::uint64_t bytes) { memory_.clear(address, bytes); }
  bool is_mapped(std::uint64_t address, std::uint64_t bytes) const;
  /// The program's permissions for a page, whether it has been written to or not.
  std::uint8_t allowed(std::uint64_t page) const;
  bool is_free(std::uint64_t address, std::uint64_t bytes) const;
  /// Whether all pages are mapped, with the same permissions.
  bool is_one_mapping(std::uint64_t address, std::uint64_t bytes) const;

  /// The heap begins here, and is empty; mappings end below `top`.
  void place_heap(std::uint64_t begin, std::uint64_t top);
  std::uint64_t heap_begin() const { return heap_begin_; }
  /// The pages without a gap that are mapped around this address; empty if it is not mapped.
  struct Extent {
    std::uint64_t begin = 0, end = 0;
  };
  Extent mapped_around(std::uint64_t address) const;
  /// The end of the heap after the attempt to set it.
  std::uint64_t set_break(std::uint64_t wanted);

 private:
  bool contains(std::uint64_t address, std::uint64_t bytes) const;
  bool may_fit(std::uint64_t bytes, std::uint8_t permissions) const;
  void announce(std::uint64_t address, std::uint64_t bytes, std::uint8_t permissions);

  Memory memory_;
  std::uint64_t limit_;
  std::uint64_t end_;  ///< of what may be mapped
  std::uint64_t heap_begin_ = 0;
  std::uint64_t break_ = 0;
  std::uint64_t top_ = 0;
  std::function<void(std::uint64_t, std::uint64_t)> unmaps_ = [](std::uint64_t, std::uint64_t) {};
  std::function<void(std::uint64_t, std::uint64_t)> code_changes_ = [](std::uint64_t, std::uint64_t) {};
};

}  // namespace sanvp::riscv::os
