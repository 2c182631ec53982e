#include "platform/mpi_check/intervals.hpp"

#include <algorithm>
#include <bit>

namespace sanvp::mpi_check {
namespace {

int logarithm(std::int64_t length) { return std::bit_width(static_cast<std::uint64_t>(length)) - 1; }

}  // namespace

void Intervals::add(const std::vector<Bytes>& blocks, std::uint64_t number) {
  for (const Bytes& block : blocks)
    if (block.count > 0 && by_length_[logarithm(block.count)][{block.begin, block.end()}].insert(number).second)
      ++count_;
}

void Intervals::remove(const std::vector<Bytes>& blocks, std::uint64_t number) {
  for (const Bytes& block : blocks) {
    const auto length = block.count > 0 ? by_length_.find(logarithm(block.count)) : by_length_.end();
    if (length == by_length_.end()) continue;
    const auto place = length->second.find({block.begin, block.end()});
    if (place == length->second.end()) continue;
    count_ -= place->second.erase(number);
    if (place->second.empty()) length->second.erase(place);
    if (length->second.empty()) by_length_.erase(length);
  }
}

void Intervals::take(Intervals& other) {
  if (other.count_ > count_) std::swap(*this, other);
  for (auto& [length, places] : other.by_length_) {
    auto& own = by_length_[length];
    for (auto& [place, numbers] : places) {
      Numbers& here = own[place];
      count_ -= here.size();
      if (numbers.size() > here.size()) here.swap(numbers);
      here.merge(numbers);
      count_ += here.size();
    }
  }
  other = {};
}

std::optional<std::uint64_t> Intervals::find(const std::vector<Bytes>& blocks, std::uint64_t except) const {
  for (const Bytes& block : blocks)
    if (const auto found = find(block, except)) return found;
  return {};
}

std::optional<std::uint64_t> Intervals::find(const Bytes& block, std::uint64_t except) const {
  std::optional<std::uint64_t> lowest;
  if (block.count <= 0) return lowest;
  for (const auto& [length, places] : by_length_) {
    constexpr int longest = 60;  // beyond, the search begins at the first one
    const std::int64_t first = length < longest ? block.begin - (std::int64_t{2} << length) + 1 : INT64_MIN;
    for (auto at = places.lower_bound({first, INT64_MIN}); at != places.end() && at->first.first < block.end(); ++at) {
      if (at->first.second <= block.begin) continue;
      const auto number = std::find_if(at->second.begin(), at->second.end(), [&](auto n) { return n != except; });
      if (number == at->second.end()) continue;
      if (!lowest || *number < *lowest) lowest = *number;
      break;
    }
  }
  return lowest;
}

}  // namespace sanvp::mpi_check
