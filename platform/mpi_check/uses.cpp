#include "platform/mpi_check/uses.hpp"

#include <algorithm>
#include <utility>

namespace sanvp::mpi_check {

void Uses::add(Use use) {
  const std::uint64_t number = next_++;
  (use.is_written ? written_ : read_).add(use.blocks, number);
  by_owner_.emplace(use.owner, number);
  by_number_.emplace(number, std::move(use));
}

void Uses::release(std::uint64_t owner) {
  const auto [first, last] = by_owner_.equal_range(owner);
  for (auto at = first; at != last; ++at) {
    const auto found = by_number_.find(at->second);
    (found->second.is_written ? written_ : read_).remove(found->second.blocks, found->first);
    by_number_.erase(found);
  }
  by_owner_.erase(first, last);
}

Use* Uses::other(const Use& use) {
  const auto writer = written_.find(use.blocks);
  const auto reader = use.is_written ? read_.find(use.blocks) : std::nullopt;
  if (!writer && !reader) return nullptr;
  const std::uint64_t number = writer && reader ? std::min(*writer, *reader) : writer ? *writer : *reader;
  return &by_number_.at(number);
}

std::vector<const Use*> Uses::of(std::uint64_t owner) const {
  std::vector<const Use*> uses;
  const auto [first, last] = by_owner_.equal_range(owner);
  for (auto at = first; at != last; ++at) uses.push_back(&by_number_.at(at->second));
  return uses;
}

}  // namespace sanvp::mpi_check
