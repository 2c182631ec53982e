/// The regions of a process.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "models/cpu/riscv/translation/translation.hpp"
#include "models/cpu/riscv/translation/x86_64/emit.hpp"

namespace sanvp::riscv {
namespace x86_64 {
namespace {

constexpr std::uint64_t never = ~std::uint64_t{0};

/// Offsets of pages are compared as signed numbers of 32 bits.
constexpr std::uint64_t most_pages = std::uint64_t{1} << 31;

/// Links outlive regions. So many take some MB.
constexpr std::size_t most_links = 1 << 16;

struct Translated {
  std::vector<Block64*> blocks{};
  std::vector<std::unique_ptr<std::array<Op, 2>>> pairs{};  ///< its code refers to them
  const std::byte* code = nullptr;
  std::size_t bytes = 0;
};

class Translator final : public Translation {
 public:
  Translator(const Memory& memory, Blocks64& blocks, const TranslationSettings& settings)
      : memory_(memory),
        blocks_(blocks),
        settings_(settings),
        caches_(followed(blocks.stalls(), settings)),
        stubs_(make_stubs(runtime_, caches())),
        targets_(recent_targets) {
    blocks_.translate_after(can_translate() ? settings.after_runs : never);
  }
  ~Translator() override { forget_all(); }

  Outcome run(Hart64& hart, const Block64& block, std::uint64_t limit) override {
    constexpr std::uint64_t most = std::uint64_t{1} << 62;  // the counter stays negative
    const std::uint64_t budget = std::min(limit - hart.retired, most);
    targets_[slot_of(block.pc)] = {block.pc, block.code};  // another block may have had the place
    if (!caches_) return stubs_.enter(hart, block.code, -static_cast<std::int64_t>(budget), hart.retired + budget);
    hart.data_lines = hart.caches->data_lines();
    hart.instruction_lines = hart.caches->instruction_lines();
    const Outcome outcome = stubs_.enter(hart, block.code, -static_cast<std::int64_t>(budget), hart.retired + budget);
    hart.caches->count(std::exchange(hart.data_accesses, 0), std::exchange(hart.fetched_lines, 0));
    return outcome;
  }

  void translate(Block64& block) override {
    if (code_bytes_ > settings_.most_code_bytes || links_.size() > most_links) forget_all();
    std::unique_ptr<Translated> translated;
    if (block.instructions != 0) translated = make(region_from(block, blocks_));
    if (translated == nullptr) {
      block.translate_at = never;
      return;
    }
    code_bytes_ += translated->bytes;
    regions_.push_back(std::move(translated));
  }

  void drop(const std::set<const Block64*>& gone) override {
    const auto is_gone = [&](const Block64* block) { return gone.contains(block); };
    std::erase_if(regions_, [&](const std::unique_ptr<Translated>& region) {
      if (std::none_of(region->blocks.begin(), region->blocks.end(), is_gone)) return false;
      forget(*region);
      return true;
    });
  }

 private:
  static std::optional<FollowedCaches> followed(const Stalls& stalls, const TranslationSettings& settings) {
    if (!stalls.has_caches) return std::nullopt;
    return FollowedCaches(settings.caches.value(), stalls.fetches);
  }
  const FollowedCaches* caches() const { return caches_ ? &*caches_ : nullptr; }
  bool can_translate() const { return stubs_.enter != nullptr && memory_.window().pages < most_pages; }

  std::unique_ptr<Translated> make(std::vector<Block64*> blocks) {
    asmjit::CodeHolder holder;
    holder.init(runtime_.environment());
    const Registers registers(blocks, caches_ && caches_->use_rdx());
    Code code(holder, registers, memory_.window().pages, settings_, caches());
    const std::vector<Label> entries =
        emit(code, blocks, {stubs_, targets_.data(), [this](Word pc) { return &link(pc); }});
    std::byte* begin = nullptr;
    if (code.failed() || runtime_.add(&begin, &holder) != asmjit::kErrorOk) return nullptr;
    for (std::size_t i = 0; i < blocks.size(); ++i) give(*blocks[i], begin + holder.labelOffset(entries[i]));
    return std::make_unique<Translated>(Translated{std::move(blocks), code.take_pairs(), begin, holder.codeSize()});
  }

  const void*& link(Word pc) {
    std::unique_ptr<const void*>& place = links_[pc];
    if (place == nullptr) {
      const Block64* const block = blocks_.known(pc);
      const bool has_code = block != nullptr && block->code != nullptr;
      place = std::make_unique<const void*>(has_code ? block->code : stubs_.leave);
    }
    return *place;
  }

  void give(Block64& block, const void* code) {
    block.code = code;
    if (const auto found = links_.find(block.pc); found != links_.end()) *found->second = code;
    targets_[slot_of(block.pc)] = {block.pc, code};
  }
  void take(Block64& block) {
    block.code = nullptr;
    block.translate_at = block.runs + settings_.after_runs;
    if (const auto found = links_.find(block.pc); found != links_.end()) *found->second = stubs_.leave;
    Target& target = targets_[slot_of(block.pc)];
    if (target.pc == block.pc) target = {};
  }

  void forget(const Translated& region) {
    for (Block64* block : region.blocks) take(*block);
    code_bytes_ -= region.bytes;
    runtime_.release(region.code);
  }
  void forget_all() {
    for (const auto& region : regions_) forget(*region);
    regions_.clear();
    links_.clear();
  }

  asmjit::JitRuntime runtime_;
  const Memory& memory_;
  Blocks64& blocks_;
  TranslationSettings settings_;
  std::optional<FollowedCaches> caches_;
  Stubs stubs_;
  std::vector<Target> targets_;
  std::vector<std::unique_ptr<Translated>> regions_;
  std::unordered_map<Word, std::unique_ptr<const void*>> links_;  ///< what jumps out of regions go through
  std::size_t code_bytes_ = 0;
};

}  // namespace
}  // namespace x86_64

const char* Translation::unavailable() { return nullptr; }

std::unique_ptr<Translation> Translation::make(const Memory& memory, Blocks<Word>& blocks,
                                               const TranslationSettings& settings) {
  // Without a first level of instructions each fetch is a miss.
  if (blocks.stalls().fetches && cpu::Caches::instructions_shape(settings.caches.value()).bytes == 0) return nullptr;
  return std::make_unique<x86_64::Translator>(memory, blocks, settings);
}

}  // namespace sanvp::riscv
