#include "models/nic/stc104/stc104.hpp"

namespace sanvp::nic::stc104 {
namespace {

constexpr std::uint32_t word = sizeof(std::uint32_t);
constexpr std::uint32_t link_bytes = STC104_LINK(1U) - STC104_LINK(0U);

}  // namespace

std::uint32_t* Stc104::find(Link& link, std::uint32_t offset) {
  switch (offset) {
    case STC104_MODE:
      return &link.mode;
    case STC104_RANDOM:
      return &link.random;
    case STC104_OWN:
      return &link.own;
    default:
      break;
  }
  const bool is_interval =
      offset >= STC104_INTERVAL(0U) && offset < STC104_INTERVAL(STC104_INTERVALS) && offset % word == 0;
  return is_interval ? &link.intervals[(offset - STC104_INTERVAL(0U)) / word] : nullptr;
}

std::optional<std::uint32_t> Stc104::read(std::uint32_t offset) const {
  if (offset == STC104_IDENTITY) return STC104_IS_ONE;
  if (offset < STC104_LINK(0U) || offset >= STC104_LINK(STC104_LINKS)) return std::nullopt;
  Link link = links_[(offset - STC104_LINK(0U)) / link_bytes];
  const std::uint32_t* found = find(link, offset % link_bytes);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

bool Stc104::write(std::uint32_t offset, std::uint32_t value) {
  if (offset < STC104_LINK(0U) || offset >= STC104_LINK(STC104_LINKS)) return false;
  std::uint32_t* found = find(links_[(offset - STC104_LINK(0U)) / link_bytes], offset % link_bytes);
  if (found != nullptr) *found = value;
  return found != nullptr;
}

std::optional<Stc104::Output> Stc104::find(int link, std::uint32_t header) const {
  std::uint32_t begin = 0;
  for (const std::uint32_t entry : links_[link].intervals) {
    const std::uint32_t end = STC104_ENTRY_END(entry);
    if (end <= begin) break;
    begin = end;
    if (header >= end) continue;
    Output output{.link = static_cast<int>(STC104_ENTRY_LINK(entry))};
    if (output.link >= static_cast<int>(STC104_LINKS)) break;  // a way to discard packets on purpose
    output.deletes = (links_[output.link].mode & STC104_MODE_DELETE) != 0;
    while (output.link + output.links < static_cast<int>(STC104_LINKS) &&
           (links_[output.link + output.links].mode & STC104_MODE_GROUPED) != 0)
      ++output.links;
    return output;
  }
  return std::nullopt;
}

Stc104::Range Stc104::randomises(int link) const {
  return (links_[link].mode & STC104_MODE_RANDOMISE) != 0 ? range(STC104_RANDOM, link) : Range{};
}

Stc104::Range Stc104::range(std::uint32_t which, int link) const {
  const std::uint32_t value = which == STC104_OWN ? links_[link].own : links_[link].random;
  return {STC104_RANGE_FIRST(value), STC104_RANGE_COUNT(value)};
}

}  // namespace sanvp::nic::stc104
