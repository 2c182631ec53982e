#include "platform/mpi_check/clocks.hpp"

#include <algorithm>

namespace sanvp::mpi_check {

void join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  std::transform(other.begin(), other.end(), clock.begin(), clock.begin(),
                 [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
}

void Clocks::keep() {
  if (!clocks_.empty()) return;
  clocks_.assign(ranks_, Clock(ranks_));
  for (std::size_t rank = 0; rank < ranks_; ++rank) clocks_[rank][rank] = 1;
}

Moment Clocks::release(int rank) {
  if (clocks_.empty()) return nullptr;
  auto moment = std::make_shared<const Clock>(of(rank));
  ++of(rank)[static_cast<std::size_t>(rank)];
  return moment;
}

void Clocks::acquire(int rank, const Clock& clock) {
  if (!clocks_.empty()) join(of(rank), clock);
}

void Clocks::acquire_all(int rank) {
  for (const Clock& clock : clocks_)
    if (&clock != &of(rank)) join(of(rank), clock);
}

bool Clocks::have_all_seen(int other, std::uint64_t time) const {
  return std::all_of(clocks_.begin(), clocks_.end(),
                     [&](const Clock& clock) { return clock[static_cast<std::size_t>(other)] >= time; });
}

}  // namespace sanvp::mpi_check
