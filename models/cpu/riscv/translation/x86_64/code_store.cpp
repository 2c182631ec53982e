#include "models/cpu/riscv/translation/x86_64/code_store.hpp"

#include <algorithm>

#include "models/cpu/riscv/translation/x86_64/emit.hpp"

namespace sanvp::riscv {
namespace x86_64 {
namespace {

/// Programs that differ, or that change their code, can have several regions at an address: only so many are looked at.
constexpr std::size_t most_compared = 8;
/// Addresses of which runs are counted: some MB. A program can invent any number of them.
constexpr std::size_t most_counted = std::size_t{1} << 16;

std::optional<FollowedCaches> followed(const Stalls& stalls, const TranslationSettings& settings) {
  if (!stalls.has_caches) return std::nullopt;
  return FollowedCaches(settings.caches.value(), stalls.fetches);
}

}  // namespace

CodeStore::CodeStore(std::uint64_t pages, const Stalls& stalls, const TranslationSettings& settings)
    : pages_(pages), settings_(settings), caches_(followed(stalls, settings)), stubs_(make_stubs(runtime_, caches())) {
  settings_.shared = nullptr;  // which may own this
}

bool CodeStore::serves(std::uint64_t pages, const Stalls& stalls, const TranslationSettings& settings) const {
  const std::optional<FollowedCaches> caches = followed(stalls, settings);
  if (pages != pages_ || settings.uses_bmi2 != settings_.uses_bmi2 || settings.uses_fma != settings_.uses_fma)
    return false;
  if (!caches || !caches_) return caches.has_value() == caches_.has_value();
  return caches->is_like(*caches_);
}

std::shared_ptr<const RegionCode> CodeStore::find(const Block64& block, const Blocks64& blocks) const {
  const auto found = regions_.find(block.pc);
  if (found == regions_.end()) return nullptr;
  std::size_t looked_at = 0;
  for (auto one = found->second.rbegin(); one != found->second.rend() && looked_at < most_compared;
       ++one, ++looked_at) {
    std::shared_ptr<const RegionCode> region = one->lock();
    const auto is_own = [&](const Source& source) {
      const Block64* const own = blocks.known(source.pc);
      return own != nullptr && source.is_of(*own);
    };
    if (region != nullptr && std::ranges::all_of(region->blocks, is_own)) return region;
  }
  return nullptr;
}

std::shared_ptr<const RegionCode> CodeStore::make(const std::vector<Block64*>& blocks) {
  asmjit::CodeHolder holder;
  holder.init(runtime_.environment());
  const Registers registers(blocks, caches_ && caches_->use_rdx());
  Code code(holder, registers, pages_, settings_, caches());
  Emitted emitted = emit(code, blocks, stubs_);
  std::byte* begin = nullptr;
  if (code.failed() || runtime_.add(&begin, &holder) != asmjit::kErrorOk) return nullptr;
  const std::shared_ptr<RegionCode> made(new RegionCode{.code = begin, .bytes = holder.codeSize()},
                                         [store = shared_from_this()](RegionCode* region) {
                                           store->release(*region);
                                           delete region;
                                         });
  for (const Block64* block : blocks) made->blocks.emplace_back(*block);
  for (const Label& entry : emitted.entries) made->entries.push_back(begin + holder.labelOffset(entry));
  made->exits = std::move(emitted.exits);
  made->pairs = code.take_pairs();
  for (const Block64* block : blocks) regions_[block->pc].push_back(made);
  return made;
}

void CodeStore::release(const RegionCode& region) {
  for (const Source& block : region.blocks) {
    const auto found = regions_.find(block.pc);
    if (found == regions_.end()) continue;
    std::erase_if(found->second, [](const std::weak_ptr<const RegionCode>& one) { return one.expired(); });
    if (found->second.empty()) regions_.erase(found);
  }
  runtime_.release(region.code);
}

bool CodeStore::is_hot(Word pc, std::uint64_t runs) {
  if (runs_.size() >= most_counted) runs_.clear();
  std::uint64_t& sum = runs_[pc];
  sum += runs;
  if (sum < settings_.after_runs) return false;
  runs_.erase(pc);
  return true;
}

namespace {

/// A store for each kind of process: of one machine, there are few.
class Stores final : public SharedCode {
 public:
  std::shared_ptr<CodeStore> store(std::uint64_t pages, const Stalls& stalls, const TranslationSettings& settings) {
    for (const auto& store : stores_)
      if (store->serves(pages, stalls, settings)) return store;
    return stores_.emplace_back(std::make_shared<CodeStore>(pages, stalls, settings));
  }

 private:
  std::vector<std::shared_ptr<CodeStore>> stores_;
};

}  // namespace

std::shared_ptr<CodeStore> store_for(std::uint64_t pages, const Stalls& stalls, const TranslationSettings& settings) {
  if (const auto shared = std::dynamic_pointer_cast<Stores>(settings.shared))
    return shared->store(pages, stalls, settings);
  return std::make_shared<CodeStore>(pages, stalls, settings);
}

}  // namespace x86_64

std::shared_ptr<SharedCode> SharedCode::make() { return std::make_shared<x86_64::Stores>(); }

}  // namespace sanvp::riscv
