#include "models/cpu/riscv/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>

namespace sanvp::riscv {
namespace {

void* reserve(std::uint64_t bytes, std::uint64_t hint = 0) {
  void* const place = mmap(std::bit_cast<void*>(hint), bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) throw std::bad_alloc();
  return place;
}

bool is_zero(const std::byte* page) {
  return *page == std::byte{0} && std::memcmp(page, page + 1, page_bytes - 1) == 0;
}

}  // namespace

std::uint64_t Window::first_refused(std::uint64_t address, std::uint64_t bytes, Permission needed) const {
  const std::uint64_t end = address + bytes;
  if (bytes == 0) return end;
  for (std::uint64_t page = address >> page_bits; (page << page_bits) < end || end < address; ++page) {
    const bool refused = page >= pages || (permissions[page] & needed) == 0;
    if (refused && (needed != writable || page >= pages || !touch(page))) return std::max(address, page << page_bits);
  }
  return end;
}

bool Window::touch(std::uint64_t page) const {
  std::uint8_t& bits = permissions[page];
  if ((bits & untouched) == 0 || (bits & withheld) != 0) return false;
  if (count->pages >= count->most) {
    count->is_exceeded = true;
    return false;
  }
  ++count->pages;
  bits = static_cast<std::uint8_t>((bits & ~untouched) | writable | counted);
  return true;
}

Memory::Memory(std::uint64_t bytes, std::uint64_t place)
    : window_{static_cast<std::byte*>(reserve(bytes, place)), nullptr, bytes >> page_bits, &count_},
      permissions_(static_cast<std::uint8_t*>(reserve(window_.pages))) {
  window_.permissions = permissions_;
}

Memory::~Memory() {
  munmap(window_.base, bytes());
  munmap(permissions_, window_.pages);
}

/// Replaces the bits of each page by `bits_after` of them, and counts again.
template <class Change>
void Memory::change(std::uint64_t address, std::uint64_t bytes, Change bits_after) {
  for (std::uint8_t& bits : std::span(permissions_ + (address >> page_bits), bytes >> page_bits)) {
    const auto after = static_cast<std::uint8_t>(bits_after(bits));
    if ((bits & ~after & counted) != 0) --count_.pages;
    bits = after;
  }
}

void Memory::protect(std::uint64_t address, std::uint64_t bytes, std::uint8_t permissions) {
  change(address, bytes, [&](std::uint8_t) { return permissions | mapped; });
}

void Memory::protect_untouched(std::uint64_t address, std::uint64_t bytes, std::uint8_t permissions) {
  const std::uint8_t first = (permissions & writable) == 0 ? permissions : (permissions & ~writable) | untouched;
  change(address, bytes, [&](std::uint8_t bits) {
    const bool was_touched = (bits & counted) != 0;
    return mapped | (was_touched ? permissions | counted : first);
  });
}

void Memory::unmap(std::uint64_t address, std::uint64_t bytes) {
  change(address, bytes, [](std::uint8_t) { return 0; });
  madvise(window_.base + address, bytes, MADV_DONTNEED);
}

void Memory::move(std::uint64_t from, std::uint64_t to, std::uint64_t bytes) const {
  std::uint8_t* const first = permissions_ + (from >> page_bits);
  for (std::uint64_t at = 0; at < bytes; at += page_bytes) {
    // A copy of zeros would take memory of the simulating computer that the program has not touched.
    const std::byte* const page = window_.base + from + at;
    const bool is_untouched = (first[at >> page_bits] & untouched) != 0;
    if (!is_untouched && !is_zero(page)) std::memcpy(window_.base + to + at, page, page_bytes);
  }
  std::swap_ranges(first, first + (bytes >> page_bits), permissions_ + (to >> page_bits));
  madvise(window_.base + from, bytes, MADV_DONTNEED);
}

void Memory::touched_by_bus(std::uint64_t address, std::uint64_t bytes) const {
  for (std::uint64_t page = address >> page_bits; page << page_bits < address + bytes; ++page) {
    const bool is_new = page < window_.pages && (permissions_[page] & untouched) != 0;
    if (is_new) window_.touch(page);
  }
}

void Memory::clear(std::uint64_t address, std::uint64_t bytes) {
  change(address, bytes, [](std::uint8_t bits) {
    const bool was_touched = (bits & counted) != 0 && (bits & writable) != 0;
    return (bits & ~(counted | (was_touched ? writable : 0))) | (was_touched ? untouched : 0);
  });
  madvise(window_.base + address, bytes, MADV_DONTNEED);
}

std::optional<std::span<std::byte>> Memory::bytes_at(std::uint64_t address, std::uint64_t bytes,
                                                     Permission needed) const {
  if (!window_.permits(address, bytes, needed)) return std::nullopt;
  return std::span(window_.base + (bytes == 0 ? 0 : address), bytes);
}

std::optional<std::string> Memory::text(std::uint64_t address, std::size_t most) const {
  std::string text;
  while (text.size() < most) {
    if (!window_.permits(address + text.size(), 1, readable)) return std::nullopt;
    const char letter = load_from<char>(window_, address + text.size());
    if (letter == 0) return text;
    text += letter;
  }
  return std::nullopt;
}

}  // namespace sanvp::riscv
