/// How instructions are translated. A file registers the rules of some instructions; instructions without a rule are
/// executed by the interpreter's function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/cpu/riscv/instruction.hpp"
#include "models/cpu/riscv/translation/x86_64/region.hpp"

namespace sanvp::riscv::x86_64 {

class Code;

/// What a field of registers means.
enum class Field : std::uint8_t { none, integer, floating };

enum class Control : std::uint8_t { none, branch, jump, indirect };

struct Rule {
  std::uint32_t match = 0;  ///< of the instruction's encoding
  /// Null for jumps, which the end of a block is made of.
  void (*emit)(Code& code, const Op& op) = nullptr;
  Field rd = Field::none, rs1 = Field::none, rs2 = Field::none, rs3 = Field::none;
  Control control = Control::none;
  bool host_rounds = false;  ///< as the host's FPU does: not in all rounding modes
  bool truncates = false;    ///< translated only with this rounding mode
  bool accesses = false;     ///< memory, which caches follow
};

struct RuleSet {
  static constexpr const char* kind() { return "translation to x86-64"; }
  std::string name;
  std::string summary;
  std::vector<Rule> rules{};
};

/// The rule of an operation; null if it has none and the interpreter has to execute it.
const Rule* rule_of(const Op& op);

}  // namespace sanvp::riscv::x86_64
