#include "models/cpu/riscv/blocks.hpp"

#include <utility>

#include "models/cpu/riscv/floating/host_fpu.hpp"

namespace sanvp::riscv {
namespace {

template <class Word>
Exit run_on(Hart<Word>& hart, const Operation<Word>* operation) {
  hart.pc = operation->immediate;
  return Exit::next;
}

template <class Word>
Exit fail_to_fetch(Hart<Word>& hart, const Operation<Word>* operation) {
  return hart.fail(operation, Cause::fetch_fault, operation->immediate);
}

struct Fetched {
  std::uint32_t word = 0;
  unsigned bytes = 0;         ///< 0: it could not be fetched
  std::uint64_t refused = 0;  ///< address, if so
};

Fetched fetch(const Window& window, std::uint64_t pc) {
  if (!window.permits(pc, 2, executable)) return {0, 0, window.first_refused(pc, 2, executable)};
  const auto first = load_from<std::uint16_t>(window, pc);
  if (instruction_bytes(first) == 2) return {first, 2};
  if (!window.permits(pc + 2, 2, executable)) return {0, 0, pc + 2};
  return {load_from<std::uint32_t>(window, pc), 4};
}

/// Adds the operations of an instruction. A processor without fused multiply-adds multiplies while it waits for the
/// addend: x0 stands for the product, as no instruction depends on it.
template <class Word>
void append_steps(const typename Decoder<Word>::Decoded& decoded, const cpu::InstructionCosts& costs,
                  std::vector<cpu::Step>& steps) {
  steps.push_back(decoded.step);
  if (decoded.of_class != HAL_FLOAT_FUSED || costs.pipeline == nullptr || costs.pipeline->has_fused()) return;
  constexpr cpu::Values product = 1;
  const auto floating = [](std::uint8_t number) { return cpu::Values{1} << (number + 32); };
  cpu::Step sum = decoded.step;
  sum.of_class = HAL_FLOAT_ADD;
  sum.reads = floating(decoded.operation.rs3) | product;
  steps.back().of_class = HAL_FLOAT_MULTIPLY;
  steps.back().reads = floating(decoded.operation.rs1) | floating(decoded.operation.rs2);
  steps.back().writes = product;
  steps.push_back(sum);
}

}  // namespace

template <class Word>
Blocks<Word>::Blocks(const Memory& memory, const cpu::InstructionCosts& costs, const Stalls& stalls)
    : memory_(memory), costs_(costs), stalls_(stalls), recent_(recent_blocks, &none_) {
  none_.pc = 1;  // no instruction has an odd address
}

template <class Word>
void Blocks<Word>::append(Block<Word>& block, typename Operation<Word>::Run run, Word immediate) const {
  Operation<Word> operation;
  operation.run = run;
  operation.immediate = immediate;
  operation.instructions = 0;
  operation.offset = static_cast<std::uint16_t>(immediate - block.pc);
  block.operations.push_back(operation);
}

template <class Word>
Block<Word> Blocks<Word>::decode(Word pc) const {
  const Decoder<Word>& decoder = Decoder<Word>::of_all_extensions();
  const Window& window = memory_.window();
  Block<Word> block{.pc = pc};
  block.translate_at = translate_after_;
  block.next.fill(const_cast<Block<Word>*>(&none_));
  Word at = pc;
  Word target = 0;  // of the branch at its end
  bool ends = false;
  cpu::Code code;
  while (!ends && block.instructions < most_instructions && at >> page_bits == pc >> page_bits) {
    const Fetched fetched = fetch(window, at);
    if (fetched.bytes == 0) {
      if (at == pc) {
        append(block, fail_to_fetch<Word>, static_cast<Word>(fetched.refused));
        block.operations.back().offset = 0;
      }
      break;
    }
    auto decoded = decoder.decode(fetched.word, at);
    decoded.operation.offset = static_cast<std::uint16_t>(at - pc);
    if (stalls_.is_observed)
      decoded.operation.run = decoded.run_observed;
    else if (stalls_.has_caches)
      decoded.operation.run = decoded.run_with_caches;
    if (decoded.is_conditional) {
      block.price_ps = stalls_.misprediction_ps;
      target = decoded.operation.immediate;
    }
    append_steps<Word>(decoded, costs_at(pc), code.steps);
    block.operations.push_back(decoded.operation);
    ++block.counts[decoded.of_class];
    ++block.instructions;
    at += fetched.bytes;
    ends = decoded.ends_block;
  }
  append(block, run_on<Word>, at);
  block.end = at;
  const auto may_change = [&](std::uint64_t address) {
    const std::uint64_t page = address >> page_bits;
    return page < window.pages && (window.permissions[page] & (writable | withheld | untouched)) != 0;
  };
  block.is_writable = may_change(pc) || (at > pc && may_change(at - 1));
  count(block, code.counts);
  block.price_ps += price(block, std::move(code), target);
  return block;
}

/// The price of a block's instructions. @param target  of the conditional branch at its end, or 0
template <class Word>
std::int32_t Blocks<Word>::price(const Block<Word>& block, cpu::Code code, Word target) const {
  const cpu::InstructionCosts& costs = costs_at(block.pc);
  if (costs.pipeline == nullptr) return costs.price_ps(code.counts);
  const std::int32_t apart = costs.price_ps(code);
  code.repeats = target == block.pc && !code.steps.empty();
  code.carried = cpu::passed_through(code.steps);
  const std::int32_t joined = code.carried == 0 ? apart : costs.price_ps(code);
  if (code.repeats || joined == apart) return joined;
  code.carried &= carried_around(block.pc, block.end);
  return costs.price_ps(code);
}

/// What the loop around code at [pc, end) passes from one iteration to the next: that of the next branch back to its
/// start or before. Nothing if none is near.
template <class Word>
cpu::Values Blocks<Word>::carried_around(Word pc, Word end) const {
  constexpr Word most_bytes = 2048;
  const Decoder<Word>& decoder = Decoder<Word>::of_all_extensions();
  const auto decode_at = [&](Word at, unsigned& bytes) {
    const Fetched fetched = fetch(memory_.window(), at);
    bytes = fetched.bytes;
    return decoder.decode(fetched.word, at);
  };
  unsigned bytes = 0;
  for (Word at = pc; at - pc < most_bytes; at += bytes) {
    const auto decoded = decode_at(at, bytes);
    if (bytes == 0) return 0;
    const Word target = decoded.operation.immediate;
    const bool leads_back = decoded.is_branch && target <= pc && pc - target < most_bytes && at + bytes >= end;
    if (!leads_back) continue;
    std::vector<cpu::Step> steps;
    const Word after = at + bytes;
    for (Word inside = target; inside < after; inside += bytes) {
      steps.push_back(decode_at(inside, bytes).step);
      if (bytes == 0) return 0;
    }
    return cpu::passed_through(steps);
  }
  return 0;
}

template <class Word>
Block<Word>* Blocks<Word>::find(Word pc) {
  std::unique_ptr<Block<Word>>& block = blocks_[pc];
  if (block == nullptr) {
    const FpuReturn host;  // prices need arithmetic
    block = std::make_unique<Block<Word>>(decode(pc));
    operations_ += block->operations.size() + operations_of_block;
    for (auto at = breakpoints_.lower_bound(pc); at != breakpoints_.end() && *at < block->end; ++at) arm(*block, *at);
  }
  recent_[slot(pc)] = block.get();
  return block.get();
}

template <class Word>
void Blocks<Word>::reprice(const cpu::InstructionCosts& costs, const cpu::InstructionCosts& libraries,
                           std::int64_t misprediction_ps) {
  costs_ = costs;
  library_costs_ = libraries;
  stalls_.misprediction_ps = misprediction_ps;
  prices_before_.clear();
  std::set<const Block<Word>*> all;
  for (const auto& [pc, block] : blocks_) {
    block->price_ps = decode(pc).price_ps;
    all.insert(block.get());
  }
  if (on_drop_ && !all.empty()) on_drop_(all);
}

template <class Word>
template <class Test>
void Blocks<Word>::drop_if(Test test) {
  std::set<const Block<Word>*> gone;
  for (const auto& [pc, block] : blocks_)
    if (test(*block)) gone.insert(block.get());
  if (gone.empty()) return;
  if (on_drop_) on_drop_(gone);
  const auto forget = [&](Block<Word>*& block) {
    if (gone.contains(block)) block = &none_;
  };
  for (Block<Word>*& recent : recent_) forget(recent);
  for (const auto& [pc, block] : blocks_)
    for (Block<Word>*& next : block->next) forget(next);
  for (const Block<Word>* block : gone) {
    operations_ -= block->operations.size() + operations_of_block;
    for (std::size_t i = 0; i < dropped_.size(); ++i) dropped_[i] += block->runs * block->counts[i];
    if (armed_.empty() && prices_before_.empty()) continue;
    for (const Operation<Word>& operation : block->operations) {
      armed_.erase(&operation);
      prices_before_.erase(&operation);
    }
  }
  std::erase_if(blocks_, [&](const auto& entry) { return gone.contains(entry.second.get()); });
}

template <class Word>
void Blocks<Word>::drop_writable() {
  drop_if([](const Block<Word>& block) { return block.is_writable; });
}

template <class Word>
void Blocks<Word>::drop_all() {
  drop_if([](const Block<Word>&) { return true; });
}

template <class Word>
void Blocks<Word>::drop(std::uint64_t address, std::uint64_t bytes) {
  // One without bytes could not be fetched, and may be now; so may the second half of an instruction behind a block.
  constexpr Word half = 2;
  drop_if([=](const Block<Word>& block) {
    return block.pc - address < bytes || (block.pc < address && block.end + half >= address);
  });
}

template <class Word>
void Blocks<Word>::set_breakpoint(Word pc) {
  if (!breakpoints_.insert(pc).second) return;
  for (const auto& [at, block] : blocks_) arm(*block, pc);
}

/// Has the block's operation at a breakpoint hold, if it has one there.
template <class Word>
void Blocks<Word>::arm(Block<Word>& block, Word pc) {
  if (pc < block.pc || pc >= block.end) return;
  for (Operation<Word>& operation : block.operations)
    if (operation.instructions != 0 && block.pc + operation.offset == pc)
      armed_[&operation] = std::exchange(operation.run, hold<Word>);
}

template <class Word>
Operation<Word> Blocks<Word>::original(const Operation<Word>& operation) const {
  Operation<Word> original = operation;
  if (const auto armed = armed_.find(&operation); armed != armed_.end()) original.run = armed->second;
  return original;
}

template <class Word>
void Blocks<Word>::clear_breakpoint(Word pc) {
  if (breakpoints_.erase(pc) == 0) return;
  for (const auto& [at, block] : blocks_) {
    if (pc < block->pc || pc >= block->end) continue;
    for (Operation<Word>& operation : block->operations) {
      const auto armed = block->pc + operation.offset == pc ? armed_.find(&operation) : armed_.end();
      if (armed == armed_.end()) continue;
      operation.run = armed->second;
      armed_.erase(armed);
    }
  }
}

template <class Word>
void Blocks<Word>::count(const Block<Word>& block, cpu::InstructionCounts& sums) const {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += block.counts[i];
}

template <class Word>
std::int64_t Blocks<Word>::price_before(const Block<Word>& block, const Operation<Word>* operation) {
  if (block.is_writable) return computed_price_before(block, operation);
  constexpr std::size_t most = std::size_t{1} << 16;  // some MB: a program with a handler can fail anywhere
  if (prices_before_.size() >= most) prices_before_.clear();
  const auto [known, is_new] = prices_before_.try_emplace(operation);
  if (is_new) known->second = computed_price_before(block, operation);
  return known->second;
}

template <class Word>
std::int64_t Blocks<Word>::computed_price_before(const Block<Word>& block, const Operation<Word>* operation) const {
  cpu::Code code;  // without what its loop carries, so that it costs no more than the block
  for (const Operation<Word>& before : block.operations) {
    if (&before == operation) break;
    const Fetched fetched = fetch(memory_.window(), block.pc + before.offset);
    if (fetched.bytes == 0) continue;
    const auto decoded = Decoder<Word>::of_all_extensions().decode(fetched.word, block.pc);
    ++code.counts[decoded.of_class];
    append_steps<Word>(decoded, costs_at(block.pc), code.steps);
  }
  return costs_at(block.pc).price_ps(code);
}

template <class Word>
cpu::InstructionCounts Blocks<Word>::executed() const {
  if (before_count_) before_count_();
  cpu::InstructionCounts sums = dropped_;
  for (const auto& [pc, block] : blocks_)
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += block->runs * block->counts[i];
  return sums;
}

template <class Word>
std::map<std::uint64_t, cpu::InstructionCounts> Blocks<Word>::executed_by_block() const {
  if (before_count_) before_count_();
  std::map<std::uint64_t, cpu::InstructionCounts> executed{{0, dropped_}};
  for (const auto& [pc, block] : blocks_) {
    if (block->runs == 0) continue;
    cpu::InstructionCounts& counts = executed[pc];
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += block->runs * block->counts[i];
  }
  return executed;
}

template class Blocks<std::uint32_t>;
template class Blocks<std::uint64_t>;

}  // namespace sanvp::riscv
