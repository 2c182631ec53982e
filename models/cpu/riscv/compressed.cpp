#include "models/cpu/riscv/compressed.hpp"

namespace sanvp::riscv {
namespace {

constexpr std::uint32_t illegal = 0;
constexpr unsigned zero = 0, ra = 1, sp = 2;
constexpr unsigned op_load = 0x03, op_load_float = 0x07, op_immediate = 0x13, op_immediate_32 = 0x1B, op_store = 0x23;
constexpr unsigned op_store_float = 0x27, op = 0x33, op_32 = 0x3B, op_lui = 0x37, op_branch = 0x63, op_jalr = 0x67;
constexpr unsigned op_jal = 0x6F;

/// The fields of a 16-bit instruction.
class Fields {
 public:
  explicit Fields(std::uint16_t word) : word_(word) {}

  unsigned bits(unsigned high, unsigned low) const { return word_ >> low & ((2U << (high - low)) - 1); }
  unsigned bit(unsigned number) const { return word_ >> number & 1; }
  unsigned rd() const { return bits(11, 7); }
  unsigned rs2() const { return bits(6, 2); }
  /// One of x8 to x15, of three bits.
  unsigned short_rd() const { return 8 + bits(9, 7); }
  unsigned short_rs2() const { return 8 + bits(4, 2); }
  std::int32_t immediate() const {
    return static_cast<std::int32_t>(bits(6, 2)) - static_cast<std::int32_t>(bit(12) * 32);
  }
  unsigned shift() const { return bit(12) << 5 | bits(6, 2); }
  unsigned offset_4() const { return bits(12, 10) << 3 | bit(6) << 2 | bit(5) << 6; }
  unsigned offset_8() const { return bits(12, 10) << 3 | bits(6, 5) << 6; }
  unsigned stack_load_4() const { return bit(12) << 5 | bits(6, 4) << 2 | bits(3, 2) << 6; }
  unsigned stack_load_8() const { return bit(12) << 5 | bits(6, 5) << 3 | bits(4, 2) << 6; }
  unsigned stack_store_4() const { return bits(12, 9) << 2 | bits(8, 7) << 6; }
  unsigned stack_store_8() const { return bits(12, 10) << 3 | bits(9, 7) << 6; }
  std::int32_t jump() const {
    const unsigned low =
        bits(5, 3) << 1 | bit(11) << 4 | bit(2) << 5 | bit(7) << 6 | bit(6) << 7 | bits(10, 9) << 8 | bit(8) << 10;
    return static_cast<std::int32_t>(low) - static_cast<std::int32_t>(bit(12) << 11);
  }
  std::int32_t branch() const {
    const unsigned low = bits(4, 3) << 1 | bits(11, 10) << 3 | bit(2) << 5 | bits(6, 5) << 6;
    return static_cast<std::int32_t>(low) - static_cast<std::int32_t>(bit(12) << 8);
  }

