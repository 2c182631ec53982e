/// I: integer operations, branches, jumps, loads and stores.
#include <bit>

#include "models/cpu/riscv/access.hpp"
#include "models/cpu/riscv/instruction.hpp"
#include "models/cpu/riscv/instructions/apply.hpp"
#include "models/cpu/riscv/instructions/operations.hpp"

namespace sanvp::riscv {
namespace {

struct Subtract {
  template <class Word>
  static Word of(Word a, Word b) {
    return a - b;
  }
};
struct ShiftLeft {
  template <class Word>
  static Word of(Word a, Word b) {
    return a << (b % bits_of<Word>);
  }
};
struct ShiftRight {
  template <class Word>
  static Word of(Word a, Word b) {
    return a >> (b % bits_of<Word>);
  }
};
struct ShiftRightSigned {
  template <class Word>
  static Word of(Word a, Word b) {
    return static_cast<Word>(as_signed(a) >> (b % bits_of<Word>));
  }
};
struct Less {
  template <class Word>
  static bool of(Word a, Word b) {
    return as_signed(a) < as_signed(b);
  }
};
struct LessUnsigned {
  template <class Word>
  static bool of(Word a, Word b) {
    return a < b;
  }
};
struct Equal {
  template <class Word>
  static bool of(Word a, Word b) {
    return a == b;
  }
};
template <class Test>
struct Not {
  template <class Word>
  static bool of(Word a, Word b) {
    return !Test::of(a, b);
  }
};

template <class Word>
Exit load_constant(Hart<Word>& hart, const Operation<Word>* operation) {
  hart.x[operation->rd] = operation->immediate;
  return go_on(hart, operation);
}

template <class Word, class Test>
Exit branch(Hart<Word>& hart, const Operation<Word>* operation) {
  const bool taken = Test::of(hart.x[operation->rs1], hart.x[operation->rs2]);
  hart.pc = operation[taken ? 0 : 1].immediate;  // the operation after a block holds the address after it
  return taken ? Exit::taken : Exit::next;
}

template <class Word>
Exit jump(Hart<Word>& hart, const Operation<Word>* operation) {
  hart.x[operation->rd] = operation[1].immediate;
  hart.pc = operation->immediate;
  return Exit::taken;
}

template <class Word>
Exit jump_register(Hart<Word>& hart, const Operation<Word>* operation) {
  const Word target = (hart.x[operation->rs1] + operation->immediate) & ~Word{1};
  hart.x[operation->rd] = operation[1].immediate;
  hart.pc = target;
  return Exit::indirect;
}

template <class Word>
Exit fence(Hart<Word>& hart, const Operation<Word>* operation) {
  return go_on(hart, operation);  // all harts of a process take turns: their stores are in order
}

template <class Word>
Exit fence_instructions(Hart<Word>& hart, const Operation<Word>* operation) {
  hart.pc = operation[1].immediate;
  return Exit::changed_code;
}

constexpr unsigned op = 0x33, op_immediate = 0x13, op_32 = 0x3B, op_immediate_32 = 0x1B;
constexpr unsigned op_load = 0x03, op_store = 0x23, op_branch = 0x63, op_fence = 0x0F;

template <class Word>
std::vector<Instruction<Word>> computing() {
  const Shape immediate = Shape::immediate;
  return {{fixed_opcode(0x37), load_constant<Word>, Shape::upper},
          {fixed_opcode(0x17), load_constant<Word>, Shape::upper_pc},
          {fixed_3(op_immediate, 0), with_immediate<Word, Add>, immediate},
          {fixed_3(op_immediate, 2), with_immediate<Word, Less>, immediate},
          {fixed_3(op_immediate, 3), with_immediate<Word, LessUnsigned>, immediate},
          {fixed_3(op_immediate, 4), with_immediate<Word, Xor>, immediate},
          {fixed_3(op_immediate, 6), with_immediate<Word, Or>, immediate},
          {fixed_3(op_immediate, 7), with_immediate<Word, And>, immediate},
          {fixed_37(op, 0, 0), with_registers<Word, Add>},
          {fixed_37(op, 0, 0x20), with_registers<Word, Subtract>},
          {fixed_37(op, 1, 0), with_registers<Word, ShiftLeft>, Shape::registers, HAL_SHIFT},
          {fixed_37(op, 2, 0), with_registers<Word, Less>},
          {fixed_37(op, 3, 0), with_registers<Word, LessUnsigned>},
          {fixed_37(op, 4, 0), with_registers<Word, Xor>},
          {fixed_37(op, 5, 0), with_registers<Word, ShiftRight>, Shape::registers, HAL_SHIFT},
          {fixed_37(op, 5, 0x20), with_registers<Word, ShiftRightSigned>, Shape::registers, HAL_SHIFT},
          {fixed_37(op, 6, 0), with_registers<Word, Or>},
          {fixed_37(op, 7, 0), with_registers<Word, And>}};
}

/// The shift amount has 5 bits, on RV64 6: funct7 without its lowest bit is fixed.
template <class Word>
std::vector<Instruction<Word>> shifts() {
  const auto fixed = [](unsigned funct3, unsigned funct7) {
    const Encoding encoding = fixed_37(op_immediate, funct3, funct7);
    return sizeof(Word) == 8 ? Encoding{encoding.match, encoding.mask & ~(1U << 25)} : encoding;
  };
  return {{fixed(1, 0), with_immediate<Word, ShiftLeft>, Shape::shift, HAL_SHIFT},
          {fixed(5, 0), with_immediate<Word, ShiftRight>, Shape::shift, HAL_SHIFT},
          {fixed(5, 0x20), with_immediate<Word, ShiftRightSigned>, Shape::shift, HAL_SHIFT}};
}

template <class Word>
std::vector<Instruction<Word>> control() {
  const auto row = [](unsigned funct3, typename Operation<Word>::Run run) {
    return Instruction<Word>{fixed_3(op_branch, funct3), run, Shape::branch, HAL_BRANCH, true};
  };
  return {row(0, branch<Word, Equal>),
          row(1, branch<Word, Not<Equal>>),
          row(4, branch<Word, Less>),
          row(5, branch<Word, Not<Less>>),
          row(6, branch<Word, LessUnsigned>),
          row(7, branch<Word, Not<LessUnsigned>>),
          {fixed_opcode(0x6F), jump<Word>, Shape::jump, HAL_BRANCH, true},
          {fixed_3(0x67, 0), jump_register<Word>, Shape::jump_register, HAL_BRANCH, true},
          {fixed_3(op_fence, 0), fence<Word>, Shape::immediate, HAL_ATOMIC},
          {fixed_3(op_fence, 1), fence_instructions<Word>, Shape::immediate, HAL_ATOMIC, true}};
}

template <class Word>
std::vector<Instruction<Word>> accesses() {
  return {
      load_row<Word, std::int8_t, ToInteger>(fixed_3(op_load, 0)),
      load_row<Word, std::int16_t, ToInteger>(fixed_3(op_load, 1)),
      load_row<Word, std::int32_t, ToInteger>(fixed_3(op_load, 2)),
      load_row<Word, std::uint8_t, ToInteger>(fixed_3(op_load, 4)),
      load_row<Word, std::uint16_t, ToInteger>(fixed_3(op_load, 5)),
      store_row<Word, std::uint8_t, ToInteger>(fixed_3(op_store, 0)),
      store_row<Word, std::uint16_t, ToInteger>(fixed_3(op_store, 1)),
      store_row<Word, std::uint32_t, ToInteger>(fixed_3(op_store, 2)),
  };
}

/// Operations on the low half of a register, and accesses to 64 bits.
std::vector<Instruction<std::uint64_t>> of_64_bits() {
  using Word = std::uint64_t;
  return {{fixed_3(op_immediate_32, 0), with_immediate_32<Word, Add>, Shape::immediate},
          {fixed_37(op_immediate_32, 1, 0), with_immediate_32<Word, ShiftLeft>, Shape::shift, HAL_SHIFT},
          {fixed_37(op_immediate_32, 5, 0), with_immediate_32<Word, ShiftRight>, Shape::shift, HAL_SHIFT},
          {fixed_37(op_immediate_32, 5, 0x20), with_immediate_32<Word, ShiftRightSigned>, Shape::shift, HAL_SHIFT},
          {fixed_37(op_32, 0, 0), with_registers_32<Word, Add>},
          {fixed_37(op_32, 0, 0x20), with_registers_32<Word, Subtract>},
          {fixed_37(op_32, 1, 0), with_registers_32<Word, ShiftLeft>, Shape::registers, HAL_SHIFT},
          {fixed_37(op_32, 5, 0), with_registers_32<Word, ShiftRight>, Shape::registers, HAL_SHIFT},
          {fixed_37(op_32, 5, 0x20), with_registers_32<Word, ShiftRightSigned>, Shape::registers, HAL_SHIFT},
          load_row<Word, std::int64_t, ToInteger>(fixed_3(op_load, 3)),
          load_row<Word, std::uint32_t, ToInteger>(fixed_3(op_load, 6)),
          store_row<Word, std::uint64_t, ToInteger>(fixed_3(op_store, 3))};
}

template <class Word>
std::vector<Instruction<Word>> all() {
  return joined(computing<Word>(), shifts<Word>(), control<Word>(), accesses<Word>());
}

const Registration<Extension> registration{{.name = "I",
                                            .summary = "integers, branches, loads and stores",
                                            .rv32 = all<std::uint32_t>(),
                                            .rv64 = joined(all<std::uint64_t>(), of_64_bits())}};

}  // namespace
}  // namespace sanvp::riscv
