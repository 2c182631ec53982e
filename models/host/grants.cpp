#include "models/host/grants.hpp"

#include <algorithm>
#include <iterator>

namespace sanvp::host {

void Grants::add(std::uint64_t begin, std::size_t bytes) {
  if (bytes == 0) return;
  std::uint64_t end = begin + bytes;
  auto next = ends_.upper_bound(begin);
  if (next != ends_.begin() && std::prev(next)->second >= begin) --next;
  while (next != ends_.end() && next->first <= end) {
    begin = std::min(begin, next->first);
    end = std::max(end, next->second);
    next = ends_.erase(next);
  }
  ends_.emplace(begin, end);
}

void Grants::remove(std::uint64_t begin, std::size_t bytes) {
  const std::uint64_t end = begin + bytes;
  auto next = ends_.upper_bound(begin);
  if (next != ends_.begin() && std::prev(next)->second > begin) --next;
  while (next != ends_.end() && next->first < end) {
    const auto [first, last] = *next;
    next = ends_.erase(next);
    if (first < begin) ends_.emplace(first, begin);
    if (last > end) ends_.emplace(end, last);
  }
}

bool Grants::allow(std::uint64_t begin, std::size_t bytes) const {
  const auto next = ends_.upper_bound(begin);
  if (next == ends_.begin()) return false;
  const std::uint64_t end = std::prev(next)->second;
  return begin <= end && bytes <= end - begin;
}

}  // namespace sanvp::host
