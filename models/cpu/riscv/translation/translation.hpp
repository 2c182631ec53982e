/// Blocks of RV64 programs that run often become code of the host. Results, times, counters and faults are those of the
/// interpreter, which executes everything else.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>

#include "models/cpu/riscv/blocks.hpp"

namespace sanvp::riscv {

/// Translated code that processes share. A block becomes code when all of them together have run it often, and every
/// process whose own blocks are the same runs that code.
class SharedCode {
 public:
  /// Null if translation is not available.
  static std::shared_ptr<SharedCode> make();

  SharedCode() = default;
  virtual ~SharedCode() = default;
  SharedCode(const SharedCode&) = delete;
  SharedCode& operator=(const SharedCode&) = delete;
};

struct TranslationSettings {
  std::uint64_t after_runs = 1000;  ///< of a block, before it is translated: by all processes that share code
  std::size_t most_code_bytes = std::size_t{2} << 20;  ///< of a process; beyond it, all is dropped
  std::optional<cpu::CachesSettings> caches{};         ///< of the harts' CPUs; needed if Stalls::has_caches is set
  bool uses_bmi2 = true, uses_fma = true;              ///< instructions of the host, if it has them
  std::shared_ptr<SharedCode> shared{};                ///< with other processes; null: with none
};

class Translation {
 public:
  using Word = std::uint64_t;

  /// Why this simulator cannot translate; null: it can.
  static const char* unavailable();
  /// Null if it is not available.
  /// @param blocks  of the process; outlives the translation
  static std::unique_ptr<Translation> make(const Memory& memory, Blocks<Word>& blocks,
                                           const TranslationSettings& settings);

  Translation() = default;
  virtual ~Translation() = default;
  Translation(const Translation&) = delete;
  Translation& operator=(const Translation&) = delete;

  /// Why translated code has ended.
  struct Outcome {
    Block<Word>* block = nullptr;  ///< that ended by `exit`; null: the interpreter continues at the hart's pc
    Exit exit = Exit::next;
  };
  /// Runs code from this block on, which has some, until the hart has retired `limit` instructions or the interpreter
  /// must continue.
  virtual Outcome run(Hart64& hart, const Block<Word>& block, std::uint64_t limit) = 0;
  /// A block has run often: it is translated, with its successors, or proposed again after more runs, or never.
  virtual void translate(Block<Word>& block) = 0;
  /// Adds to blocks the runs that their code has counted.
  virtual void count_runs() = 0;
  /// These blocks are about to be dropped.
  virtual void drop(const std::set<const Block<Word>*>& gone) = 0;
};

}  // namespace sanvp::riscv