 private:
  std::uint32_t word_;
};

std::uint32_t i_type(unsigned opcode, unsigned funct3, unsigned rd, unsigned rs1, std::int32_t immediate) {
  return opcode | rd << 7 | funct3 << 12 | rs1 << 15 | static_cast<std::uint32_t>(immediate) << 20;
}
std::uint32_t r_type(unsigned opcode, unsigned funct3, unsigned funct7, unsigned rd, unsigned rs1, unsigned rs2) {
  return opcode | rd << 7 | funct3 << 12 | rs1 << 15 | rs2 << 20 | funct7 << 25;
}
std::uint32_t s_type(unsigned opcode, unsigned funct3, unsigned rs1, unsigned rs2, unsigned offset) {
  return opcode | (offset & 0x1F) << 7 | funct3 << 12 | rs1 << 15 | rs2 << 20 | (offset >> 5 & 0x7F) << 25;
}
std::uint32_t b_type(unsigned funct3, unsigned rs1, std::int32_t offset) {
  const auto bits = static_cast<std::uint32_t>(offset);
  return op_branch | (bits >> 11 & 1) << 7 | (bits >> 1 & 0xF) << 8 | funct3 << 12 | rs1 << 15 |
         (bits >> 5 & 0x3F) << 25 | (bits >> 12 & 1) << 31;
}
std::uint32_t j_type(unsigned rd, std::int32_t offset) {
  const auto bits = static_cast<std::uint32_t>(offset);
  return op_jal | rd << 7 | (bits >> 12 & 0xFF) << 12 | (bits >> 11 & 1) << 20 | (bits >> 1 & 0x3FF) << 21 |
         (bits >> 20 & 1) << 31;
}

/// Quadrant 0: loads and stores, x8 to x15.
std::uint32_t expand_0(const Fields& fields, unsigned funct3, int xlen) {
  const unsigned rd = fields.short_rs2(), rs1 = fields.short_rd();
  const auto offset_4 = static_cast<std::int32_t>(fields.offset_4()),
             offset_8 = static_cast<std::int32_t>(fields.offset_8());
  switch (funct3) {
    case 0: {
      const unsigned sum = fields.bits(10, 7) << 6 | fields.bits(12, 11) << 4 | fields.bit(5) << 3 | fields.bit(6) << 2;
      return sum == 0 ? illegal : i_type(op_immediate, 0, rd, sp, static_cast<std::int32_t>(sum));
    }
    case 1:
      return i_type(op_load_float, 3, rd, rs1, offset_8);
    case 2:
      return i_type(op_load, 2, rd, rs1, offset_4);
    case 3:
      return xlen == 64 ? i_type(op_load, 3, rd, rs1, offset_8) : i_type(op_load_float, 2, rd, rs1, offset_4);
    case 5:
      return s_type(op_store_float, 3, rs1, rd, fields.offset_8());
    case 6:
      return s_type(op_store, 2, rs1, rd, fields.offset_4());
    case 7:
      return xlen == 64 ? s_type(op_store, 3, rs1, rd, fields.offset_8())
                        : s_type(op_store_float, 2, rs1, rd, fields.offset_4());
    default:
      return illegal;
  }
}

std::uint32_t expand_arithmetic(const Fields& fields, int xlen) {
  const unsigned rd = fields.short_rd(), rs2 = fields.short_rs2(), shift = fields.shift();
  switch (fields.bits(11, 10)) {
    case 0:
    case 1:
      if (xlen == 32 && shift >= 32) return illegal;
      return i_type(op_immediate, 5, rd, rd, static_cast<std::int32_t>(shift | (fields.bit(10) != 0 ? 0x400 : 0)));
    case 2:
      return i_type(op_immediate, 7, rd, rd, fields.immediate());
    default:
      break;
  }
  if (fields.bit(12) == 0) {
    static constexpr unsigned funct3[] = {0, 4, 6, 7};
    const unsigned operation = fields.bits(6, 5);
    return r_type(op, funct3[operation], operation == 0 ? 0x20 : 0, rd, rd, rs2);
  }
  if (xlen == 32 || fields.bits(6, 5) > 1) return illegal;
  return r_type(op_32, 0, fields.bits(6, 5) == 0 ? 0x20 : 0, rd, rd, rs2);
}

/// Quadrant 1: immediates, branches, arithmetic.
std::uint32_t expand_1(const Fields& fields, unsigned funct3, int xlen) {
  const unsigned rd = fields.rd();
  switch (funct3) {
    case 0:
      return i_type(op_immediate, 0, rd, rd, fields.immediate());
    case 1:
      if (xlen == 32) return j_type(ra, fields.jump());
      return rd == 0 ? illegal : i_type(op_immediate_32, 0, rd, rd, fields.immediate());
    case 2:
      return i_type(op_immediate, 0, rd, zero, fields.immediate());
    case 3:
      if (fields.immediate() == 0) return illegal;
      if (rd == sp) {
        const unsigned low = fields.bit(6) << 4 | fields.bit(2) << 5 | fields.bit(5) << 6 | fields.bits(4, 3) << 7;
        return i_type(op_immediate, 0, sp, sp,
                      static_cast<std::int32_t>(low) - static_cast<std::int32_t>(fields.bit(12) << 9));
      }
      return op_lui | rd << 7 | static_cast<std::uint32_t>(fields.immediate()) << 12;
    case 4:
      return expand_arithmetic(fields, xlen);
    case 5:
      return j_type(zero, fields.jump());
    default:
      return b_type(funct3 == 6 ? 0 : 1, fields.short_rd(), fields.branch());
  }
}

std::uint32_t expand_moves_and_jumps(const Fields& fields) {
  const unsigned rd = fields.rd(), rs2 = fields.rs2();
  if (fields.bit(12) == 0) {
    if (rs2 != 0) return r_type(op, 0, 0, rd, zero, rs2);
    return rd == 0 ? illegal : i_type(op_jalr, 0, zero, rd, 0);
  }
  if (rs2 != 0) return r_type(op, 0, 0, rd, rd, rs2);
  constexpr std::uint32_t ebreak = 0x00100073;
  return rd == 0 ? ebreak : i_type(op_jalr, 0, ra, rd, 0);
}

/// Quadrant 2: accesses to the stack, moves, jumps to registers.
std::uint32_t expand_2(const Fields& fields, unsigned funct3, int xlen) {
  const unsigned rd = fields.rd(), rs2 = fields.rs2();
  const auto load_4 = static_cast<std::int32_t>(fields.stack_load_4()),
             load_8 = static_cast<std::int32_t>(fields.stack_load_8());
  switch (funct3) {
    case 0:
      if (xlen == 32 && fields.shift() >= 32) return illegal;
      return i_type(op_immediate, 1, rd, rd, static_cast<std::int32_t>(fields.shift()));
    case 1:
      return i_type(op_load_float, 3, rd, sp, load_8);
    case 2:
      return rd == 0 ? illegal : i_type(op_load, 2, rd, sp, load_4);
    case 3:
      if (xlen == 32) return i_type(op_load_float, 2, rd, sp, load_4);
      return rd == 0 ? illegal : i_type(op_load, 3, rd, sp, load_8);
    case 4:
      return expand_moves_and_jumps(fields);
    case 5:
      return s_type(op_store_float, 3, sp, rs2, fields.stack_store_8());
    case 6:
      return s_type(op_store, 2, sp, rs2, fields.stack_store_4());
    default:
      return xlen == 64 ? s_type(op_store, 3, sp, rs2, fields.stack_store_8())
                        : s_type(op_store_float, 2, sp, rs2, fields.stack_store_4());
  }
}

}  // namespace

std::uint32_t expand(std::uint16_t word, int xlen) {
  const Fields fields(word);
  const unsigned funct3 = fields.bits(15, 13);
  switch (word & 3) {
    case 0:
      return expand_0(fields, funct3, xlen);
    case 1:
      return expand_1(fields, funct3, xlen);
    case 2:
      return expand_2(fields, funct3, xlen);
    default:
      return illegal;
  }
}

}  // namespace sanvp::riscv
