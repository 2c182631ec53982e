/// Integer operations: functions of registers and constants.
#include "models/cpu/riscv/translation/x86_64/code.hpp"

namespace sanvp::riscv::x86_64 {
namespace {

std::int32_t immediate(const Op& op) { return static_cast<std::int32_t>(op.immediate); }

void extend(Code& code, const x86::Gp& result) { code.a.movsxd(result, result.r32()); }

/// rd = rs1 <id> rs2.
template <InstId id, bool commutes, std::uint32_t bytes>
void binary(Code& code, const Op& op) {
  if (op.rd == discarded) return;
  unsigned first = op.rs1, second = op.rs2;
  if (commutes && second == op.rd) std::swap(first, second);
  const bool overwrites = second == op.rd && first != op.rd && code.registers.has_integer(op.rd);
  const x86::Gp result = overwrites ? x86::Gp(x86::rax) : code.target(op.rd);
  code.load(result, first, bytes);
  code.a.emit(id, part(result, bytes), code.operand(second, bytes));
  if constexpr (bytes == 4) extend(code, result);
  code.store(op.rd, result);
}

/// rd = rs1 <id> immediate.
template <InstId id, std::uint32_t bytes>
void with_immediate(Code& code, const Op& op) {
  if (op.rd == discarded) return;
  const x86::Gp result = code.target(op.rd);
  code.load(result, op.rs1, bytes);
  code.a.emit(id, part(result, bytes), immediate(op));
  if constexpr (bytes == 4) extend(code, result);
  code.store(op.rd, result);
}

/// addi is also `li` and `mv`.
void add_immediate(Code& code, const Op& op) {
  if (op.rd == discarded) return;
  if (op.rs1 == 0) {
    code.store_constant(op.rd, op.immediate);
  } else if (op.immediate == 0) {
    code.store(op.rd, code.value(op.rs1, x86::rax));
  } else if (op.rs1 != op.rd && code.registers.has_integer(op.rs1)) {
    const x86::Gp result = code.target(op.rd);
    code.a.lea(result, x86::ptr(code.registers.integer(op.rs1), immediate(op)));
    code.store(op.rd, result);
  } else {
    with_immediate<Id::kIdAdd, 8>(code, op);
  }
}

/// addiw is also `sext.w`.
void add_immediate_32(Code& code, const Op& op) {
  if (op.immediate != 0 || op.rs1 == 0) return with_immediate<Id::kIdAdd, 4>(code, op);
  if (op.rd == discarded) return;
  const x86::Gp result = code.target(op.rd);
  code.a.emit(Id::kIdMovsxd, result, code.operand(op.rs1, 4));
  code.store(op.rd, result);
}

void load_constant(Code& code, const Op& op) { code.store_constant(op.rd, op.immediate); }

template <InstId id, std::uint32_t bytes>
void shift_immediate(Code& code, const Op& op) {
  if (op.rd == discarded) return;
  const x86::Gp result = code.target(op.rd);
  code.load(result, op.rs1, bytes);
  code.a.emit(id, part(result, bytes), static_cast<int>(op.immediate % (8 * bytes)));
  if constexpr (bytes == 4) extend(code, result);
  code.store(op.rd, result);
}

/// The host takes the same bits of the distance as the program's processor.
template <InstId id, InstId of_bmi2, std::uint32_t bytes>
void shift(Code& code, const Op& op) {
  if (op.rd == discarded) return;
  if (code.has_bmi2) {
    const x86::Gp result = code.target(op.rd), distance = code.value(op.rs2, x86::rcx);
    code.a.emit(of_bmi2, part(result, bytes), code.operand(op.rs1, bytes), part(distance, bytes));
    if constexpr (bytes == 4) extend(code, result);
    code.store(op.rd, result);
    return;
  }
  code.load(x86::rcx, op.rs2);
  code.load(x86::rax, op.rs1, bytes);
  code.a.emit(id, part(x86::rax, bytes), x86::cl);
  if constexpr (bytes == 4) extend(code, x86::rax);
  code.store(op.rd, x86::rax);
}

void store_condition(Code& code, const Op& op, x86::CondCode condition) {
  const x86::Gp result = code.target(op.rd);
  code.a.set(condition, x86::al);
  code.a.movzx(result.r32(), x86::al);
  code.store(op.rd, result);
}

template <bool is_signed>
void set_less(Code& code, const Op& op) {
  if (op.rd == discarded) return;
  const x86::Gp first = code.value(op.rs1, x86::rax);
  code.a.emit(Id::kIdCmp, first, code.operand(op.rs2));
  store_condition(code, op, is_signed ? x86::CondCode::kL : x86::CondCode::kB);
}

template <bool is_signed>
void set_less_immediate(Code& code, const Op& op) {
  if (op.rd == discarded) return;
  code.a.cmp(code.value(op.rs1, x86::rax), immediate(op));
  store_condition(code, op, is_signed ? x86::CondCode::kL : x86::CondCode::kB);
}

void nothing(Code&, const Op&) {}

constexpr unsigned op_registers = 0x33, op_immediate = 0x13, op_32 = 0x3B, op_immediate_32 = 0x1B;

Rule of_registers(unsigned opcode, unsigned funct3, unsigned funct7, void (*emit)(Code&, const Op&)) {
  return {fixed_37(opcode, funct3, funct7).match, emit, Field::integer, Field::integer, Field::integer};
}
Rule of_immediate(unsigned opcode, unsigned funct3, void (*emit)(Code&, const Op&), unsigned funct7 = 0) {
  return {fixed_37(opcode, funct3, funct7).match, emit, Field::integer, Field::integer};
}

std::vector<Rule> of_64_bits() {
  return {of_registers(op_registers, 0, 0, binary<Id::kIdAdd, true, 8>),
          of_registers(op_registers, 0, 0x20, binary<Id::kIdSub, false, 8>),
          of_registers(op_registers, 4, 0, binary<Id::kIdXor, true, 8>),
          of_registers(op_registers, 6, 0, binary<Id::kIdOr, true, 8>),
          of_registers(op_registers, 7, 0, binary<Id::kIdAnd, true, 8>),
          of_registers(op_registers, 0, 1, binary<Id::kIdImul, true, 8>),
          of_registers(op_registers, 1, 0, shift<Id::kIdShl, Id::kIdShlx, 8>),
          of_registers(op_registers, 5, 0, shift<Id::kIdShr, Id::kIdShrx, 8>),
          of_registers(op_registers, 5, 0x20, shift<Id::kIdSar, Id::kIdSarx, 8>),
          of_registers(op_registers, 2, 0, set_less<true>),
          of_registers(op_registers, 3, 0, set_less<false>),
          of_immediate(op_immediate, 0, add_immediate),
          of_immediate(op_immediate, 2, set_less_immediate<true>),
          of_immediate(op_immediate, 3, set_less_immediate<false>),
          of_immediate(op_immediate, 4, with_immediate<Id::kIdXor, 8>),
          of_immediate(op_immediate, 6, with_immediate<Id::kIdOr, 8>),
          of_immediate(op_immediate, 7, with_immediate<Id::kIdAnd, 8>),
          of_immediate(op_immediate, 1, shift_immediate<Id::kIdShl, 8>),
          of_immediate(op_immediate, 5, shift_immediate<Id::kIdShr, 8>),
          of_immediate(op_immediate, 5, shift_immediate<Id::kIdSar, 8>, 0x20)};
}

std::vector<Rule> of_32_bits() {
  return {of_registers(op_32, 0, 0, binary<Id::kIdAdd, true, 4>),
          of_registers(op_32, 0, 0x20, binary<Id::kIdSub, false, 4>),
          of_registers(op_32, 0, 1, binary<Id::kIdImul, true, 4>),
          of_registers(op_32, 1, 0, shift<Id::kIdShl, Id::kIdShlx, 4>),
          of_registers(op_32, 5, 0, shift<Id::kIdShr, Id::kIdShrx, 4>),
          of_registers(op_32, 5, 0x20, shift<Id::kIdSar, Id::kIdSarx, 4>),
          of_immediate(op_immediate_32, 0, add_immediate_32),
          of_immediate(op_immediate_32, 1, shift_immediate<Id::kIdShl, 4>),
          of_immediate(op_immediate_32, 5, shift_immediate<Id::kIdShr, 4>),
          of_immediate(op_immediate_32, 5, shift_immediate<Id::kIdSar, 4>, 0x20)};
}

std::vector<Rule> others() {
  return {{fixed_opcode(0x37).match, load_constant, Field::integer},
          {fixed_opcode(0x17).match, load_constant, Field::integer},
          {fixed_3(0x0F, 0).match, nothing}};  // fence: harts take turns
}

std::vector<Rule> all() {
  std::vector<Rule> rules = of_64_bits();
  for (const Rule& rule : of_32_bits()) rules.push_back(rule);
  for (const Rule& rule : others()) rules.push_back(rule);
  return rules;
}

const Registration<RuleSet> registration{{"integers", "functions of integer registers and constants", all()}};

}  // namespace
}  // namespace sanvp::riscv::x86_64
