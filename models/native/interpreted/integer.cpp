// Instructions of one byte's opcode: integers, stack, jumps within the code.
#include <csignal>

#include "models/native/interpreted/instruction.hpp"

namespace sanvp::native::interpreted {
namespace {

/// add, or, adc, sbb, and, sub, xor, cmp. @return false: the result is not kept
bool compute(Instruction& i, unsigned operation, std::uint64_t a, std::uint64_t b, std::uint64_t& result) {
  switch (operation) {
    case 0:
      result = i.add(a, b, false);
      return true;
    case 1:
      result = i.logic(a | b);
      return true;
    case 2:
      result = i.add(a, b, i.at.flags.carry);
      return true;
    case 3:
      result = i.subtract(a, b, i.at.flags.carry);
      return true;
    case 4:
      result = i.logic(a & b);
      return true;
    case 5:
      result = i.subtract(a, b, false);
      return true;
    case 6:
      result = i.logic(a ^ b);
      return true;
    default:
      i.subtract(a, b, false);
      return false;
  }
}

/// The six forms of each of the eight operations: register and memory in both orders, accumulator and immediate.
void two_operands(Instruction& i) {
  const unsigned operation = i.opcode >> 3, form = i.opcode & 7U;
  if (form % 2 == 0) i.size = 1;
  std::uint64_t result = 0;
  if (form >= 4) {
    if (compute(i, operation, i.general(rax, i.size), i.take_immediate(), result)) i.set_general(rax, result, i.size);
    return;
  }
  i.read_modrm();
  if (form < 2) {
    if (compute(i, operation, i.other(), i.own(), result)) i.set_other(result);
  } else {
    if (compute(i, operation, i.own(), i.other(), result)) i.set_own(result);
  }
}

void with_immediate(Instruction& i) {
  if (i.opcode == 0x80) i.size = 1;
  const bool is_byte = i.opcode != 0x81;
  i.read_modrm(is_byte ? 1 : i.size == 2 ? 2 : 4);
  const std::uint64_t value =
      is_byte ? static_cast<std::uint64_t>(std::int64_t{i.take<std::int8_t>()}) : i.take_immediate();
  std::uint64_t result = 0;
  if (compute(i, i.reg & 7U, i.other(), value, result)) i.set_other(result);
}

/// rol, ror, shl, shr, sar; others are not compiled.
bool shift(Instruction& i) {
  const bool by_immediate = i.opcode < 0xD0;
  if (i.opcode % 2 == 0) i.size = 1;
  i.read_modrm(by_immediate ? 1 : 0);
  const unsigned given = by_immediate      ? i.take<std::uint8_t>()
                         : i.opcode < 0xD2 ? 1
                                           : static_cast<std::uint8_t>(i.general(rcx, 1));
  const unsigned bits = i.size * 8, count = given & (i.size == 8 ? 63U : 31U);
  const std::uint64_t value = i.other();
  if (count == 0) return true;
  Flags& flags = i.at.flags;
  const auto sign = [&i](std::uint64_t of) { return (of & sign_of(i.size)) != 0; };
  std::uint64_t result = 0;
  switch (i.reg & 7U) {
    case 0:
    case 1: {
      const bool is_left = (i.reg & 7U) == 0;
      const unsigned left = (is_left ? count : bits - count % bits) % bits;
      result = left == 0 ? value : (value << left | value >> (bits - left)) & mask_of(i.size);
      flags.carry = is_left ? (result & 1) != 0 : sign(result);
      flags.overflow = is_left ? sign(result) != flags.carry : sign(result) != sign(result << 1);
      i.set_other(result);
      return true;
    }
    case 4:
    case 6:
      flags.carry = count <= bits && (value >> (bits - count) & 1) != 0;
      result = value << count & mask_of(i.size);
      flags.overflow = sign(result) != flags.carry;
      break;
    case 5:
      flags.carry = (value >> (count - 1) & 1) != 0;
      result = value >> count;
      flags.overflow = sign(value);
      break;
    case 7: {
      const auto wide = static_cast<std::int64_t>(sign_extended(value, i.size));
      flags.carry = (wide >> (count - 1) & 1) != 0;
      result = static_cast<std::uint64_t>(wide >> count) & mask_of(i.size);
      flags.overflow = false;
      break;
    }
    default:
      return false;
  }
  i.set_result(result);
  i.set_other(result);
  return true;
}

void multiply_wide(Instruction& i, bool is_signed) {
  const std::uint64_t a = i.general(rax, i.size), b = i.other();
  const unsigned bits = i.size * 8;
  const auto wide =
      is_signed
          ? static_cast<unsigned __int128>(static_cast<__int128>(static_cast<std::int64_t>(sign_extended(a, i.size))) *
                                           static_cast<std::int64_t>(sign_extended(b, i.size)))
          : static_cast<unsigned __int128>(a) * b;
  const auto low = static_cast<std::uint64_t>(wide) & mask_of(i.size);
  const auto high = static_cast<std::uint64_t>(wide >> bits) & mask_of(i.size);
  if (i.size == 1) {
    i.set_general(rax, low | high << 8, 2);
  } else {
    i.set_general(rax, low, i.size);
    i.set_general(rdx, high, i.size);
  }
  const std::uint64_t expected = is_signed && (low & sign_of(i.size)) != 0 ? mask_of(i.size) : 0;
  i.at.flags.carry = i.at.flags.overflow = high != expected;
}

void divide_wide(Instruction& i, bool is_signed) {
  const unsigned bits = i.size * 8;
  const std::uint64_t low = i.general(rax, i.size == 1 ? 2 : i.size), divisor = i.other();
  if (divisor == 0) static_cast<void>(std::raise(SIGFPE));
  const auto dividend = i.size == 1 ? static_cast<unsigned __int128>(low)
                                    : static_cast<unsigned __int128>(i.general(rdx, i.size)) << bits | low;
  std::uint64_t quotient = 0, rest = 0;
  if (is_signed) {
    const unsigned unused = 128 - 2 * bits;
    const auto wide = static_cast<__int128>(dividend << unused) >> unused;
    const auto by = static_cast<std::int64_t>(sign_extended(divisor, i.size));
    quotient = static_cast<std::uint64_t>(wide / by);
    rest = static_cast<std::uint64_t>(wide % by);
  } else {
    quotient = static_cast<std::uint64_t>(dividend / divisor);
    rest = static_cast<std::uint64_t>(dividend % divisor);
  }
  if (i.size == 1) {
    i.set_general(rax, (quotient & 0xFF) | (rest & 0xFF) << 8, 2);
  } else {
    i.set_general(rax, quotient, i.size);
    i.set_general(rdx, rest, i.size);
  }
}

/// test, not, neg, mul, imul, div, idiv
bool one_operand(Instruction& i) {
  if (i.opcode == 0xF6) i.size = 1;
  const auto number = load<std::uint8_t>(i.at.pc) >> 3 & 7U;
  i.read_modrm(number > 1 ? 0 : i.size == 8 ? 4 : i.size);
  switch (number) {
    case 0:
      i.logic(i.other() & i.take_immediate());
      return true;
    case 2:
      i.set_other(~i.other());
      return true;
    case 3:
      i.set_other(i.subtract(0, i.other(), false));
      return true;
    case 4:
      multiply_wide(i, false);
      return true;
    case 5:
      multiply_wide(i, true);
      return true;
    case 6:
      divide_wide(i, false);
      return true;
    case 7:
      divide_wide(i, true);
      return true;
    default:
      return false;
  }
}

/// inc, dec, push; calls and jumps are Execution's.
bool increment(Instruction& i) {
  if (i.opcode == 0xFE) i.size = 1;
  i.read_modrm();
  const bool carry = i.at.flags.carry;
  switch (i.reg & 7U) {
    case 0:
      i.set_other(i.add(i.other(), 1, false));
      break;
    case 1:
      i.set_other(i.subtract(i.other(), 1, false));
      break;
    case 6:
      i.size = 8;
      i.push(i.other());
      return true;
    default:
      return false;
  }
  i.at.flags.carry = carry;
  return true;
}

/// movs and stos, repeated rcx times with a prefix; upwards only.
void move_string(Instruction& i) {
  const bool is_move = i.opcode < 0xA8;
  if (i.opcode % 2 == 0) i.size = 1;
  auto& general = i.at.general;
  const bool repeats = i.form == Form::repeat || i.form == Form::repeat_not;
  for (std::uint64_t left = repeats ? general[rcx] : 1; left > 0; --left) {
    const std::uint64_t value =
        is_move ? load(reinterpret_cast<const void*>(general[rsi]), i.size) : i.general(rax, i.size);
    store(reinterpret_cast<void*>(general[rdi]), value, i.size);
    general[rdi] += i.size;
    if (is_move) general[rsi] += i.size;
  }
  if (repeats) general[rcx] = 0;
}

void jump_by(Instruction& i, std::int64_t way) { i.at.pc += way; }

void multiply(Instruction& i) {
  i.read_modrm(i.opcode == 0x6B ? 1 : i.size == 2 ? 2 : 4);
  const std::uint64_t factor =
      i.opcode == 0x6B ? static_cast<std::uint64_t>(std::int64_t{i.take<std::int8_t>()}) : i.take_immediate();
  const auto a = static_cast<std::int64_t>(sign_extended(i.other(), i.size));
  const auto wide = static_cast<__int128>(a) * static_cast<std::int64_t>(factor);
  i.at.flags.carry = i.at.flags.overflow =
      wide != static_cast<std::int64_t>(sign_extended(static_cast<std::uint64_t>(wide), i.size));
  i.set_own(static_cast<std::uint64_t>(wide));
}

void exchange(Instruction& i, unsigned with) {
  const std::uint64_t value = i.general(with, i.size);
  i.set_general(with, i.general(rax, i.size), i.size);
  i.set_general(rax, value, i.size);
}

}  // namespace

bool execute_integer(Instruction& i) {
  const std::uint8_t code = i.opcode;
  if (code < 0x40 && (code & 7U) < 6) return two_operands(i), true;
  switch (code & 0xF8U) {
    case 0x50:
      return i.push(i.at.general[i.in_opcode()]), true;
    case 0x58:
      return i.at.general[i.in_opcode()] = i.pop(), true;
    case 0x70:
    case 0x78: {
      const auto way = i.take<std::int8_t>();
      if (i.at.flags.meet(code & 0xFU)) jump_by(i, way);
      return true;
    }
    case 0x90:
      return exchange(i, i.in_opcode()), true;  // nop: rax and rax
    case 0xB0:
      return i.set_general(i.in_opcode(), i.take<std::uint8_t>(), 1), true;
    case 0xB8:
      return i.set_general(i.in_opcode(), i.is_wide ? i.take<std::uint64_t>() : i.take_immediate(), i.size), true;
    default:
      break;
  }
  if (code % 2 == 0 && (code == 0x84 || code == 0x86 || code == 0x88 || code == 0x8A || code == 0xC6 || code == 0xA8))
    i.size = 1;
  switch (code) {
    case 0x63: {
      i.read_modrm();
      const unsigned whole = i.size;
      i.size = 4;
      const std::uint64_t value = sign_extended(i.other(), 4);
      i.size = whole;
      return i.set_own(value), true;
    }
    case 0x68:
      return i.push(static_cast<std::uint64_t>(std::int64_t{i.take<std::int32_t>()})), true;
    case 0x6A:
      return i.push(static_cast<std::uint64_t>(std::int64_t{i.take<std::int8_t>()})), true;
    case 0x69:
    case 0x6B:
      return multiply(i), true;
    case 0x80:
    case 0x81:
    case 0x83:
      return with_immediate(i), true;
    case 0x84:
    case 0x85:
      return i.read_modrm(), i.logic(i.other() & i.own()), true;
    case 0x86:
    case 0x87: {
      i.read_modrm();
      const std::uint64_t value = i.other();
      i.set_other(i.own());
      return i.set_own(value), true;
    }
    case 0x88:
    case 0x89:
      return i.read_modrm(), i.set_other(i.own()), true;
    case 0x8A:
    case 0x8B:
      return i.read_modrm(), i.set_own(i.other()), true;
    case 0x8D:
      return i.read_modrm(), i.set_own(reinterpret_cast<std::uint64_t>(i.memory)), true;
    case 0x98:
      return i.set_general(rax, sign_extended(i.general(rax, i.size / 2), i.size / 2), i.size), true;
    case 0x99: {
      const bool is_negative = (i.general(rax, i.size) & sign_of(i.size)) != 0;
      return i.set_general(rdx, is_negative ? ~std::uint64_t{0} : 0, i.size), true;
    }
    case 0x9C:
      return i.push(i.at.flags.to_word()), true;
    case 0x9D:
      return i.at.flags.from_word(i.pop()), true;
    case 0xA4:
    case 0xA5:
    case 0xAA:
    case 0xAB:
      return move_string(i), true;
    case 0xA8:
    case 0xA9:
      return i.logic(i.general(rax, i.size) & i.take_immediate()), true;
    case 0xC0:
    case 0xC1:
    case 0xD0:
    case 0xD1:
    case 0xD2:
    case 0xD3:
      return shift(i);
    case 0xC6:
    case 0xC7:
      return i.read_modrm(i.size == 8 ? 4 : i.size), i.set_other(i.take_immediate()), true;
    case 0xC9:
      i.at.general[rsp] = i.at.general[rbp];
      return i.at.general[rbp] = i.pop(), true;
    case 0xE8: {
      const auto way = i.take<std::int32_t>();
      i.push(reinterpret_cast<std::uint64_t>(i.at.pc));
      return jump_by(i, way), true;
    }
    case 0xE9: {
      const auto way = i.take<std::int32_t>();
      return jump_by(i, way), true;
    }
    case 0xEB: {
      const auto way = i.take<std::int8_t>();
      return jump_by(i, way), true;
    }
    case 0xF6:
    case 0xF7:
      return one_operand(i);
    case 0xFC:
      return true;  // cld
    case 0xFE:
    case 0xFF:
      return increment(i);
    default:
      return false;
  }
}

}  // namespace sanvp::native::interpreted
