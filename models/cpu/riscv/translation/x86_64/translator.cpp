/// The regions of a process.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "models/cpu/riscv/translation/x86_64/code_store.hpp"
#include "models/cpu/riscv/translation/x86_64/emit.hpp"

namespace sanvp::riscv {
namespace x86_64 {
namespace {

constexpr std::uint64_t never = ~std::uint64_t{0};

/// Offsets of pages are compared as signed numbers of 32 bits.
constexpr std::uint64_t most_pages = std::uint64_t{1} << 31;

/// Links outlive regions. So many take some MB.
constexpr std::size_t most_links = 1 << 16;

/// Processes that share code ask for it after the first 16th of the runs, a fourth, and all.
constexpr std::uint64_t parts = 16, times_more = 4;

/// A region in this process.
struct Translated {
  std::shared_ptr<const RegionCode> region{};
  std::vector<Block64*> blocks{};
  std::vector<std::uint64_t> table{};  ///< what the code refers to (code.hpp)
  std::vector<Entry> entries{};        ///< of each block

  void count_runs() {
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i]->runs += std::exchange(table[place_of_runs(i)], 0);
  }
};

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

class Translator final : public Translation {
 public:
  Translator(const Memory& memory, Blocks64& blocks, const TranslationSettings& settings)
      : memory_(memory),
        blocks_(blocks),
        settings_(settings),
        store_(store_for(memory.window().pages, blocks.stalls(), settings)),
        targets_(recent_targets) {
    const std::uint64_t first =
        settings.shared == nullptr ? settings.after_runs : (settings.after_runs + parts - 1) / parts;
    blocks_.translate_after(can_translate() ? first : never);
  }
  ~Translator() override { forget_all(); }

  Outcome run(Hart64& hart, const Block64& block, std::uint64_t limit) override {
    constexpr std::uint64_t most = std::uint64_t{1} << 62;  // the counter stays negative
    const std::uint64_t budget = std::min(limit - hart.retired, most);
    const Entry* const entry = entry_of(block);
    const auto enter = [&] {
      return store_->stubs().enter(hart, *entry, -static_cast<std::int64_t>(budget), hart.retired + budget);
    };
    targets_[slot_of(block.pc)] = {block.pc, entry};  // another block may have had the place
    if (!store_->follows_accesses()) return enter();
    hart.data_lines = hart.caches->data_lines();
    hart.instruction_lines = hart.caches->instruction_lines();
    const Outcome outcome = enter();
    hart.caches->count(std::exchange(hart.data_accesses, 0), std::exchange(hart.fetched_lines, 0));
    return outcome;
  }

  void translate(Block64& block) override {
    if (code_bytes_ > settings_.most_code_bytes || links_.size() > most_links) forget_all();
    std::shared_ptr<const RegionCode> region;
    if (block.instructions != 0) {
      region = store_->find(block, blocks_);
      if (region == nullptr && !store_->is_hot(block.pc, block.runs)) {
        block.translate_at = block.runs < settings_.after_runs ? std::min(times_more * block.runs, settings_.after_runs)
                                                               : block.runs + settings_.after_runs;
        return;
      }
      if (region == nullptr) region = store_->make(region_from(block, blocks_));
    }
    if (region == nullptr)
      block.translate_at = never;
    else
      adopt(std::move(region));
  }

  void count_runs() override {
    for (auto& [code, region] : regions_) region.count_runs();
  }

  void drop(const std::set<const Block64*>& gone) override {
    const auto is_gone = [&](const Block64* block) { return gone.contains(block); };
    for (auto at = regions_.begin(); at != regions_.end();) {
      Translated& region = at->second;
      const bool stays = std::none_of(region.blocks.begin(), region.blocks.end(), is_gone);
      if (!stays) forget(region);
      at = stays ? std::next(at) : regions_.erase(at);
    }
  }

 private:
  bool can_translate() const { return store_->stubs().enter != nullptr && memory_.window().pages < most_pages; }

  /// From now on the process runs this code.
  void adopt(std::shared_ptr<const RegionCode> region) {
    const auto [place, is_new] = regions_.try_emplace(region.get());
    Translated& own = place->second;
    if (is_new) {
      for (const Source& block : region->blocks) own.blocks.push_back(blocks_.at(block.pc));
      own.table.push_back(address_of(targets_.data()));
      for (const Block64* block : own.blocks) own.table.insert(own.table.end(), {0, address_of(block)});
      for (const Word pc : region->exits) own.table.push_back(address_of(&link(pc)));
      for (const void* code : region->entries) own.entries.push_back({code, own.table.data()});
      code_bytes_ += region->bytes;
      own.region = std::move(region);
    }
    for (std::size_t i = 0; i < own.blocks.size(); ++i)  // others keep what they have from another region
      if (own.blocks[i]->code == nullptr) give(*own.blocks[i], own.entries[i]);
  }

  static const Entry* entry_of(const Block64& block) { return static_cast<const Entry*>(block.code); }

  Entry& link(Word pc) {
    std::unique_ptr<Entry>& place = links_[pc];
    if (place == nullptr) {
      const Block64* const block = blocks_.known(pc);
      const bool has_code = block != nullptr && block->code != nullptr;
      place = std::make_unique<Entry>(has_code ? *entry_of(*block) : Entry{store_->stubs().leave});
    }
    return *place;
  }

  void give(Block64& block, const Entry& entry) {
    block.code = &entry;
    if (const auto found = links_.find(block.pc); found != links_.end()) *found->second = entry;
    targets_[slot_of(block.pc)] = {block.pc, &entry};
  }
  void take(Block64& block) {
    block.code = nullptr;
    block.translate_at = block.runs + settings_.after_runs;
    if (const auto found = links_.find(block.pc); found != links_.end()) *found->second = {store_->stubs().leave};
    Target& target = targets_[slot_of(block.pc)];
    if (target.pc == block.pc) target = {};
  }

  void forget(Translated& one) {
    one.count_runs();
    for (std::size_t i = 0; i < one.blocks.size(); ++i)
      if (one.blocks[i]->code == &one.entries[i]) take(*one.blocks[i]);
    code_bytes_ -= one.region->bytes;
  }
  void forget_all() {
    for (auto& [code, region] : regions_) forget(region);
    regions_.clear();
    links_.clear();
  }

  const Memory& memory_;
  Blocks64& blocks_;
  TranslationSettings settings_;
  std::shared_ptr<CodeStore> store_;
  std::vector<Target> targets_;
  std::unordered_map<const RegionCode*, Translated> regions_;
  std::unordered_map<Word, std::unique_ptr<Entry>> links_;  ///< what jumps out of regions go through
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
