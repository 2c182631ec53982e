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
  if (capacity_ > few) free_elsewhere();
  elsewhere_ = {.runs = larger, .firsts = new std::int64_t[capacity], .numbered = 0, .gone = 0};
  capacity_ = capacity;
}

void Runs::free_elsewhere() {
  delete[](elsewhere_.runs - elsewhere_.gone);
  delete[](elsewhere_.firsts - elsewhere_.gone);
}

/// The number of each run's first flit. Precondition: they are elsewhere.
const std::int64_t* Runs::firsts() const {
  const Elsewhere& all = elsewhere_;
  if (all.numbered == 0 && size_ > 0) {
    all.firsts[0] = end_;
    for (std::uint32_t i = 0; i < size_; ++i) all.firsts[0] -= all.runs[i].count;
    all.numbered = 1;
  }
  for (; all.numbered < size_; ++all.numbered)
    all.firsts[all.numbered] = all.firsts[all.numbered - 1] + all.runs[all.numbered - 1].count;
  return all.firsts;
}

Run Runs::from_many(std::int64_t n) const {
  const std::int64_t* const first = firsts();
  const auto i = std::upper_bound(first, first + size_, n) - first - 1;
  if (i < 0) return {long_ago, 0, first[0] - n};
  const Packed& run = elsewhere_.runs[i];
  return {run.at(n - first[i]), run.period, first[i] + run.count - n};
}

std::int64_t Runs::first_after(std::int64_t ps) const {
  if (last_ps() <= ps) return end_;
  if (size_ >= several) {
    const Packed* const begin = elsewhere_.runs;
    const Packed* const run =
        std::partition_point(begin, begin + size_, [&](const Packed& r) { return r.last() <= ps; });
    return firsts()[run - begin] + (run->ps > ps ? 0 : (ps - run->ps) / run->period + 1);
  }
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
  if (capacity_ > few) elsewhere_.numbered = std::min(elsewhere_.numbered, size_);
}

void Runs::forget(std::int64_t n, std::int64_t ps) {
  if (size_ == 0) return;
  if (size_ >= several) return forget_of_many(n, ps);
  Packed* const all = runs();
  std::uint32_t gone = size_ - 1;  // what comes before the first run that has to stay
  for (std::int64_t first = end_ - all[gone].count; gone > 0 && (first > n || all[gone].ps >= ps);)
    first -= all[--gone].count;
  if (gone == 0) return;
  size_ -= gone;
  for (std::uint32_t i = 0; i < size_; ++i) all[i] = all[gone + i];
  if (capacity_ > few) elsewhere_.numbered = 0;
}

/// The same, without going through those that stay.
void Runs::forget_of_many(std::int64_t n, std::int64_t ps) {
  firsts();
  Elsewhere& all = elsewhere_;
  std::uint32_t gone = 0;
  while (gone + 1 < size_ && all.firsts[gone + 1] <= n && all.runs[gone + 1].ps < ps) ++gone;
  size_ -= gone;
  capacity_ -= gone;  // more than a few even so: half of the block
  all = {all.runs + gone, all.firsts + gone, all.numbered - gone, all.gone + gone};
  if (all.gone < capacity_) return;
  Packed* const block = all.runs - all.gone;
  std::int64_t* const numbers = all.firsts - all.gone;
  std::copy_n(all.runs, size_, block);
  std::copy_n(all.firsts, size_, numbers);
  capacity_ += all.gone;
  all = {block, numbers, all.numbered, 0};
}

}  // namespace sanvp::net::worm
