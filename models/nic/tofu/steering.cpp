#include "models/nic/tofu/steering.hpp"

#include <algorithm>

namespace sanvp::nic::tofu {

tofu_steering Steering::tag(const Queue& queue, std::uint32_t number, Time& at) {
  const std::uint64_t address = queue.where.steering + number * sizeof(tofu_steering);
  const auto [found, is_new] = tags_.try_emplace(address);
  counters_.count(is_new ? Counter::steering_walks : Counter::steering_hits);
  if (is_new) at = memory_.load(address, found->second, at).done;
  return found->second;
}

std::uint64_t Steering::page(const tofu_steering& steering, std::uint64_t number, Time& at) {
  const std::uint64_t address = steering.pages + number * sizeof(std::uint64_t);
  const auto [found, is_new] = pages_.try_emplace(address);
  if (is_new) at = memory_.load(address, found->second, at).done;
  return found->second;
}

Steering::Found Steering::find(const Queue& queue, tofu_stadd stadd, std::size_t bytes, bool to_write, Time at) {
  Found result{.done = at};
  const std::uint32_t number = TOFU_STADD_TAG(stadd);
  if (number >= TOFU_TAGS) return result;
  const tofu_steering steering = tag(queue, number, result.done);
  std::uint64_t offset = TOFU_STADD_OFFSET(stadd);
  if (offset > steering.bytes || bytes > steering.bytes - offset) return result;
  if (steering.bytes == 0 || (to_write && (steering.flags & TOFU_READ_ONLY) != 0)) return result;
  for (std::size_t left = bytes; left > 0;) {
    const std::uint64_t in_page = offset % TOFU_LARGE_PAGE;
    const std::size_t size = std::min<std::size_t>(left, TOFU_LARGE_PAGE - in_page);
    result.pieces.push_back({page(steering, offset / TOFU_LARGE_PAGE, result.done) + in_page, size});
    offset += size;
    left -= size;
  }
  result.good = true;
  return result;
}

}  // namespace sanvp::nic::tofu
