/// Memory whose loads and stores are reported, for a tool that looks for mistakes: by pages, so that accesses to others
/// cost no more than a look at their page.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <utility>

#include "models/cpu/riscv/memory.hpp"

namespace sanvp::riscv {

/// What an instruction is about to access.
struct ObservedAccess {
  std::uint64_t pc = 0;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  bool is_store = false;
  std::uint64_t thread = 0;  ///< the thread pointer, register tp
};

class Observed {
 public:
  using Report = std::function<void(const ObservedAccess&)>;

  /// @param bytes  of the window
  Observed(std::uint64_t bytes, Report report)
      : pages_(bytes >> page_bits), uses_(make(pages_)), report_(std::move(report)) {}

  bool has(std::uint64_t address) const {
    const std::uint64_t page = address >> page_bits;
    return page < pages_ && uses_.get()[page] != 0;
  }
  void report(const ObservedAccess& access) const { report_(access); }
  /// As often as they are added, pages must be removed. What is outside the window is left out.
  void add(std::uint64_t address, std::uint64_t bytes) { change(address, bytes, 1); }
  void remove(std::uint64_t address, std::uint64_t bytes) { change(address, bytes, -1); }

 private:
  using Uses = std::unique_ptr<std::uint32_t, decltype(&std::free)>;

  /// Pages of zeros take no memory of the simulating computer until they are written.
  static Uses make(std::uint64_t pages) {
    void* const made = std::calloc(pages, sizeof(std::uint32_t));
    if (made == nullptr) throw std::bad_alloc();
    return {static_cast<std::uint32_t*>(made), &std::free};
  }
  void change(std::uint64_t address, std::uint64_t bytes, int by) {
    if (bytes == 0) return;
    for (std::uint64_t page = address >> page_bits; page <= (address + bytes - 1) >> page_bits && page < pages_; ++page)
      uses_.get()[page] += static_cast<std::uint32_t>(by);
  }

  std::uint64_t pages_;
  Uses uses_;  ///< [page]: how often it is observed
  Report report_;
};

}  // namespace sanvp::riscv
