/// The register state of x86-64 code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sanvp::native::interpreted {

/// Numbers of registers as instructions encode them.
enum RegisterNumber : std::uint8_t { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15 };

/// 16 bytes, seen as numbers of any size.
struct Vector {
  alignas(16) std::array<std::byte, 16> bytes{};

  template <class T>
  T lane(std::size_t i = 0) const {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    return value;
  }
  template <class T>
  void set_lane(std::size_t i, T value) {
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
};

struct Flags {
  bool carry = false, zero = false, sign = false, overflow = false;
  std::uint8_t parity_of = 1;  ///< the byte whose parity is asked for

  bool parity() const { return __builtin_parity(parity_of) == 0; }
  /// Condition 0 to 15, as jcc, setcc and cmovcc encode it.
  bool meet(unsigned condition) const;
  std::uint64_t to_word() const;
  void from_word(std::uint64_t word);
};

struct Registers {
  std::array<std::uint64_t, 16> general{};
  std::array<Vector, 16> vector{};
  Flags flags;
  const std::byte* pc = nullptr;
};

}  // namespace sanvp::native::interpreted
