/// Offsets of a hart's fields, for code that addresses them.
#pragma once

#include "models/cpu/riscv/hart.hpp"

namespace sanvp::riscv::x86_64 {

/// @returns bytes from the hart's begin to one of its fields
template <class Field>
std::int32_t place_in_hart(Field Hart64::*field) {
  static const Hart64 hart;
  return static_cast<std::int32_t>(reinterpret_cast<const char*>(&(hart.*field)) -
                                   reinterpret_cast<const char*>(&hart));
}

inline std::int32_t place_of_x(unsigned number) {
  return place_in_hart(&Hart64::x) + static_cast<std::int32_t>(sizeof(std::uint64_t) * number);
}
inline std::int32_t place_of_f(unsigned number) {
  return place_in_hart(&Hart64::f) + static_cast<std::int32_t>(sizeof(std::uint64_t) * number);
}

}  // namespace sanvp::riscv::x86_64
