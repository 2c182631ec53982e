/// Upper halves of products, and divisions. They take rdx, which may hold a register of the program.
#include "models/cpu/riscv/translation/x86_64/code.hpp"
#include "models/cpu/riscv/translation/x86_64/stubs.hpp"

namespace sanvp::riscv::x86_64 {
namespace {

void save_rdx(Code& code) {
  if (code.registers.uses_rdx()) code.a.mov(x86::qword_ptr(x86::rsp, saved_slot), x86::rdx);
}
void restore_rdx(Code& code) {
  if (code.registers.uses_rdx()) code.a.mov(x86::rdx, x86::qword_ptr(x86::rsp, saved_slot));
}

/// mulh, mulhu.
template <bool is_signed>
void high(Code& code, const Op& op) {
  if (op.rd == discarded) return;
  save_rdx(code);
  code.load(x86::rcx, op.rs2);
  code.load(x86::rax, op.rs1);
  if (is_signed)
    code.a.imul(x86::rcx);
  else
    code.a.mul(x86::rcx);
  code.a.mov(x86::rcx, x86::rdx);
  restore_rdx(code);
  code.store(op.rd, x86::rcx);
}

/// The interpreter handles what the host would trap for: division by zero, and of the least number by -1.
template <bool is_signed, bool remainder, std::uint32_t bytes>
void divide(Code& code, const Op& op) {
  if (op.rd == discarded) return;
  x86::Assembler& a = code.a;
  code.load(x86::rcx, op.rs2, bytes);
  a.test(part(x86::rcx, bytes), part(x86::rcx, bytes));
  a.jz(code.bail());
  if (is_signed) {
    a.cmp(part(x86::rcx, bytes), -1);
    a.je(code.bail());
  }
  save_rdx(code);
  code.load(x86::rax, op.rs1, bytes);
  if (is_signed) {
    if (bytes == 8)
      a.cqo();
    else
      a.cdq();
    a.idiv(part(x86::rcx, bytes));
  } else {
    a.xor_(x86::edx, x86::edx);
    a.div(part(x86::rcx, bytes));
  }
  if (remainder) a.mov(x86::rax, x86::rdx);
  if (bytes == 4) a.movsxd(x86::rax, x86::eax);
  restore_rdx(code);
  code.store(op.rd, x86::rax);
}

Rule rule(unsigned opcode, unsigned funct3, void (*emit)(Code&, const Op&)) {
  return {fixed_37(opcode, funct3, 1).match, emit, Field::integer, Field::integer, Field::integer};
}

std::vector<Rule> all() {
  constexpr unsigned op = 0x33, op_32 = 0x3B;
  return {rule(op, 1, high<true>),
          rule(op, 3, high<false>),
          rule(op, 4, divide<true, false, 8>),
          rule(op, 5, divide<false, false, 8>),
          rule(op, 6, divide<true, true, 8>),
          rule(op, 7, divide<false, true, 8>),
          rule(op_32, 4, divide<true, false, 4>),
          rule(op_32, 5, divide<false, false, 4>),
          rule(op_32, 6, divide<true, true, 4>),
          rule(op_32, 7, divide<false, true, 4>)};
}

const Registration<RuleSet> registration{{"divisions", "divisions and upper halves of products", all()}};

}  // namespace
}  // namespace sanvp::riscv::x86_64
