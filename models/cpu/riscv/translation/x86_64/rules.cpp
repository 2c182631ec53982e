#include "models/cpu/riscv/translation/x86_64/rules.hpp"

#include <unordered_map>

namespace sanvp::riscv::x86_64 {
namespace {

/// A decoded operation is identified by its function. Instructions that share a function do the same.
std::unordered_map<Op::Run, Rule> rules_by_function() {
  std::unordered_map<std::uint32_t, Rule> by_match;
  for (const auto& [name, set] : Registry<RuleSet>::all())
    for (const Rule& rule : set.rules) by_match.emplace(rule.match, rule);
  std::unordered_map<Op::Run, Rule> rules;
  for (const auto& [name, extension] : Registry<Extension>::all())
    for (const Instruction<Word>& row : extension.rv64)
      if (const auto rule = by_match.find(row.encoding.match); rule != by_match.end()) {
        for (const auto run : {row.run, row.run_with_caches})
          if (run != nullptr) rules.emplace(run, rule->second);
      }
  return rules;
}

}  // namespace

const Rule* rule_of(const Op& op) {
  static const std::unordered_map<Op::Run, Rule> rules = rules_by_function();
  const auto found = rules.find(op.run);
  if (found == rules.end()) return nullptr;
  if (found->second.truncates && op.rounding != toward_zero) return nullptr;
  // The host rounds to nearest almost always: software executes these operations only, not the rest of their block.
  if (found->second.host_rounds && op.rounding != nearest_even && op.rounding != dynamic_rounding) return nullptr;
  return &found->second;
}

}  // namespace sanvp::riscv::x86_64
