/// M: multiplication and division. No operation traps: results of division by zero and overflow are defined.
#include "models/cpu/riscv/instruction.hpp"
#include "models/cpu/riscv/instructions/apply.hpp"

namespace sanvp::riscv {
namespace {

template <class Word>
struct Twice;
template <>
struct Twice<std::uint32_t> {
  using Unsigned = std::uint64_t;
  using Signed = std::int64_t;
};
template <>
struct Twice<std::uint64_t> {
  using Unsigned = unsigned __int128;
  using Signed = __int128;
};

struct Multiply {
  template <class Word>
  static Word of(Word a, Word b) {
    return a * b;
  }
};
struct High {
  template <class Word>
  static Word of(Word a, Word b) {
    using Signed = typename Twice<Word>::Signed;
    return static_cast<Word>((Signed{as_signed(a)} * Signed{as_signed(b)}) >> bits_of<Word>);
  }
};
struct HighUnsigned {
  template <class Word>
  static Word of(Word a, Word b) {
    return static_cast<Word>((typename Twice<Word>::Unsigned{a} * b) >> bits_of<Word>);
  }
};
struct HighSignedUnsigned {
  template <class Word>
  static Word of(Word a, Word b) {
    using Signed = typename Twice<Word>::Signed;
    return static_cast<Word>((Signed{as_signed(a)} * static_cast<Signed>(b)) >> bits_of<Word>);
  }
};
struct Divide {
  template <class Word>
  static Word of(Word a, Word b) {
    if (b == 0) return ~Word{0};
    if (b == ~Word{0}) return Word{0} - a;
    return static_cast<Word>(as_signed(a) / as_signed(b));
  }
};
struct DivideUnsigned {
  template <class Word>
  static Word of(Word a, Word b) {
    return b == 0 ? ~Word{0} : a / b;
  }
};
struct Remainder {
  template <class Word>
  static Word of(Word a, Word b) {
    if (b == 0) return a;
    if (b == ~Word{0}) return 0;
    return static_cast<Word>(as_signed(a) % as_signed(b));
  }
};
struct RemainderUnsigned {
  template <class Word>
  static Word of(Word a, Word b) {
    return b == 0 ? a : a % b;
  }
};

constexpr unsigned op = 0x33, op_32 = 0x3B;

template <class Word>
std::vector<Instruction<Word>> all() {
  const auto row = [](unsigned funct3, typename Operation<Word>::Run run, hal_instruction_class of_class) {
    return Instruction<Word>{fixed_37(op, funct3, 1), run, Shape::registers, of_class};
  };
  return {row(0, with_registers<Word, Multiply>, HAL_MULTIPLY),
          row(1, with_registers<Word, High>, HAL_MULTIPLY),
          row(2, with_registers<Word, HighSignedUnsigned>, HAL_MULTIPLY),
          row(3, with_registers<Word, HighUnsigned>, HAL_MULTIPLY),
          row(4, with_registers<Word, Divide>, HAL_DIVIDE),
          row(5, with_registers<Word, DivideUnsigned>, HAL_DIVIDE),
          row(6, with_registers<Word, Remainder>, HAL_DIVIDE),
          row(7, with_registers<Word, RemainderUnsigned>, HAL_DIVIDE)};
}

std::vector<Instruction<std::uint64_t>> of_64_bits() {
  using Word = std::uint64_t;
  const auto row = [](unsigned funct3, Operation<Word>::Run run, hal_instruction_class of_class) {
    return Instruction<Word>{fixed_37(op_32, funct3, 1), run, Shape::registers, of_class};
  };
  return {row(0, with_registers_32<Word, Multiply>, HAL_MULTIPLY), row(4, with_registers_32<Word, Divide>, HAL_DIVIDE),
          row(5, with_registers_32<Word, DivideUnsigned>, HAL_DIVIDE),
          row(6, with_registers_32<Word, Remainder>, HAL_DIVIDE),
          row(7, with_registers_32<Word, RemainderUnsigned>, HAL_DIVIDE)};
}

const Registration<Extension> registration{{.name = "M",
                                            .summary = "multiplication and division",
                                            .rv32 = all<std::uint32_t>(),
                                            .rv64 = joined(all<std::uint64_t>(), of_64_bits())}};

}  // namespace
}  // namespace sanvp::riscv
