/// A: load-reserved, store-conditional and atomic memory operations. Harts take turns at the ends of blocks, so that
/// each is atomic as it is. Addresses must be aligned.
#include <algorithm>

#include "models/cpu/riscv/access.hpp"
#include "models/cpu/riscv/instruction.hpp"
#include "models/cpu/riscv/instructions/apply.hpp"
#include "models/cpu/riscv/instructions/operations.hpp"

namespace sanvp::riscv {
namespace {

struct Swap {
  template <class T>
  static T of(T, T b) {
    return b;
  }
};
struct Minimum {
  template <class T>
  static T of(T a, T b) {
    return as_signed(a) < as_signed(b) ? a : b;
  }
};
struct Maximum {
  template <class T>
  static T of(T a, T b) {
    return as_signed(a) < as_signed(b) ? b : a;
  }
};
struct MinimumUnsigned {
  template <class T>
  static T of(T a, T b) {
    return std::min(a, b);
  }
};
struct MaximumUnsigned {
  template <class T>
  static T of(T a, T b) {
    return std::max(a, b);
  }
};

template <class Word, class T>
Word extended(T value) {
  return static_cast<Word>(static_cast<typename Hart<Word>::Signed>(as_signed(value)));
}

template <class Word, class T>
Exit refuse(Hart<Word>& hart, const Operation<Word>* operation, bool stores) {
  const Word address = hart.x[operation->rs1];
  const bool misaligned = address % sizeof(T) != 0;
  if (stores) return hart.fail(operation, misaligned ? Cause::misaligned_store : Cause::store_fault, address);
  return hart.fail(operation, misaligned ? Cause::misaligned_load : Cause::load_fault, address);
}

template <class Word, class T>
Exit load_reserved(Hart<Word>& hart, const Operation<Word>* operation) {
  const Word address = hart.x[operation->rs1];
  if (!is_plain<T>(hart.memory, address, readable)) return refuse<Word, T>(hart, operation, false);
  hart.reserved = address;
  hart.x[operation->rd] = extended<Word>(load_from<T>(hart.memory, address));
  return go_on(hart, operation);
}

template <class Word, class T>
Exit store_conditional(Hart<Word>& hart, const Operation<Word>* operation) {
  const Word address = hart.x[operation->rs1];
  if (!may_store<T>(hart.memory, address)) [[unlikely]]
    return refuse<Word, T>(hart, operation, true);
  const bool stores = hart.reserved == address;
  if (stores) store_to<T>(hart.memory, address, static_cast<T>(hart.x[operation->rs2]));
  hart.reserved.reset();
  hart.x[operation->rd] = stores ? 0 : 1;
  return go_on(hart, operation);
}

template <class Word, class T, class F>
Exit modify(Hart<Word>& hart, const Operation<Word>* operation) {
  const Word address = hart.x[operation->rs1];
  if (!may_store<T>(hart.memory, address)) [[unlikely]]
    return refuse<Word, T>(hart, operation, true);
  const T before = load_from<T>(hart.memory, address);
  store_to<T>(hart.memory, address, F::of(before, static_cast<T>(hart.x[operation->rs2])));
  hart.x[operation->rd] = extended<Word>(before);
  return go_on(hart, operation);
}

/// funct7 without the bits aq and rl is fixed.
Encoding fixed(unsigned funct3, unsigned funct5) {
  const Encoding encoding = fixed_37(0x2F, funct3, funct5 << 2);
  return {encoding.match, encoding.mask & ~(3U << 25)};
}

template <class Word, class T, Permission needed, auto run>
Instruction<Word> row(Encoding encoding) {
  return {encoding,
          run,
          Shape::registers,
          HAL_ATOMIC,
          false,
          false,
          access_with_caches<Word, T, needed, false, run>,
          access_observed<Word, T, needed, false, run>};
}

template <class Word, class T>
std::vector<Instruction<Word>> of_width() {
  constexpr unsigned width = sizeof(T) == 4 ? 2 : 3;
  return {row<Word, T, readable, load_reserved<Word, T>>(fixed_rs2(fixed(width, 2), 0)),
          row<Word, T, writable, store_conditional<Word, T>>(fixed(width, 3)),
          row<Word, T, writable, modify<Word, T, Swap>>(fixed(width, 1)),
          row<Word, T, writable, modify<Word, T, Add>>(fixed(width, 0)),
          row<Word, T, writable, modify<Word, T, Xor>>(fixed(width, 4)),
          row<Word, T, writable, modify<Word, T, And>>(fixed(width, 12)),
          row<Word, T, writable, modify<Word, T, Or>>(fixed(width, 8)),
          row<Word, T, writable, modify<Word, T, Minimum>>(fixed(width, 16)),
          row<Word, T, writable, modify<Word, T, Maximum>>(fixed(width, 20)),
          row<Word, T, writable, modify<Word, T, MinimumUnsigned>>(fixed(width, 24)),
          row<Word, T, writable, modify<Word, T, MaximumUnsigned>>(fixed(width, 28))};
}

const Registration<Extension> registration{
    {.name = "A",
     .summary = "atomic operations",
     .rv32 = of_width<std::uint32_t, std::uint32_t>(),
     .rv64 = joined(of_width<std::uint64_t, std::uint32_t>(), of_width<std::uint64_t, std::uint64_t>())}};

}  // namespace
}  // namespace sanvp::riscv
