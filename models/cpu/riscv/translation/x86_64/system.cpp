/// Accesses of fflags, frm and fcsr, which end their blocks: the interpreter's function makes them, and the code
/// continues. The counters are the interpreter's, for which the hart has to be up to date.
#include "models/cpu/riscv/translation/x86_64/code.hpp"
#include "models/cpu/riscv/translation/x86_64/rules.hpp"

namespace sanvp::riscv::x86_64 {
namespace {

void access(Code& code, const Op& op) {
  constexpr unsigned fflags = 0x001, fcsr = 0x003;
  const unsigned number = op.immediate & 0xFFF;
  if (number >= fflags && number <= fcsr)
    code.call_interpreter();
  else
    code.a.jmp(code.bail());
}

std::vector<Rule> all() {
  std::vector<Rule> rules;
  for (const unsigned funct3 : {1U, 2U, 3U, 5U, 6U, 7U})
    rules.push_back({.match = fixed_3(0x73, funct3).match, .emit = access});
  return rules;
}

const Registration<RuleSet> registration{{"system", "control registers of the FPU", all()}};

}  // namespace
}  // namespace sanvp::riscv::x86_64
