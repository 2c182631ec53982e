/// Decoded basic blocks of a process, shared by its harts.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "models/cpu/costs/instruction_costs.hpp"
#include "models/cpu/riscv/decoder.hpp"

namespace sanvp::riscv {

/// Costs in time beside the prices of instructions.
struct Stalls {
  bool has_caches = false;            ///< each hart has some (Hart::caches)
  bool fetches = false;               ///< instructions go through them, too
  std::int64_t misprediction_ps = 0;  ///< of a conditional branch, on average
  bool is_observed = false;           ///< no time, but each hart reports accesses to certain pages (Hart::observed)
};

/// Addresses [begin, end) of code.
struct CodeRange {
  std::uint64_t begin = 0, end = 0;

  bool contains(std::uint64_t pc) const { return begin <= pc && pc < end; }
};

/// Instructions up to a branch, a jump, a system instruction or the end of a page.
template <class Word>
struct Block {
  Word pc = 0;
  std::vector<Operation<Word>> operations{};  ///< the last one holds the address after the block
  std::uint32_t instructions = 0;
  std::int64_t price_ps = 0;
  std::uint64_t runs = 0;
  std::array<Block*, successors> next{};  ///< where control went last, by exit: to be compared with the pc
  Word end = 0;
  const void* code = nullptr;      ///< its entry in translated code (translation/), if it has one
  std::uint64_t translate_at = 0;  ///< runs
  bool is_writable = false;        ///< so that its code may change without a system call
  std::array<std::uint8_t, cpu::instruction_classes> counts{};
};

/// An operation that holds its hart.
template <class Word>
Exit hold(Hart<Word>& hart, const Operation<Word>* operation) {
  return hart.stop(operation, Exit::held);
}

template <class Word>
class Blocks {
 public:
  static constexpr unsigned most_instructions = 64;
  /// Memory of all blocks together: 100 MB, for a million instructions, as large programs execute. A program that jumps
  /// into the middle of its instructions would have a block for each halfword of its code.
  static constexpr std::size_t most_operations = std::size_t{1} << 22;
  static constexpr std::size_t operations_of_block = 8;  ///< as many as take the memory of a block without any

  /// @param costs  instruction costs of the machine's CPU
  Blocks(const Memory& memory, const cpu::InstructionCosts& costs, const Stalls& stalls = {});

  const Stalls& stalls() const { return stalls_; }

  /// Blocks in this code that are decoded from now on have separate prices.
  void set_library(const CodeRange& code, const cpu::InstructionCosts& costs) {
    library_ = code;
    library_costs_ = costs;
  }

  /// From now on blocks have other prices, also those that are decoded; their translations are dropped. Harts may be
  /// in their midst: they have paid.
  void reprice(const cpu::InstructionCosts& costs, const cpu::InstructionCosts& libraries,
               std::int64_t misprediction_ps);

  /// The block that starts there, decoded if need be. If nothing can be fetched, its operation fails.
  Block<Word>* at(Word pc) {
    Block<Word>* const recent = recent_[slot(pc)];
    return recent->pc == pc ? recent : find(pc);
  }
  /// The block that starts there if it is decoded, or null.
  Block<Word>* known(Word pc) const {
    const auto found = blocks_.find(pc);
    return found == blocks_.end() ? nullptr : found->second.get();
  }
  /// A block at no address: its successors are looked up.
  Block<Word>* none() { return &none_; }

  /// Forgets the blocks whose code the program may have changed (fence.i).
  void drop_writable();
  /// Forgets the blocks that overlap this range, or end at it: its permissions or contents change.
  void drop(std::uint64_t address, std::uint64_t bytes);
  /// Whether blocks take more memory of the simulating computer than they may.
  bool has_too_many() const { return operations_ > most_operations && !keeps_all_; }
  /// Called by a hart between two blocks. What has been executed stays counted.
  void drop_all();
  /// From now on harts may be held in the middle of blocks, by a debugger.
  void keep_all() { keeps_all_ = true; }

  /// Blocks that are decoded from now on are proposed for translation after so many runs.
  void translate_after(std::uint64_t runs) { translate_after_ = runs; }
  /// Called with blocks that are about to be dropped.
  void on_drop(std::function<void(const std::set<const Block<Word>*>&)> call) { on_drop_ = std::move(call); }

  /// An operation at a breakpoint holds its hart. Blocks are the same as without it.
  void set_breakpoint(Word pc);
  void clear_breakpoint(Word pc);
  bool has_breakpoints() const { return !breakpoints_.empty(); }
  bool has_breakpoint(Word pc) const { return breakpoints_.contains(pc); }
  /// An operation of a block as it is without a breakpoint.
  Operation<Word> original(const Operation<Word>& operation) const;

  /// Called before runs are read: translated code counts its own.
  void before_count(std::function<void()> call) { before_count_ = std::move(call); }

  /// Time of the first operations of a block, up to this one.
  std::int64_t price_before(const Block<Word>& block, const Operation<Word>* operation);
  /// Executed instructions by class. Blocks that were left in their middle count in full.
  cpu::InstructionCounts executed() const;
  /// The same by block address; dropped blocks are counted at 0, where no block begins.
  std::map<std::uint64_t, cpu::InstructionCounts> executed_by_block() const;
  std::size_t size() const { return blocks_.size(); }

 private:
  static std::size_t slot(Word pc) { return (pc >> 1) % recent_blocks; }
  Block<Word>* find(Word pc);
  Block<Word> decode(Word pc) const;
  std::int32_t price(const Block<Word>& block, cpu::Code code, Word target) const;
  std::int64_t computed_price_before(const Block<Word>& block, const Operation<Word>* operation) const;
  cpu::Values carried_around(Word pc, Word end) const;
  void append(Block<Word>& block, typename Operation<Word>::Run run, Word immediate) const;
  template <class Test>
  void drop_if(Test test);
  void arm(Block<Word>& block, Word pc);
  void count(const Block<Word>& block, cpu::InstructionCounts& sums) const;
  const cpu::InstructionCosts& costs_at(Word pc) const { return library_.contains(pc) ? library_costs_ : costs_; }

  static constexpr std::size_t recent_blocks = 2048;

  const Memory& memory_;
  cpu::InstructionCosts costs_;
  CodeRange library_;
  cpu::InstructionCosts library_costs_;
  Stalls stalls_;
  Block<Word> none_;
  std::unordered_map<Word, std::unique_ptr<Block<Word>>> blocks_;
  std::size_t operations_ = 0;  ///< of all blocks, with operations_of_block for each
  bool keeps_all_ = false;
  std::vector<Block<Word>*> recent_;  ///< by low bits of the pc
  std::set<Word> breakpoints_;
  std::unordered_map<const Operation<Word>*, typename Operation<Word>::Run> armed_;  ///< without the breakpoint
  /// Prices in blocks that are not writable: an access to a device ends its block early each time.
  std::unordered_map<const Operation<Word>*, std::int64_t> prices_before_;
  std::uint64_t translate_after_ = ~std::uint64_t{0};
  std::function<void(const std::set<const Block<Word>*>&)> on_drop_;
  std::function<void()> before_count_;
  cpu::InstructionCounts dropped_{};  ///< executed in blocks that have been dropped
};

}  // namespace sanvp::riscv
