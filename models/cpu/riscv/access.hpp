/// Loads and stores of instructions: the common case in line, all others (misaligned, refused) out of line.
#pragma once

#include "models/cpu/caches/caches.hpp"
#include "models/cpu/riscv/floating/host_fpu.hpp"
#include "models/cpu/riscv/instruction.hpp"
#include "models/cpu/riscv/observed.hpp"

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

/// To a floating-point register; narrow values are NaN-boxed.
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

/// An access to a line that is followed stalls for caches. One that fails does not reach them: it is repeated if a
/// debugger has withheld its page.
template <class Word, class T, Permission needed, bool has_offset, auto run>
[[gnu::noinline]] Exit follow(Hart<Word>& hart, const Operation<Word>* operation) {
  const Word address = hart.x[operation->rs1] + (has_offset ? operation->immediate : 0);
  const bool may_be_misaligned = has_offset;  // not so for atomic operations
  if (is_plain<T>(hart.memory, address, needed) ||
      ((may_be_misaligned || address % sizeof(T) == 0) && hart.memory.permits(address, sizeof(T), needed)))
    hart.time_ps += hart.caches->access_at(hart.time_ps, address, sizeof(T), needed == writable);
  return run(hart, operation);
}

/// An access to a T by `run`, which also stalls for caches.
template <class Word, class T, Permission needed, bool has_offset, auto run>
Exit access_with_caches(Hart<Word>& hart, const Operation<Word>* operation) {
  const Word address = hart.x[operation->rs1] + (has_offset ? operation->immediate : 0);
  if (hart.sample.has(address)) [[unlikely]]
    return follow<Word, T, needed, has_offset, run>(hart, operation);
  return run(hart, operation);
}

/// Reports an access that does not fail.
template <class Word, class T, Permission needed>
[[gnu::noinline]] void observe(Hart<Word>& hart, const Operation<Word>* operation, Word address) {
  if (!is_plain<T>(hart.memory, address, needed) && !hart.memory.permits(address, sizeof(T), needed)) return;
  constexpr unsigned tp = 4;
  const FpuReturn host;  // the tool computes
  hart.observed->report({hart.pc + operation->offset, address, sizeof(T), needed == writable, hart.x[tp]});
}

/// The same of a hart whose accesses to certain pages are reported; without caches its sample has no line.
template <class Word, class T, Permission needed, bool has_offset, auto run>
Exit access_observed(Hart<Word>& hart, const Operation<Word>* operation) {
  const Word address = hart.x[operation->rs1] + (has_offset ? operation->immediate : 0);
  if (hart.observed->has(address)) [[unlikely]]
    observe<Word, T, needed>(hart, operation, address);
  if (hart.caches == nullptr) return run(hart, operation);
  return access_with_caches<Word, T, needed, has_offset, run>(hart, operation);
}

template <class Word, class T, class To>
Instruction<Word> load_row(Encoding encoding, Shape shape = Shape::immediate) {
  constexpr auto run = load<Word, T, To>;
  return {encoding,
          run,
          shape,
          HAL_LOAD,
          false,
          false,
          access_with_caches<Word, T, readable, true, run>,
          access_observed<Word, T, readable, true, run>};
}
template <class Word, class T, class From>
Instruction<Word> store_row(Encoding encoding) {
  constexpr auto run = store<Word, T, From>;
  return {encoding,
          run,
          Shape::store,
          HAL_STORE,
          false,
          false,
          access_with_caches<Word, T, writable, true, run>,
          access_observed<Word, T, writable, true, run>};
}

}  // namespace sanvp::riscv
