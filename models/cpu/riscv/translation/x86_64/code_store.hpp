/// Translated regions, for every process that has the same blocks: their code refers to a process by a table alone
/// (emit).
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/cpu/riscv/translation/translation.hpp"
#include "models/cpu/riscv/translation/x86_64/stubs.hpp"

namespace sanvp::riscv::x86_64 {

/// A block as it was translated.
struct Source {
  Word pc = 0;
  std::uint32_t instructions = 0;
  std::int64_t price_ps = 0;
  std::vector<Op> operations{};

  explicit Source(const Block64& block)
      : pc(block.pc), instructions(block.instructions), price_ps(block.price_ps), operations(block.operations) {}
  bool is_of(const Block64& block) const {
    return pc == block.pc && instructions == block.instructions && price_ps == block.price_ps &&
           operations == block.operations;
  }
};

struct RegionCode {
  std::vector<Source> blocks{};
  std::vector<const void*> entries{};                       ///< of each block
  std::vector<Word> exits{};                                ///< where its ways out lead
  std::vector<std::unique_ptr<std::array<Op, 2>>> pairs{};  ///< its code refers to them
  std::byte* code = nullptr;
  std::size_t bytes = 0;
};

class CodeStore : public std::enable_shared_from_this<CodeStore> {
 public:
  /// @param pages  of the processes' windows
  CodeStore(std::uint64_t pages, const Stalls& stalls, const TranslationSettings& settings);

  /// Whether its code is right for such processes.
  bool serves(std::uint64_t pages, const Stalls& stalls, const TranslationSettings& settings) const;
  const Stubs& stubs() const { return stubs_; }
  bool follows_accesses() const { return caches_.has_value(); }

  /// A region that a process has, that contains this block, and whose blocks are all decoded and equal here; or null.
  std::shared_ptr<const RegionCode> find(const Block64& block, const Blocks64& blocks) const;
  /// Code for these blocks; null: there is no memory for it, or one of them cannot be translated. It lasts for as long
  /// as a process has it.
  std::shared_ptr<const RegionCode> make(const std::vector<Block64*>& blocks);
  /// A process has run the block at this address so often. @returns whether that makes it worth a translation, with
  /// what others have said; they start from zero then
  bool is_hot(Word pc, std::uint64_t runs);

 private:
  const FollowedCaches* caches() const { return caches_ ? &*caches_ : nullptr; }
  void release(const RegionCode& region);

  asmjit::JitRuntime runtime_;
  std::uint64_t pages_;
  TranslationSettings settings_;
  std::optional<FollowedCaches> caches_;
  Stubs stubs_;
  std::unordered_map<Word, std::vector<std::weak_ptr<const RegionCode>>> regions_;  ///< by address of each block
  std::unordered_map<Word, std::uint64_t> runs_;
};

/// The store for such processes: the shared one, or one of the process's own.
std::shared_ptr<CodeStore> store_for(std::uint64_t pages, const Stalls& stalls, const TranslationSettings& settings);

}  // namespace sanvp::riscv::x86_64
