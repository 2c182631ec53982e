/// Blocks of RV64 programs that run often become code of the host. Results, times, counters and faults are those of the
/// interpreter, which executes everything else.
#pragma once

#include <cstddef>
#include <memory>
#include <set>

#include "models/cpu/riscv/blocks.hpp"

namespace sanvp::riscv {

struct TranslationSettings {
  std::uint64_t after_runs = 1000;                     ///< of a block, before it is translated
  std::size_t most_code_bytes = std::size_t{2} << 20;  ///< of a process; if there is more, all is forgotten
  Sample sample{};                             ///< of lines that go through caches, if there are some
  bool uses_bmi2 = true, uses_fma = true;              ///< instructions of the host, where it has them
};

class Translation {
 public:
  using Word = std::uint64_t;

  /// Why this simulator cannot translate; null: it can.
  static const char* unavailable();
  /// Null where it is not available.
  /// @param blocks  of the process; outlives the translation
  static std::unique_ptr<Translation> make(const Memory& memory, Blocks<Word>& blocks,
                                           const TranslationSettings& settings);

  Translation() = default;
  virtual ~Translation() = default;
  Translation(const Translation&) = delete;
  Translation& operator=(const Translation&) = delete;

  /// Why translated code has ended.
  struct Outcome {
    Block<Word>* block = nullptr;  ///< that ended by `exit`; null: the hart is at a pc where the interpreter goes on
    Exit exit = Exit::next;
  };
  /// Runs code from this block on, which has some, until the hart has retired `limit` instructions or the interpreter
  /// has to go on.
  virtual Outcome run(Hart64& hart, const Block<Word>& block, std::uint64_t limit) = 0;
  /// A block has run often: it gets code, with its successors, or is asked for never again.
  virtual void translate(Block<Word>& block) = 0;
  /// These blocks are about to go.
  virtual void drop(const std::set<const Block<Word>*>& gone) = 0;
};

}  // namespace sanvp::riscv
