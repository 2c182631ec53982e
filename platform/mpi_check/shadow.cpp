#include "platform/mpi_check/shadow.hpp"

#include <algorithm>

namespace sanvp::mpi_check {

void Shadow::note(const Site& site, std::uint64_t address, std::uint64_t bytes, bool is_store, std::uint64_t time) {
  const auto [known, is_new] =
      site_numbers_.try_emplace({site.call, site.code}, static_cast<std::uint32_t>(sites_.size()));
  if (is_new) sites_.push_back(site);
  const auto now = static_cast<std::uint32_t>(std::min<std::uint64_t>(time, UINT32_MAX));
  for (std::uint64_t at = address; at < address + bytes; ++at) {
    auto& page = pages_[at >> page_bits];
    if (!page) page = std::make_unique<Page>();
    Cell& cell = (*page)[at % page_bytes];
    (is_store ? cell.stored : cell.loaded) = now;
    (is_store ? cell.store_site : cell.load_site) = known->second;
  }
}

std::optional<Shadow::Mark> Shadow::find(const std::vector<Bytes>& blocks, bool also_loads, std::uint64_t seen) const {
  for (const Bytes& block : blocks) {
    const auto end = static_cast<std::uint64_t>(block.end());
    for (auto at = static_cast<std::uint64_t>(block.begin); at < end;) {
      const std::uint64_t page_end = std::min(end, ((at >> page_bits) + 1) << page_bits);
      const auto page = pages_.find(at >> page_bits);
      if (page == pages_.end()) {
        at = page_end;
        continue;
      }
      for (; at < page_end; ++at) {
        const Cell& cell = (*page->second)[at % page_bytes];
        if (cell.stored > seen) return Mark{sites_[cell.store_site], true};
        if (also_loads && cell.loaded > seen) return Mark{sites_[cell.load_site], false};
      }
    }
  }
  return {};
}

}  // namespace sanvp::mpi_check
