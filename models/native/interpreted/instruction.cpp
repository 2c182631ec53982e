#include "models/native/interpreted/instruction.hpp"

#include <utility>

namespace sanvp::native::interpreted {
namespace {

constexpr std::uint8_t rex_w = 8, rex_r = 4, rex_x = 2, rex_b = 1;

/// What FS points to: its word 0x28 is the guard of stack frames, where the compiler uses one.
alignas(16) constinit std::array<std::byte, 64> thread_area{};

}  // namespace

std::uint64_t load(const void* from, unsigned size) {
  switch (size) {
    case 1:
      return load<std::uint8_t>(from);
    case 2:
      return load<std::uint16_t>(from);
    case 4:
      return load<std::uint32_t>(from);
    default:
      return load<std::uint64_t>(from);
  }
}

void store(void* to, std::uint64_t value, unsigned size) {
  const auto put = [to](auto narrow) { std::memcpy(to, &narrow, sizeof narrow); };
  switch (size) {
    case 1:
      return put(static_cast<std::uint8_t>(value));
    case 2:
      return put(static_cast<std::uint16_t>(value));
    case 4:
      return put(static_cast<std::uint32_t>(value));
    default:
      return put(value);
  }
}

Instruction::Instruction(Registers& registers) : at(registers) {
  bool is_short = false;
  for (;; ++at.pc) {
    const auto byte = load<std::uint8_t>(at.pc);
    if (byte == 0x66)
      is_short = true;
    else if (byte == 0xF2)
      form = Form::repeat_not;
    else if (byte == 0xF3)
      form = Form::repeat;
    else if (byte == 0x64)
      segment_ = reinterpret_cast<std::uint64_t>(thread_area.data());
    else if (byte != 0x65 && byte != 0x2E && byte != 0x3E && byte != 0xF0)  // GS has base 0; lock: one thread
      break;
  }
  if (is_short && form == Form::plain) form = Form::operand;
  if ((load<std::uint8_t>(at.pc) & 0xF0) == 0x40) rex_ = take<std::uint8_t>();
  is_wide = (rex_ & rex_w) != 0;
  size = is_wide ? 8 : is_short ? 2 : 4;
  opcode = take<std::uint8_t>();
  if (opcode != 0x0F) return;
  is_two_byte = true;
  opcode = take<std::uint8_t>();
}

void Instruction::read_modrm(unsigned immediate_bytes) {
  const auto byte = take<std::uint8_t>();
  reg = (byte >> 3 & 7U) | ((rex_ & rex_r) != 0 ? 8U : 0U);
  rm = byte & 7U;
  const unsigned mode = byte >> 6;
  is_register = mode == 3;
  if (is_register)
    rm |= (rex_ & rex_b) != 0 ? 8U : 0U;
  else
    memory = read_address(mode, rm, immediate_bytes);
}

std::byte* Instruction::read_address(unsigned mode, unsigned base, unsigned immediate_bytes) {
  std::uint64_t address = segment_;
  bool has_base = true;
  if (base == rsp) {  // a second byte: scale, index, base
    const auto byte = take<std::uint8_t>();
    const unsigned index = (byte >> 3 & 7U) | ((rex_ & rex_x) != 0 ? 8U : 0U);
    if (index != rsp) address += at.general[index] << (byte >> 6);
    base = byte & 7U;
    has_base = base != rbp || mode != 0;
    if (!has_base) address += static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>()});
  } else if (base == rbp && mode == 0) {
    const auto way = take<std::int32_t>();
    has_base = false;
    address += reinterpret_cast<std::uint64_t>(at.pc) + immediate_bytes + static_cast<std::uint64_t>(std::int64_t{way});
  }
  if (has_base) address += at.general[base | ((rex_ & rex_b) != 0 ? 8U : 0U)];
  if (mode == 1) address += static_cast<std::uint64_t>(std::int64_t{take<std::int8_t>()});
  if (mode == 2) address += static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>()});
  return reinterpret_cast<std::byte*>(address);
}

std::uint64_t Instruction::take_immediate() {
  switch (size) {
    case 1:
      return static_cast<std::uint64_t>(std::int64_t{take<std::int8_t>()});
    case 2:
      return static_cast<std::uint64_t>(std::int64_t{take<std::int16_t>()});
    default:
      return static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>()});
  }
}

std::uint64_t Instruction::general(unsigned number, unsigned bytes) const {
  if (bytes == 1 && rex_ == 0 && number >= 4) return at.general[number - 4] >> 8 & 0xFF;  // ah, ch, dh, bh
  return at.general[number] & mask_of(bytes);
}

void Instruction::set_general(unsigned number, std::uint64_t value, unsigned bytes) {
  if (bytes >= 4) {
    at.general[number] = value & mask_of(bytes);
    return;
  }
  const bool is_high = bytes == 1 && rex_ == 0 && number >= 4;
  std::uint64_t& whole = at.general[is_high ? number - 4 : number];
  const unsigned shift = is_high ? 8 : 0;
  whole = (whole & ~(mask_of(bytes) << shift)) | (value & mask_of(bytes)) << shift;
}

Vector Instruction::other_vector(std::size_t bytes) const {
  Vector value;
  std::memcpy(value.bytes.data(), is_register ? at.vector[rm].bytes.data() : memory, bytes);
  return value;
}

void Instruction::push(std::uint64_t value) {
  at.general[rsp] -= sizeof value;
  store(reinterpret_cast<void*>(at.general[rsp]), value, sizeof value);
}

std::uint64_t Instruction::pop() {
  const auto value = load<std::uint64_t>(reinterpret_cast<const void*>(at.general[rsp]));
  at.general[rsp] += sizeof value;
  return value;
}

void Instruction::set_result(std::uint64_t result) {
  at.flags.zero = (result & mask_of(size)) == 0;
  at.flags.sign = (result & sign_of(size)) != 0;
  at.flags.parity_of = static_cast<std::uint8_t>(result);
}

std::uint64_t Instruction::add(std::uint64_t a, std::uint64_t b, bool carry) {
  a &= mask_of(size), b &= mask_of(size);
  const std::uint64_t sum = (a + b + (carry ? 1 : 0)) & mask_of(size);
  at.flags.carry = sum < a || (carry && sum == a);
  at.flags.overflow = ((a ^ sum) & (b ^ sum) & sign_of(size)) != 0;
  set_result(sum);
  return sum;
}

std::uint64_t Instruction::subtract(std::uint64_t a, std::uint64_t b, bool borrow) {
  a &= mask_of(size), b &= mask_of(size);
  const std::uint64_t difference = (a - b - (borrow ? 1 : 0)) & mask_of(size);
  at.flags.carry = a < b || (borrow && a == b);
  at.flags.overflow = ((a ^ b) & (a ^ difference) & sign_of(size)) != 0;
  set_result(difference);
  return difference;
}

std::uint64_t Instruction::logic(std::uint64_t result) {
  at.flags.carry = at.flags.overflow = false;
  set_result(result);
  return result;
}

}  // namespace sanvp::native::interpreted
