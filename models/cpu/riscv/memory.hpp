/// The memory of a process: one contiguous window of host memory, from address 0, with permissions for each page.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace sanvp::riscv {

constexpr unsigned page_bits = 12;
constexpr std::uint64_t page_bytes = 1U << page_bits;

/// Bits of a page. A page that is mapped may permit nothing (a guard page).
enum Permission : std::uint8_t {
  readable = 1,
  writable = 2,
  executable = 4,
  mapped = 8,
  withheld = 16,   ///< for a time, from the program alone: accesses shall fail, because the page is watched
  untouched = 32,  ///< becomes writable, and counts, at its first store
  counted = 64     ///< it has been written to
};

/// Counts pages at their first store.
struct PageCount {
  std::uint64_t pages = 0;
  std::uint64_t most = ~std::uint64_t{0};
  bool is_exceeded = false;  ///< a store has failed because all are in use
};

/// The part of a memory that instructions need; part of each hart, so that an access takes no further indirection.
struct Window {
  std::byte* base = nullptr;
  std::uint8_t* permissions = nullptr;  ///< one byte for each page
  std::uint64_t pages = 0;
  PageCount* count = nullptr;

  /// Whether all of a range permits this access.
  bool permits(std::uint64_t address, std::uint64_t bytes, Permission needed) const {
    return first_refused(address, bytes, needed) == address + bytes;
  }
  /// The first address of the range that does not permit this access; the end of the range if all do. Pages before it
  /// that were untouched are writable from now on, if that is what is needed.
  std::uint64_t first_refused(std::uint64_t address, std::uint64_t bytes, Permission needed) const;
  /// Whether an untouched page is writable from now on. It is not if the count is exhausted.
  bool touch(std::uint64_t page) const;
};

/// Whether an aligned T is there, in a page with this permission. False for every misaligned address: the rotation
/// moves its low bits to the top.
template <class T>
bool is_plain(const Window& window, std::uint64_t address, Permission needed) {
  constexpr int alignment_bits = std::countr_zero(sizeof(T));
  const std::uint64_t page = std::rotr(address, alignment_bits) >> (page_bits - alignment_bits);
  return page < window.pages && (window.permissions[page] & needed) != 0;
}

/// As is_plain() for a store, also to a page that is untouched.
template <class T>
bool may_store(const Window& window, std::uint64_t address) {
  return is_plain<T>(window, address, writable) ||
         (address % sizeof(T) == 0 && window.permits(address, sizeof(T), writable));
}

/// The caller has checked the address.
template <class T>
T load_from(const Window& window, std::uint64_t address) {
  T value;
  std::memcpy(&value, window.base + address, sizeof value);
  return value;
}
template <class T>
void store_to(const Window& window, std::uint64_t address, T value) {
  std::memcpy(window.base + address, &value, sizeof value);
}

class Memory {
 public:
  /// Reserves the window; the simulating computer allocates pages when they are touched.
  /// @param bytes  a multiple of the page size
  /// @param place  the desired address of the window in the simulator, so that bus addresses are the same in every run
  explicit Memory(std::uint64_t bytes, std::uint64_t place = 0);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  std::uint64_t bytes() const { return window_.pages << page_bits; }
  const Window& window() const { return window_; }
  bool is_mapped(std::uint64_t page) const { return (permissions_[page] & mapped) != 0; }
  std::uint8_t permissions(std::uint64_t page) const { return permissions_[page]; }

  /// Pages that have been written to, of those that count.
  const PageCount& count() const { return count_; }
  void limit_count(std::uint64_t pages) { count_.most = pages; }
  /// A bus master has written there.
  void touched_by_bus(std::uint64_t address, std::uint64_t bytes) const;

  /// Replaces all bits of a page. @returns the old ones
  std::uint8_t exchange_permissions(std::uint64_t page, std::uint8_t bits) const {
    return std::exchange(permissions_[page], bits);
  }
  /// Sets the permissions of whole pages and marks them as mapped. Their contents stay.
  void protect(std::uint64_t address, std::uint64_t bytes, std::uint8_t permissions);
  /// The same; those that shall be writable are untouched unless they have been counted.
  void protect_untouched(std::uint64_t address, std::uint64_t bytes, std::uint8_t permissions);
  /// Unmaps whole pages and clears their contents.
  void unmap(std::uint64_t address, std::uint64_t bytes);

  /// Exchanges whole pages with others that hold zeros: contents move, and so do permissions, with the counts.
  void move(std::uint64_t from, std::uint64_t to, std::uint64_t bytes) const;

  /// Clears whole pages, which become untouched.
  void clear(std::uint64_t address, std::uint64_t bytes);

  /// Bytes of the window, or nothing unless each page permits `needed`.
  std::optional<std::span<std::byte>> bytes_at(std::uint64_t address, std::uint64_t bytes, Permission needed) const;
  /// A value for the system; nothing if the program may not read it.
  template <class T>
  std::optional<T> read(std::uint64_t address) const {
    if (!window_.permits(address, sizeof(T), readable)) return std::nullopt;
    return load_from<T>(window_, address);
  }
  /// False if the program may not write.
  template <class T>
  bool write(std::uint64_t address, const T& value) const {
    if (!window_.permits(address, sizeof(T), writable)) return false;
    store_to(window_, address, value);
    return true;
  }
  /// A text that ends with a zero byte; nothing if it is longer than `most` or not readable.
  std::optional<std::string> text(std::uint64_t address, std::size_t most) const;

 private:
  template <class Change>
  void change(std::uint64_t address, std::uint64_t bytes, Change bits_after);

  PageCount count_;
  Window window_;
  std::uint8_t* permissions_ = nullptr;
};

}  // namespace sanvp::riscv
