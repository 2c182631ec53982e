/// The card's memory (QsNET paper 2.1): 64 MB of SDRAM. Pages take memory of the simulating computer only once written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "models/net/memory.hpp"
#include "platform/core/time.hpp"
#include "sw/abi/registers/elan3.h"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::nic::elan3 {

class Sdram {
 public:
  struct Rules {
    Time access{0};  ///< until the first word; the following ones stream at the microcode's rate
    static Rules read(const Parameters& parameters);
  };

  explicit Sdram(const Rules& rules);
  ~Sdram();
  Sdram(const Sdram&) = delete;
  Sdram& operator=(const Sdram&) = delete;

  const Rules& rules() const { return rules_; }
  static constexpr std::uint64_t bytes() { return E3_SDRAM_BYTES; }

  /// Null if [address, address + size) is not inside.
  std::byte* find(std::uint64_t address, std::uint64_t size) const {
    return size <= bytes() && address <= bytes() - size ? memory_ + address : nullptr;
  }
  /// A word or record; zeros outside of the memory.
  template <class T>
  T load(std::uint64_t address) const {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    if (const std::byte* from = find(address, sizeof value); from != nullptr) std::memcpy(&value, from, sizeof value);
    return value;
  }
  template <class T>
  void store(std::uint64_t address, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (std::byte* to = find(address, sizeof value); to != nullptr) std::memcpy(to, &value, sizeof value);
  }

 private:
  static constexpr std::size_t mapped_bytes = E3_SDRAM_BYTES + net::stagger_bytes;

  Rules rules_;
  std::byte* memory_;
};

}  // namespace sanvp::nic::elan3
