#include "models/cpu/riscv/translation/x86_64/region.hpp"

#include <algorithm>

#include "models/cpu/riscv/translation/x86_64/rules.hpp"

namespace sanvp::riscv::x86_64 {
namespace {

constexpr std::size_t most_blocks = 48;
constexpr std::size_t most_operations = 600;
/// A block that runs more seldom than its head by this factor makes no loop slower from outside.
constexpr std::uint64_t rare = 64;

/// A successor that may join a region, or null.
Block64* candidate(const std::optional<Word>& pc, const Block64& head, const Blocks64& blocks) {
  if (!pc) return nullptr;
  Block64* const block = blocks.known(*pc);
  if (block == nullptr || block->code != nullptr || block->instructions == 0) return nullptr;
  return block->runs >= head.runs / rare && block->runs != 0 ? block : nullptr;
}

}  // namespace

Successors successors_of(const Block64& block) {
  const std::size_t count = block.operations.size();
  const Word after = block.operations.back().immediate;
  if (count < 2) return {};
  const Op& last = block.operations[count - 2];
  const Rule* const rule = rule_of(last);
  const Control control = rule == nullptr ? Control::none : rule->control;
  switch (control) {
    case Control::branch:
      return {last.immediate, after};
    case Control::jump:
      return {last.immediate, std::nullopt};
    case Control::indirect: {
      const Word last_target = block.next[static_cast<unsigned>(Exit::indirect)]->pc;
      return {last_target % 2 == 0 ? std::optional(last_target) : std::nullopt, std::nullopt};
    }
    case Control::none:
      return {std::nullopt, after};  // where a system instruction ends it, nothing is translated that goes there
  }
  return {};
}

std::vector<Block64*> region_from(Block64& head, Blocks64& blocks) {
  std::vector<Block64*> region;
  std::vector<Block64*> open{&head};
  std::size_t operations = 0;
  while (!open.empty() && region.size() < most_blocks && operations < most_operations) {
    Block64* const block = open.back();
    open.pop_back();
    if (std::find(region.begin(), region.end(), block) != region.end()) continue;
    region.push_back(block);
    operations += block->operations.size();
    const Successors to = successors_of(*block);
    Block64* first = candidate(to.not_taken, head, blocks);
    Block64* second = candidate(to.taken, head, blocks);
    if (first != nullptr && second != nullptr && first->runs < second->runs) std::swap(first, second);
    if (second != nullptr) open.push_back(second);
    if (first != nullptr) open.push_back(first);
  }
  return region;
}

}  // namespace sanvp::riscv::x86_64
