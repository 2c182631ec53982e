#include "models/net/worm/runs.hpp"

#include <algorithm>

namespace sanvp::net::worm {

void Runs::append(Run run) {
  if (!runs_.empty()) {
    Run& back = runs_.back().run;
    // A single flit takes the period of what follows it.
    if (back.count == 1) {
      const std::int64_t step = run.ps - back.ps;
      if (run.count == 1 || run.period == step) {
        back.period = step;
        back.count += run.count;
        end_ += run.count;
        return;
      }
    } else if (run.ps == back.at(back.count) && (run.count == 1 || run.period == back.period)) {
      back.count += run.count;
      end_ += run.count;
      return;
    }
  }
  runs_.push_back({end_, run});
  end_ += run.count;
}

std::int64_t Runs::first_after(std::int64_t ps) const {
  std::int64_t result = end_;
  for (std::size_t i = runs_.size(); i-- > 0;) {
    const auto& [first, run] = runs_[i];
    if (run.last() <= ps) break;
    result = run.ps > ps ? first : first + (ps - run.ps) / run.period + 1;
  }
  return result;
}

void Runs::cut(std::int64_t n) {
  while (!runs_.empty() && runs_.back().first >= n) runs_.pop_back();
  if (!runs_.empty()) runs_.back().run.count = std::min(runs_.back().run.count, n - runs_.back().first);
  end_ = std::min(end_, n);
}

void Runs::forget_below(std::int64_t n) {
  constexpr std::size_t worth_the_move = 16;
  if (runs_.size() < worth_the_move) return;
  std::size_t keep = 0;
  while (keep + 1 < runs_.size() && runs_[keep + 1].first <= n) ++keep;
  if (keep >= worth_the_move / 2) runs_.erase(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(keep));
}

}  // namespace sanvp::net::worm
