/// Offsets of a hart's and a block's fields, for code that addresses them.
#pragma once

#include "models/cpu/riscv/translation/x86_64/region.hpp"

namespace sanvp::riscv::x86_64 {

/// @returns bytes from an object's begin to one of its fields
template <class Object, class Field>
std::int32_t place_in(Field Object::*field) {
  static const Object object;
  return static_cast<std::int32_t>(reinterpret_cast<const char*>(&(object.*field)) -
                                   reinterpret_cast<const char*>(&object));
}
template <class Field>
std::int32_t place_in_hart(Field Hart64::*field) {
  return place_in<Hart64>(field);
}
template <class Field>
std::int32_t place_in_block(Field Block64::*field) {
  return place_in<Block64>(field);
}

inline std::int32_t place_of_x(unsigned number) {
  return place_in_hart(&Hart64::x) + static_cast<std::int32_t>(sizeof(std::uint64_t) * number);
}
inline std::int32_t place_of_f(unsigned number) {
  return place_in_hart(&Hart64::f) + static_cast<std::int32_t>(sizeof(std::uint64_t) * number);
}

}  // namespace sanvp::riscv::x86_64
