/// The times at which the flits of a lane pass a point, as runs: (first time, period, count). A worm that moves freely
/// is one run, however long it is.
#pragma once

#include <cstdint>

#include <boost/container/small_vector.hpp>

namespace sanvp::net::worm {

/// Never binding: long before anything.
constexpr std::int64_t long_ago = -(std::int64_t{1} << 60);

/// Flits that pass at t, t+period, ..., `count` of them.
struct Run {
  std::int64_t ps = 0;
  std::int64_t period = 0;
  std::int64_t count = 0;

  std::int64_t at(std::int64_t k) const { return ps + k * period; }
  std::int64_t last() const { return at(count - 1); }
};

/// Flits are numbered through for the life of the lane; what is long past is forgotten.
class Runs {
 public:
  /// Number of the first flit whose time is not known yet.
  std::int64_t end() const { return end_; }
  std::int64_t last_ps() const { return runs_.empty() ? long_ago : runs_.back().run.last(); }
  std::int64_t last_period() const { return runs_.empty() ? 0 : runs_.back().run.period; }

  void append(Run run);
  /// The run from flit n on, cut to what is left of it; long_ago for what is forgotten. Precondition: n < end().
  Run from(std::int64_t n) const;
  std::int64_t at(std::int64_t n) const { return from(n).ps; }
  /// Number of the first flit later than `ps`; end() if none is known.
  std::int64_t first_after(std::int64_t ps) const;
  /// Takes back the flits from n on.
  void cut(std::int64_t n);
  /// Forgets everything; the flits' numbers go on. For when all of it is past.
  void forget() { runs_.clear(); }
  /// Flits below n will not be asked for again (or are so old that they bind nothing).
  void forget_below(std::int64_t n);

 private:
  struct Numbered {
    std::int64_t first = 0;
    Run run;
  };

  boost::container::small_vector<Numbered, 1> runs_;  // an idle lane's plan needs no storage of its own
  std::int64_t end_ = 0;
};

inline Run Runs::from(std::int64_t n) const {
  for (std::size_t i = runs_.size(); i-- > 0;) {
    const auto& [first, run] = runs_[i];
    if (first <= n) return {run.at(n - first), run.period, run.count - (n - first)};
  }
  return {long_ago, 0, (runs_.empty() ? end_ : runs_.front().first) - n};
}

}  // namespace sanvp::net::worm
