// Instructions behind 0F that work on integers.
#include <bit>

#include "models/native/interpreted/instruction.hpp"

namespace sanvp::native::interpreted {
namespace {

/// bt, bts, btr, btc
bool test_bit(Instruction& i, unsigned operation, std::uint64_t position) {
  const unsigned bits = i.size * 8;
  if (!i.is_register) i.memory += static_cast<std::int64_t>(position) >> (i.size == 8 ? 6 : 5) << (i.size == 8 ? 3 : 2);
  const std::uint64_t bit = 1ULL << position % bits, value = i.other();
  i.at.flags.carry = (value & bit) != 0;
  if (operation == 1) i.set_other(value | bit);
  if (operation == 2) i.set_other(value & ~bit);
  if (operation == 3) i.set_other(value ^ bit);
  return true;
}

void extend(Instruction& i, unsigned from, bool is_signed) {
  const unsigned whole = i.size;
  i.size = from;
  i.read_modrm();
  const std::uint64_t value = i.other();
  i.size = whole;
  i.set_own(is_signed ? sign_extended(value, from) : value);
}

void shift_double(Instruction& i) {
  const bool is_left = i.opcode < 0xA8, by_immediate = i.opcode % 2 == 0;
  i.read_modrm(by_immediate ? 1 : 0);
  const unsigned bits = i.size * 8;
  const unsigned count = (by_immediate ? i.take<std::uint8_t>() : static_cast<std::uint8_t>(i.general(rcx, 1))) &
                         (i.size == 8 ? 63U : 31U);
  if (count == 0) return;
  const std::uint64_t value = i.other(), in = i.own();
  const std::uint64_t result =
      (is_left ? value << count | in >> (bits - count) : value >> count | in << (bits - count)) & mask_of(i.size);
  i.at.flags.carry = (value >> (is_left ? bits - count : count - 1) & 1) != 0;
  i.at.flags.overflow = ((value ^ result) & sign_of(i.size)) != 0;
  i.set_result(result);
  i.set_other(result);
}

/// bsf, bsr; with the prefix of repetitions tzcnt, lzcnt
void scan_bits(Instruction& i) {
  i.read_modrm();
  const std::uint64_t value = i.other();
  const int bits = static_cast<int>(i.size) * 8;
  const bool is_count = i.form == Form::repeat, is_forward = i.opcode == 0xBC;
  i.at.flags.zero = value == 0;
  if (is_count) i.at.flags.carry = value == 0;
  if (value == 0 && !is_count) return;  // the register stays as it is
  const int leading = value == 0 ? bits : std::countl_zero(value) - (64 - bits);
  const int result = is_forward ? (value == 0 ? bits : std::countr_zero(value))
                     : is_count ? leading
                                : bits - 1 - leading;
  if (is_count) i.at.flags.zero = result == 0;
  i.set_own(static_cast<std::uint64_t>(result));
}

void multiply(Instruction& i) {
  i.read_modrm();
  const auto a = static_cast<std::int64_t>(sign_extended(i.own(), i.size));
  const auto wide = static_cast<__int128>(a) * static_cast<std::int64_t>(sign_extended(i.other(), i.size));
  i.at.flags.carry = i.at.flags.overflow =
      wide != static_cast<std::int64_t>(sign_extended(static_cast<std::uint64_t>(wide), i.size));
  i.set_own(static_cast<std::uint64_t>(wide));
}

void compare_and_exchange(Instruction& i) {
  i.read_modrm();
  const std::uint64_t present = i.other();
  i.subtract(i.general(rax, i.size), present, false);
  if (i.at.flags.zero)
    i.set_other(i.own());
  else
    i.set_general(rax, present, i.size);
}

void exchange_and_add(Instruction& i) {
  i.read_modrm();
  const std::uint64_t present = i.other(), sum = i.add(present, i.own(), false);
  i.set_own(present);
  i.set_other(sum);
}

/// xsave and xrstor, for the state that this interpreter has: the vectors, if the area contains them. Fences order
/// nothing here.
bool save_state(Instruction& i) {
  constexpr std::size_t vectors_at = 160;
  i.read_modrm();
  const unsigned operation = i.reg & 7U;
  if (i.is_register) return operation >= 5;
  if (operation == 4) std::memcpy(i.memory + vectors_at, i.at.vector.data(), sizeof i.at.vector);
  if (operation == 5) std::memcpy(i.at.vector.data(), i.memory + vectors_at, sizeof i.at.vector);
  return operation == 4 || operation == 5;
}

}  // namespace

bool execute_two_byte(Instruction& i) {
  const std::uint8_t code = i.opcode;
  switch (code & 0xF0U) {
    case 0x40: {
      i.read_modrm();
      const std::uint64_t value = i.at.flags.meet(code & 0xFU) ? i.other() : i.own();
      return i.set_own(value), true;
    }
    case 0x80: {
      const auto way = i.take<std::int32_t>();
      if (i.at.flags.meet(code & 0xFU)) i.at.pc += way;
      return true;
    }
    case 0x90:
      i.size = 1;
      i.read_modrm();
      return i.set_other(i.at.flags.meet(code & 0xFU) ? 1 : 0), true;
    default:
      break;
  }
  if (code == 0xB0 || code == 0xC0) i.size = 1;
  switch (code) {
    case 0x0D:  // prefetch
    case 0x18:
    case 0x1E:  // endbr64
    case 0x1F:
      return i.read_modrm(), true;
    case 0x77:
      return true;  // emms
    case 0xA3:
      return i.read_modrm(), test_bit(i, 0, sign_extended(i.own(), i.size));
    case 0xAB:
      return i.read_modrm(), test_bit(i, 1, sign_extended(i.own(), i.size));
    case 0xB3:
      return i.read_modrm(), test_bit(i, 2, sign_extended(i.own(), i.size));
    case 0xBB:
      return i.read_modrm(), test_bit(i, 3, sign_extended(i.own(), i.size));
    case 0xBA: {
      i.read_modrm(1);
      const unsigned operation = i.reg & 7U;
      const unsigned position = i.take<std::uint8_t>() % (i.size * 8);
      return operation >= 4 && test_bit(i, operation - 4, position);
    }
    case 0xA4:
    case 0xA5:
    case 0xAC:
    case 0xAD:
      return shift_double(i), true;
    case 0xAE:
      return save_state(i);
    case 0xAF:
      return multiply(i), true;
    case 0xB0:
    case 0xB1:
      return compare_and_exchange(i), true;
    case 0xC0:
    case 0xC1:
      return exchange_and_add(i), true;
    case 0xB6:
      return extend(i, 1, false), true;
    case 0xB7:
      return extend(i, 2, false), true;
    case 0xBE:
      return extend(i, 1, true), true;
    case 0xBF:
      return extend(i, 2, true), true;
    case 0xB8:
      return i.read_modrm(), i.set_own(static_cast<std::uint64_t>(std::popcount(i.other()))), true;
    case 0xBC:
    case 0xBD:
      return scan_bits(i), true;
    default:
      break;
  }
  if ((code & 0xF8U) != 0xC8) return execute_vector(i);
  const std::uint64_t value = i.general(i.in_opcode(), i.size);
  i.set_general(i.in_opcode(),
                i.size == 8 ? __builtin_bswap64(value) : __builtin_bswap32(static_cast<std::uint32_t>(value)), i.size);
  return true;
}

}  // namespace sanvp::native::interpreted
