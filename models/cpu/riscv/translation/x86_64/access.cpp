/// Loads and stores of integer registers.
#include "models/cpu/riscv/translation/x86_64/access.hpp"

#include <bit>

namespace sanvp::riscv::x86_64 {
namespace {

x86::Gp address_of(Code& code, const Op& op) {
  const auto offset = static_cast<std::int32_t>(op.immediate);
  if (op.rs1 == 0) {
    code.constant(x86::rax, op.immediate);
    return x86::rax;
  }
  const x86::Gp base = code.value(op.rs1, x86::rax);
  if (offset != 0) code.a.lea(x86::rax, x86::ptr(base, offset));
  return offset != 0 ? x86::rax : base;
}

}  // namespace

x86::Mem checked(Code& code, const Op& op, std::uint32_t bytes, Permission needed) {
  x86::Assembler& a = code.a;
  const x86::Gp address = address_of(code, op), page = x86::rcx;
  const int alignment_bits = std::countr_zero(bytes);
  if (code.has_bmi2 && bytes > 1) {
    a.rorx(page, address, alignment_bits);
  } else {
    a.mov(page, address);
    if (bytes > 1) a.ror(page, alignment_bits);
  }
  a.shr(page, static_cast<int>(page_bits) - alignment_bits);
  a.cmp(page, static_cast<std::int32_t>(code.pages));
  a.jae(code.bail());
  a.test(x86::byte_ptr(permissions_register, page), static_cast<int>(needed));
  a.jz(code.bail());
  if (code.caches != nullptr) code.follow(address, needed == writable);
  return x86::Mem(memory_register, address, 0, 0, bytes);
}

namespace {

template <std::uint32_t bytes, bool is_signed>
void load(Code& code, const Op& op) {
  const x86::Mem memory = checked(code, op, bytes, readable);
  if (op.rd == discarded) return;
  const x86::Gp result = code.target(op.rd);
  if (bytes == 8)
    code.a.mov(result, memory);
  else if (bytes == 4 && is_signed)
    code.a.movsxd(result, memory);
  else if (bytes == 4)
    code.a.mov(result.r32(), memory);
  else if (is_signed)
    code.a.movsx(result, memory);
  else
    code.a.movzx(result.r32(), memory);
  code.store(op.rd, result);
}

template <std::uint32_t bytes>
void store(Code& code, const Op& op) {
  const x86::Mem memory = checked(code, op, bytes, writable);
  if (op.rs2 == 0)
    code.a.mov(memory, 0);
  else
    code.a.mov(memory, part(code.value(op.rs2, x86::rcx), bytes));
}

Rule load_rule(unsigned funct3, void (*emit)(Code&, const Op&)) {
  return {.match = fixed_3(0x03, funct3).match,
          .emit = emit,
          .rd = Field::integer,
          .rs1 = Field::integer,
          .accesses = true};
}
Rule store_rule(unsigned funct3, void (*emit)(Code&, const Op&)) {
  return {.match = fixed_3(0x23, funct3).match,
          .emit = emit,
          .rs1 = Field::integer,
          .rs2 = Field::integer,
          .accesses = true};
}

std::vector<Rule> all() {
  return {load_rule(0, load<1, true>),  load_rule(1, load<2, true>),  load_rule(2, load<4, true>),
          load_rule(3, load<8, true>),  load_rule(4, load<1, false>), load_rule(5, load<2, false>),
          load_rule(6, load<4, false>), store_rule(0, store<1>),      store_rule(1, store<2>),
          store_rule(2, store<4>),      store_rule(3, store<8>)};
}

const Registration<RuleSet> registration{{"accesses", "loads and stores of integer registers", all()}};

}  // namespace
}  // namespace sanvp::riscv::x86_64
