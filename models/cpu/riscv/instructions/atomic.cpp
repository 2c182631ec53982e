/// A: load-reserved, store-conditional and atomic memory operations. Harts take turns at the ends of blocks, so that
/// each is atomic as it is. Addresses must be aligned.
#include <algorithm>

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
  if (!is_plain<T>(hart.memory, address, writable)) return refuse<Word, T>(hart, operation, true);
  const bool stores = hart.reserved == address;
  if (stores) store_to<T>(hart.memory, address, static_cast<T>(hart.x[operation->rs2]));
  hart.reserved.reset();
  hart.x[operation->rd] = stores ? 0 : 1;
  return go_on(hart, operation);
}

template <class Word, class T, class F>
Exit modify(Hart<Word>& hart, const Operation<Word>* operation) {
  const Word address = hart.x[operation->rs1];
  if (!is_plain<T>(hart.memory, address, writable)) return refuse<Word, T>(hart, operation, true);
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

template <class Word, class T>
std::vector<Instruction<Word>> of_width() {
  constexpr unsigned width = sizeof(T) == 4 ? 2 : 3;
  const auto row = [](unsigned funct5, typename Operation<Word>::Run run) {
    return Instruction<Word>{fixed(width, funct5), run, Shape::registers, HAL_ATOMIC};
  };
  return {{fixed_rs2(fixed(width, 2), 0), load_reserved<Word, T>, Shape::registers, HAL_ATOMIC},
          row(3, store_conditional<Word, T>),
          row(1, modify<Word, T, Swap>),
          row(0, modify<Word, T, Add>),
          row(4, modify<Word, T, Xor>),
          row(12, modify<Word, T, And>),
          row(8, modify<Word, T, Or>),
          row(16, modify<Word, T, Minimum>),
          row(20, modify<Word, T, Maximum>),
          row(24, modify<Word, T, MinimumUnsigned>),
          row(28, modify<Word, T, MaximumUnsigned>)};
}

const Registration<Extension> registration{
    {.name = "A",
     .summary = "atomic operations",
     .rv32 = of_width<std::uint32_t, std::uint32_t>(),
     .rv64 = joined(of_width<std::uint64_t, std::uint32_t>(), of_width<std::uint64_t, std::uint64_t>())}};

}  // namespace
}  // namespace sanvp::riscv
