#include "models/cpu/riscv/translation/x86_64/registers.hpp"

#include <algorithm>
#include <numeric>

namespace sanvp::riscv::x86_64 {
namespace {

/// rdx is needed by multiplications and divisions, which save it: it comes last.
constexpr std::array<x86::Gp, 8> integer_registers{x86::rsi, x86::rdi, x86::r8,  x86::r9,
                                                   x86::r10, x86::r11, x86::rbp, x86::rdx};
constexpr unsigned first_floating_register = 2, floating_registers = 14;

struct Uses {
  std::uint64_t weight = 0;  ///< how often it is used at run time
  unsigned places = 0;       ///< in the code
};
using UsesOfFile = std::array<Uses, 32>;

void add(UsesOfFile& uses, unsigned number, std::uint64_t runs) {
  if (number >= uses.size()) return;
  uses[number].weight += runs;
  ++uses[number].places;
}

/// Numbers of registers that are worth a place of their own, the most used one first.
std::vector<unsigned> by_use(const UsesOfFile& uses, unsigned first) {
  std::vector<unsigned> numbers;
  for (unsigned number = first; number < uses.size(); ++number)
    if (uses[number].places > 1) numbers.push_back(number);  // else it is where it is as well
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](unsigned a, unsigned b) { return uses[a].weight > uses[b].weight; });
  return numbers;
}

}  // namespace

Registers::Registers(const std::vector<Block64*>& region, bool keeps_rdx) : uses_rdx_(keeps_rdx) {
  UsesOfFile integers{}, floatings{};
  for (const Block64* block : region)
    for (const Op& op : block->operations) {
      const Rule* const rule = rule_of(op);
      if (rule == nullptr) continue;
      const auto use = [&](Field field, unsigned number) {
        if (field == Field::integer) add(integers, number, block->runs);
        if (field == Field::floating) add(floatings, number, block->runs);
      };
      use(rule->rs1, op.rs1);
      use(rule->rs2, op.rs2);
      use(rule->rs3, op.rs3);
      use(rule->rd, op.rd);
      if (rule->rd == Field::integer && op.rd != discarded) written_integers_[op.rd] = true;
      if (rule->rd == Field::floating) written_floatings_[op.rd] = true;
    }
  const std::size_t free_registers = integer_registers.size() - (keeps_rdx ? 1 : 0);
  std::size_t next = 0;
  for (const unsigned number : by_use(integers, 1)) {
    if (next == free_registers) break;
    uses_rdx_ = uses_rdx_ || integer_registers[next] == x86::rdx;
    integer_[number] = integer_registers[next++];
  }
  next = 0;
  for (const unsigned number : by_use(floatings, 0)) {
    if (next == floating_registers) break;
    floating_[number] = x86::xmm(static_cast<std::uint32_t>(first_floating_register + next++));
  }
}

}  // namespace sanvp::riscv::x86_64
