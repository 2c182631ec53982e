#include "models/cpu/riscv/interpreter.hpp"

#include <type_traits>
#include <utility>

#include "models/cpu/caches/caches.hpp"
#include "models/cpu/riscv/floating/host_fpu.hpp"

namespace sanvp::riscv {
namespace {

template <class Word>
void charge(Hart<Word>& hart, Block<Word>& block) {
  hart.retired += block.instructions;
  hart.time_ps += block.price_ps;
  ++block.runs;
}

template <class Word>
void fetch(Hart<Word>& hart, const Block<Word>& block) {
  hart.time_ps += hart.caches->fetch(block.pc, block.end);
}

template <bool fetches, class Word>
Exit execute(Hart<Word>& hart, Block<Word>& block) {
  charge(hart, block);
  if constexpr (fetches) fetch(hart, block);
  const Operation<Word>* const first = block.operations.data();
  return first->run(hart, first);
}

}  // namespace

template <class Word>
Stop Interpreter<Word>::run(Hart<Word>& hart, std::uint64_t budget) {
  const Stop stop = run_and_hold(hart, budget);
  if (stop == Stop::fault || stop == Stop::breakpoint) leave(hart);
  return stop;
}

template <class Word>
Stop Interpreter<Word>::step(Hart<Word>& hart) {
  const Stop stop = step_and_hold(hart);
  if (stop == Stop::fault || stop == Stop::breakpoint) leave(hart);
  return stop;
}

template <class Word>
void Interpreter<Word>::translate(const TranslationSettings& settings) {
  if constexpr (std::is_same_v<Word, Translation::Word>) {
    if (translation_ != nullptr) return;
    translation_ = Translation::make(memory_, blocks_, settings);
    if (translation_ == nullptr) return;
    blocks_.on_drop([to = translation_.get()](const std::set<const Block<Word>*>& gone) { to->drop(gone); });
    blocks_.before_count([from = translation_.get()] { from->count_runs(); });
  }
}

template <class Word>
[[gnu::noinline]] void Interpreter<Word>::translate_block(Block<Word>& block) {
  const FpuReturn host;
  if constexpr (std::is_same_v<Word, Translation::Word>) translation_->translate(block);
}

template <class Word>
Stop Interpreter<Word>::run_and_hold(Hart<Word>& hart, std::uint64_t budget) {
  hart.pc &= ~Word{1};  // the register that the system or a debugger has written has no such bit
  const bool fetches = blocks_.stalls().fetches;
  if constexpr (std::is_same_v<Word, Translation::Word>) {
    const bool is_translated = translation_ != nullptr && !blocks_.has_breakpoints();
    if (is_translated && fetches) return run_blocks<Way::translated_with_fetches>(hart, budget);
    if (is_translated) return run_blocks<Way::translated>(hart, budget);
  }
  return fetches ? run_blocks<Way::with_fetches>(hart, budget) : run_blocks<Way::plain>(hart, budget);
}

template <class Word>
template <typename Interpreter<Word>::Way way>
Stop Interpreter<Word>::run_blocks(Hart<Word>& hart, std::uint64_t budget) {
  constexpr bool fetches = way == Way::with_fetches || way == Way::translated_with_fetches;
  const FpuLease<Word> lease(hart);
  const std::uint64_t limit = hart.retired + budget;
  if (hart.left.block != nullptr) [[unlikely]]
    if (const auto stop = finish(hart)) return *stop;
  Block<Word>* block = blocks_.at(hart.pc);
  while (hart.retired < limit) {
    Exit exit = Exit::next;
    if constexpr (way == Way::translated || way == Way::translated_with_fetches) {
      if (block->code == nullptr && block->runs >= block->translate_at) [[unlikely]]
        translate_block(*block);
      if (block->code != nullptr) {
        const Translation::Outcome outcome = translation_->run(hart, *block, limit);
        block = outcome.block != nullptr ? outcome.block : blocks_.at(hart.pc);
        if (outcome.block == nullptr) continue;
        exit = outcome.exit;
      } else {
        exit = execute<fetches>(hart, *block);
      }
    } else {
      exit = execute<fetches>(hart, *block);
    }
    if (exit <= Exit::indirect) [[likely]] {
      Block<Word>*& next = block->next[static_cast<unsigned>(exit)];
      if (next->pc != hart.pc) [[unlikely]] {
        next = blocks_.at(hart.pc);
        if (blocks_.has_too_many()) [[unlikely]] {
          blocks_.drop_all();
          block = blocks_.at(hart.pc);
          continue;
        }
      }
      block = next;
    } else if (exit == Exit::changed_code) {
      blocks_.drop_writable();
      block = blocks_.at(hart.pc);
    } else {
      return stopped(hart, *block, exit);
    }
  }
  return Stop::budget;
}

/// Executes the operation at which a hart is held, without a breakpoint there, and none after it.
template <class Word>
Exit Interpreter<Word>::execute_one(Hart<Word>& hart, const Left<Word>& at) const {
  const std::vector<Operation<Word>>& operations = at.block->operations;
  std::array<Operation<Word>, 2> one{blocks_.original(operations[at.operation]), operations[at.operation + 1]};
  one[1].run = hold<Word>;
  const Exit exit = one[0].run(hart, one.data());
  hart.stopped = &operations[at.operation];
  return exit;
}

/// Executes the rest of the block in which a hart is held. @returns why it stopped within it
template <class Word>
std::optional<Stop> Interpreter<Word>::finish(Hart<Word>& hart) {
  const Left<Word> left = std::exchange(hart.left, {});
  Exit exit = execute_one(hart, left);
  if (exit == Exit::held) {
    const Operation<Word>& next = left.block->operations[left.operation + 1];
    exit = next.run(hart, &next);
  }
  return ended(hart, *left.block, exit);
}

template <class Word>
Stop Interpreter<Word>::step_and_hold(Hart<Word>& hart) {
  const FpuLease<Word> lease(hart);
  hart.pc &= ~Word{1};
  if (hart.left.block == nullptr) {
    hart.left = {blocks_.at(hart.pc), 0};
    charge(hart, *hart.left.block);
    if (blocks_.stalls().fetches) fetch(hart, *hart.left.block);
  }
  const Left<Word> left = std::exchange(hart.left, {});
  Exit exit = execute_one(hart, left);
  if (exit == Exit::held) {
    const Operation<Word>& next = left.block->operations[left.operation + 1];
    if (next.instructions != 0) {
      hart.left = {left.block, left.operation + 1};
      hart.pc = left.block->pc + next.offset;
      return Stop::budget;
    }
    exit = next.run(hart, &next);
  }
  return ended(hart, *left.block, exit).value_or(Stop::budget);
}

/// A block that was held has ended by this exit. @returns why the hart stopped, if it did
template <class Word>
std::optional<Stop> Interpreter<Word>::ended(Hart<Word>& hart, Block<Word>& block, Exit exit) {
  if (exit <= Exit::indirect) return std::nullopt;
  if (exit != Exit::changed_code) return stopped(hart, block, exit);
  blocks_.drop_writable();
  return std::nullopt;
}

template <class Word>
Stop Interpreter<Word>::stopped(Hart<Word>& hart, Block<Word>& block, Exit exit) const {
  if (exit == Exit::environment_call) return Stop::environment_call;
  hart.left = {&block, static_cast<std::size_t>(hart.stopped - block.operations.data())};
  hart.pc = block.pc + hart.stopped->offset;
  if (exit == Exit::held) return Stop::held;
  return exit == Exit::breakpoint ? Stop::breakpoint : Stop::fault;
}

template <class Word>
typename Interpreter<Word>::Ahead Interpreter<Word>::ahead(const Hart<Word>& hart) {
  if (hart.left.block == nullptr) return {};
  const Block<Word>& block = *hart.left.block;
  std::uint64_t executed = 0;
  for (std::size_t i = 0; i < hart.left.operation; ++i) executed += block.operations[i].instructions;
  return {block.instructions - executed,
          block.price_ps - blocks_.price_before(block, &block.operations[hart.left.operation])};
}

template <class Word>
void Interpreter<Word>::leave(Hart<Word>& hart) {
  const Ahead rest = ahead(hart);
  hart.retired -= rest.instructions;
  hart.time_ps -= rest.time_ps;
  hart.left = {};
}

template class Interpreter<std::uint32_t>;
template class Interpreter<std::uint64_t>;

}  // namespace sanvp::riscv
