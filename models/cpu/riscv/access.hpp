/// Loads and stores of instructions: the common case in line, all others (misaligned, refused) out of line.
#pragma once

#include "models/cpu/riscv/hart.hpp"

namespace sanvp::riscv {

/// A destination of loads: the value goes to an integer register, extended as its type says.
struct ToInteger {
  template <class T, class Word>
  static void put(Hart<Word>& hart, unsigned rd, T value) {
    hart.x[rd] = static_cast<Word>(static_cast<typename Hart<Word>::Signed>(value));
  }
  template <class T, class Word>
  static T get(const Hart<Word>& hart, unsigned rs2) {
    return static_cast<T>(hart.x[rs2]);
  }
};

/// To a floating-point register; narrow values are boxed in ones.
struct ToFloat {
  template <class T, class Word>
  static void put(Hart<Word>& hart, unsigned rd, T value) {
    if constexpr (sizeof(T) == 4)
      hart.f[rd] = 0xFFFFFFFF00000000U | value;
    else
      hart.f[rd] = value;
  }
  template <class T, class Word>
  static T get(const Hart<Word>& hart, unsigned rs2) {
    return static_cast<T>(hart.f[rs2]);
  }
};

template <class Word, class T, class To>
[[gnu::noinline]] Exit load_slowly(Hart<Word>& hart, const Operation<Word>* operation) {
  const Word address = hart.x[operation->rs1] + operation->immediate;
  const std::uint64_t refused = hart.memory.first_refused(address, sizeof(T), readable);
  if (refused != std::uint64_t{address} + sizeof(T)) return hart.fail(operation, Cause::load_fault, refused);
  To::template put<T>(hart, operation->rd, load_from<T>(hart.memory, address));
  return go_on(hart, operation);
}

template <class Word, class T, class To>
Exit load(Hart<Word>& hart, const Operation<Word>* operation) {
  const Word address = hart.x[operation->rs1] + operation->immediate;
  if (!is_plain<T>(hart.memory, address, readable)) [[unlikely]]
    return load_slowly<Word, T, To>(hart, operation);
  To::template put<T>(hart, operation->rd, load_from<T>(hart.memory, address));
  return go_on(hart, operation);
}

template <class Word, class T, class From>
[[gnu::noinline]] Exit store_slowly(Hart<Word>& hart, const Operation<Word>* operation) {
  const Word address = hart.x[operation->rs1] + operation->immediate;
  const std::uint64_t refused = hart.memory.first_refused(address, sizeof(T), writable);
  if (refused != std::uint64_t{address} + sizeof(T)) return hart.fail(operation, Cause::store_fault, refused);
  store_to<T>(hart.memory, address, From::template get<T>(hart, operation->rs2));
  return go_on(hart, operation);
}

template <class Word, class T, class From>
Exit store(Hart<Word>& hart, const Operation<Word>* operation) {
  const Word address = hart.x[operation->rs1] + operation->immediate;
  if (!is_plain<T>(hart.memory, address, writable)) [[unlikely]]
    return store_slowly<Word, T, From>(hart, operation);
  store_to<T>(hart.memory, address, From::template get<T>(hart, operation->rs2));
  return go_on(hart, operation);
}

}  // namespace sanvp::riscv
