#include "models/net/worm/runs.hpp"

#include <algorithm>

namespace sanvp::net::worm {

void Runs::push_parts(const Run& run) {
  std::int64_t ps = run.ps;
  for (std::int64_t count = run.count; count > 0;) {
    const std::int64_t part = run.period <= most ? std::min(count, most) : 1;
    push_back({ps, static_cast<std::uint32_t>(std::min(run.period, most)), static_cast<std::uint32_t>(part)});
    ps += part * run.period;
    count -= part;
  }
}

void Runs::make_room() {
  const std::uint32_t capacity = 4 * capacity_;
  auto* const larger = new Packed[capacity];
  std::copy_n(runs(), size_, larger);
  if (capacity_ > few) delete[] elsewhere_;
  elsewhere_ = larger;
  capacity_ = capacity;
}

std::int64_t Runs::first_after(std::int64_t ps) const {
  std::int64_t end = end_;
  for (std::uint32_t i = size_; i-- > 0;) {
    const Packed& run = runs()[i];
    if (run.last() <= ps) break;
    const std::int64_t first = end - run.count;
    if (run.ps <= ps) return first + (ps - run.ps) / run.period + 1;
    end = first;
  }
  return end;
}

void Runs::cut(std::int64_t n) {
  while (size_ > 0 && end_ > n) {
    Packed& back = runs()[size_ - 1];
    const std::int64_t gone = std::min<std::int64_t>(end_ - n, back.count);
    end_ -= gone;
    back.count -= static_cast<std::uint32_t>(gone);
    if (back.count == 0) --size_;
  }
  end_ = std::min(end_, n);
}

void Runs::forget(std::int64_t n, std::int64_t ps) {
  if (size_ == 0) return;
  Packed* const all = runs();
  std::uint32_t gone = size_ - 1;  // what comes before the first run that has to stay
  for (std::int64_t first = end_ - all[gone].count; gone > 0 && (first > n || all[gone].ps >= ps);)
    first -= all[--gone].count;
  if (gone == 0) return;
  size_ -= gone;
  for (std::uint32_t i = 0; i < size_; ++i) all[i] = all[gone + i];
}

}  // namespace sanvp::net::worm
