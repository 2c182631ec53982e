/// Branches and jumps: here only what they read and write; the end of a block makes code of them (emit).
#include "models/cpu/riscv/translation/x86_64/rules.hpp"

namespace sanvp::riscv::x86_64 {
namespace {

Rule branch(unsigned funct3) {
  Rule rule{.match = fixed_3(0x63, funct3).match, .rs1 = Field::integer, .rs2 = Field::integer};
  rule.control = Control::branch;
  return rule;
}

std::vector<Rule> all() {
  Rule jump{.match = fixed_opcode(0x6F).match, .rd = Field::integer};
  jump.control = Control::jump;
  Rule indirect{.match = fixed_3(0x67, 0).match, .rd = Field::integer, .rs1 = Field::integer};
  indirect.control = Control::indirect;
  return {branch(0), branch(1), branch(4), branch(5), branch(6), branch(7), jump, indirect};
}

const Registration<RuleSet> registration{{"control", "branches and jumps", all()}};

}  // namespace
}  // namespace sanvp::riscv::x86_64
