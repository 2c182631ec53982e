/// Walks by a stride, of which only the accesses to lines that are followed are made.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "models/cpu/costs/cpu_caches.hpp"

namespace sanvp::host {

class StridedWalk {
 public:
  StridedWalk(const cpu::Sample& sample, std::int64_t stride)
      : sample_(sample),
        stride_(static_cast<std::uint64_t>(stride)),
        step_(std::gcd(static_cast<std::uint64_t>(std::abs(stride)), cpu::page_bytes)),
        period_(cpu::page_bytes / step_),
        inverse_(inverse_of(stride_ / step_)) {
    const std::uint64_t least_bit = sample.mask & (0 - sample.mask);
    if (least_bit != 0 && step_ % least_bit == 0) same_bits_ = least_bit - 1;
  }

  /// So many accesses after `from`.
  template <class Access>
  void visit(std::uintptr_t from, std::int64_t turns, Access& access) {
    const auto last = static_cast<std::uint64_t>(turns);
    if (!knows(from)) {
      if (last <= period_) return visit_each(from, last, access);
      learn(from);
    }
    if (until_followed_[0] == 0) return;
    std::uint64_t phase = phase_of(from), turn = 0;
    for (;;) {
      const std::uint64_t until = until_followed_[phase];
      turn += until;
      if (turn > last) return;
      access(from + turn * stride_);
      phase = (phase + until) & (period_ - 1);
    }
  }

 private:
  /// The inverse of an odd number, modulo 2^64.
  static std::uint64_t inverse_of(std::uint64_t odd) {
    constexpr int doublings = 5;  // of the bits that are right: three at first
    std::uint64_t inverse = odd;
    for (int i = 0; i < doublings; ++i) inverse *= 2 - odd * inverse;
    return inverse;
  }

  template <class Access>
  void visit_each(std::uintptr_t from, std::uint64_t last, Access& access) const {
    for (std::uint64_t turn = 1; turn <= last; ++turn)
      if (sample_.has(from + turn * stride_)) access(from + turn * stride_);
  }

  /// Whether the walk from there meets the same lines of pages as that from the origin, from some turn on.
  bool knows(std::uintptr_t from) const {
    return !until_followed_.empty() && (((from & ~same_bits_) - origin_) & (step_ - 1)) == 0;
  }
  /// The turn of the walk from the origin that is at the same place of a page.
  std::uint64_t phase_of(std::uintptr_t from) const {
    return ((from & ~same_bits_) - origin_) / step_ * inverse_ & (period_ - 1);
  }
  /// Which lines are followed repeats when the strides have come to whole pages.
  void learn(std::uintptr_t from) {
    origin_ = from & ~same_bits_;
    until_followed_.assign(period_, 0);
    const auto is_followed = [this](std::uint64_t turn) { return sample_.has(origin_ + turn * stride_); };
    std::uint64_t next = 0;
    while (next < period_ && !is_followed(next)) ++next;
    if (next == period_) return;
    next += period_;
    for (std::uint64_t turn = period_; turn-- > 0;) {
      until_followed_[turn] = next - turn;
      if (is_followed(turn)) next = turn;
    }
  }

  cpu::Sample sample_;
  std::uint64_t stride_;         ///< modulo 2^64
  std::uint64_t step_;           ///< of the places in a page that walks meet: a power of two
  std::uint64_t period_;         ///< turns after which the places are the same
  std::uint64_t inverse_;        ///< of the stride in steps
  std::uint64_t same_bits_ = 0;  ///< of addresses: they do not tell lines of the sample apart in one walk
  std::uintptr_t origin_ = 0;
  std::vector<std::uint64_t> until_followed_{};  ///< by phase: turns until the next one that is followed; 0: none is
};

}  // namespace sanvp::host
