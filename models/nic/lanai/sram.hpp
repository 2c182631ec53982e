/// The card's memory: the processor runs in it, the host writes to it, and the four DMA machines move packets to and
/// from it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include "sw/abi/registers/lanai.h"

namespace sanvp::nic::lanai {

class Sram {
 public:
  Sram() {
    if (memory_ == nullptr) throw std::bad_alloc();
  }

  static constexpr std::uint64_t bytes() { return LANAI_SRAM_BYTES; }
  std::byte* data() { return memory_.get(); }

  /// Empty if [address, address + size) is not inside.
  std::span<std::byte> find(std::uint64_t address, std::uint64_t size) const {
    if (size > bytes() || address > bytes() - size) return {};
    return {memory_.get() + address, static_cast<std::size_t>(size)};
  }
  /// A record; zeros outside of the memory.
  template <class T>
  T load(std::uint64_t address) const {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    if (const auto from = find(address, sizeof value); !from.empty()) std::memcpy(&value, from.data(), sizeof value);
    return value;
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  // Zeroed by calloc, so that the simulating computer allocates only pages that are touched.
  std::unique_ptr<std::byte[], Free> memory_{static_cast<std::byte*>(std::calloc(1, LANAI_SRAM_BYTES))};
};

}  // namespace sanvp::nic::lanai
