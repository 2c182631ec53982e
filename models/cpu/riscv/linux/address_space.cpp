#include "models/cpu/riscv/linux/address_space.hpp"

namespace sanvp::riscv::os {

bool AddressSpace::contains(std::uint64_t address, std::uint64_t bytes) const {
  return address % page_bytes == 0 && bytes <= end_ && address <= end_ - bytes;
}

/// Linux refuses a range that can never fit (vm.overcommit_memory = 0), because it is larger than all memory.
bool AddressSpace::may_fit(std::uint64_t bytes, std::uint8_t permissions) const {
  return (permissions & writable) == 0 || bytes <= limit_;
}

void AddressSpace::announce(std::uint64_t address, std::uint64_t bytes, std::uint8_t permissions) {
  const auto is_code = [&](std::uint64_t page) { return (memory_.permissions(page) & executable) != 0; };
  bool changes = (permissions & executable) != 0;  // failed fetches are remembered, too
  for (std::uint64_t page = address >> page_bits; !changes && page < (address + bytes) >> page_bits; ++page)
    changes = is_code(page);
  if (changes) code_changes_(address, bytes);
}

bool AddressSpace::map_at(std::uint64_t address, std::uint64_t bytes, std::uint8_t permissions) {
  bytes = rounded_to_pages(bytes);
  if (bytes == 0 || !contains(address, bytes) || !may_fit(bytes, permissions)) return false;
  announce(address, bytes, permissions);
  if (!is_free(address, bytes)) {
    memory_.unmap(address, bytes);
    unmaps_(address, bytes);
  }
  memory_.protect_untouched(address, bytes, permissions);
  return true;
}

std::optional<std::uint64_t> AddressSpace::map(std::uint64_t bytes, std::uint8_t permissions) {
  if (bytes == 0 || bytes > top_) return std::nullopt;
  const std::uint64_t wanted = rounded_to_pages(bytes) >> page_bits, lowest = rounded_to_pages(break_) >> page_bits;
  std::uint64_t free = 0;
  for (std::uint64_t page = top_ >> page_bits; page-- > lowest;) {
    free = memory_.is_mapped(page) ? 0 : free + 1;
    if (free < wanted) continue;
    const std::uint64_t address = page << page_bits;
    return map_at(address, bytes, permissions) ? std::optional(address) : std::nullopt;
  }
  return std::nullopt;
}

bool AddressSpace::unmap(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0 || bytes > memory_.bytes()) return false;
  bytes = rounded_to_pages(bytes);
  if (!contains(address, bytes)) return false;
  announce(address, bytes, 0);
  memory_.unmap(address, bytes);
  unmaps_(address, bytes);
  return true;
}

AddressSpace::Protected AddressSpace::protect(std::uint64_t address, std::uint64_t bytes, std::uint8_t permissions) {
  if (bytes > memory_.bytes()) return Protected::not_mapped;
  bytes = rounded_to_pages(bytes);
  if (!is_mapped(address, bytes)) return Protected::not_mapped;
  if (!may_fit(bytes, permissions)) return Protected::no_memory;
  announce(address, bytes, permissions);
  memory_.protect_untouched(address, bytes, permissions);
  return Protected::done;
}

std::optional<std::uint64_t> AddressSpace::remap(std::uint64_t address, std::uint64_t before, std::uint64_t after,
                                                 bool may_move) {
  if (before > memory_.bytes() || after > memory_.bytes() || after == 0) return std::nullopt;
  before = rounded_to_pages(before);
  after = rounded_to_pages(after);
  if (before == 0 || !is_mapped(address, before)) return std::nullopt;
  if (after <= before) {
    if (after < before) unmap(address + after, before - after);
    return address;
  }
  if (!is_one_mapping(address, before)) return std::nullopt;
  const std::uint8_t permissions = allowed(address >> page_bits);
  const bool room = contains(address, after) && address + after <= top_ && is_free(address + before, after - before);
  if (!may_fit(after, permissions)) return std::nullopt;
  if (room) return map_at(address + before, after - before, permissions) ? std::optional(address) : std::nullopt;
  if (!may_move) return std::nullopt;
  const auto moved = map(after, permissions);
  if (!moved) return std::nullopt;
  announce(address, before, permissions);
  memory_.move(address, *moved, before);
  unmap(address, before);
  return moved;
}

/// The program's permissions for a page, whether or not it has been written to.
std::uint8_t AddressSpace::allowed(std::uint64_t page) const {
  const std::uint8_t bits = memory_.permissions(page);
  return static_cast<std::uint8_t>((bits & (readable | writable | executable)) |
                                   ((bits & untouched) != 0 ? writable : 0));
}

bool AddressSpace::is_one_mapping(std::uint64_t address, std::uint64_t bytes) const {
  if (!is_mapped(address, bytes)) return false;
  for (std::uint64_t page = address >> page_bits; page < (address + bytes) >> page_bits; ++page)
    if (allowed(page) != allowed(address >> page_bits)) return false;
  return true;
}

bool AddressSpace::is_mapped(std::uint64_t address, std::uint64_t bytes) const {
  if (!contains(address, bytes)) return false;
  for (std::uint64_t page = address >> page_bits; page < (address + bytes) >> page_bits; ++page)
    if (!memory_.is_mapped(page)) return false;
  return true;
}

bool AddressSpace::is_free(std::uint64_t address, std::uint64_t bytes) const {
  if (!contains(address, bytes)) return false;
  for (std::uint64_t page = address >> page_bits; page < (address + bytes) >> page_bits; ++page)
    if (memory_.is_mapped(page)) return false;
  return true;
}

AddressSpace::Extent AddressSpace::mapped_around(std::uint64_t address) const {
  std::uint64_t first = address >> page_bits, end = first;
  if (address >= memory_.bytes()) return {};
  while (end < memory_.bytes() >> page_bits && memory_.is_mapped(end)) ++end;
  if (end == first) return {};
  while (first > 0 && memory_.is_mapped(first - 1)) --first;
  return {first << page_bits, end << page_bits};
}

void AddressSpace::place_heap(std::uint64_t begin, std::uint64_t top) {
  heap_begin_ = break_ = begin;
  top_ = top;
}

std::uint64_t AddressSpace::set_break(std::uint64_t wanted) {
  if (wanted < heap_begin_ || wanted > top_ || wanted - heap_begin_ > limit_) return break_;
  const std::uint64_t now = rounded_to_pages(break_), after = rounded_to_pages(wanted);
  if (after > now) {
    if (!is_free(now, after - now) || !map_at(now, after - now, readable | writable)) return break_;
  } else if (after < now) {
    unmap(after, now - after);
  }
  return break_ = wanted;
}

}  // namespace sanvp::riscv::os
