#include "models/cpu/riscv/interpreter.hpp"

#include "models/cpu/riscv/floating/host_fpu.hpp"

namespace sanvp::riscv {
namespace {

template <class Word>
Exit execute(Hart<Word>& hart, Block<Word>& block) {
  hart.retired += block.instructions;
  hart.time_ps += block.price_ps;
  ++block.runs;
  const Operation<Word>* const first = block.operations.data();
  return first->run(hart, first);
}

}  // namespace

template <class Word>
Stop Interpreter<Word>::run(Hart<Word>& hart, std::uint64_t budget) {
  const FpuLease<Word> lease(hart);
  const std::uint64_t limit = hart.retired + budget;
  Block<Word>* block = blocks_.at(hart.pc);
  while (hart.retired < limit) {
    const Exit exit = execute(hart, *block);
    if (exit <= Exit::indirect) [[likely]] {
      Block<Word>*& next = block->next[static_cast<unsigned>(exit)];
      if (next->pc != hart.pc) [[unlikely]]
        next = blocks_.at(hart.pc);
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

template <class Word>
Stop Interpreter<Word>::step(Hart<Word>& hart) {
  const FpuLease<Word> lease(hart);
  Block<Word>* const block = blocks_.single(hart.pc);
  const Exit exit = execute(hart, *block);
  if (exit <= Exit::indirect) return Stop::budget;
  if (exit != Exit::changed_code) return stopped(hart, *block, exit);
  blocks_.drop_writable();
  return Stop::budget;
}

/// Takes back the instructions of the block that were not executed.
template <class Word>
Stop Interpreter<Word>::stopped(Hart<Word>& hart, const Block<Word>& block, Exit exit) const {
  if (exit == Exit::environment_call) return Stop::environment_call;
  std::uint64_t executed = 0;
  for (const Operation<Word>& operation : block.operations) {
    if (&operation == hart.stopped) break;
    executed += operation.instructions;
  }
  hart.retired -= block.instructions - executed;
  hart.time_ps -= block.price_ps - blocks_.price_before(block, hart.stopped);
  hart.pc = block.pc + hart.stopped->offset;
  return exit == Exit::breakpoint ? Stop::breakpoint : Stop::fault;
}

template class Interpreter<std::uint32_t>;
template class Interpreter<std::uint64_t>;

}  // namespace sanvp::riscv
