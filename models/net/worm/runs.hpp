/// The times at which the flits of a VC pass a point, as runs: (first time, period, count). A worm that moves freely
/// is one run, however long it is.
#pragma once

#include <cstdint>

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
  /// Number, within the run, of the first flit later than `after_ps`. Precondition: the last one is.
  std::int64_t first_after(std::int64_t after_ps) const { return ps > after_ps ? 0 : (after_ps - ps) / period + 1; }
};

/// Flits are numbered through for the life of the VC; what is long past is forgotten. One cache line, and more
/// only while there are more than a few runs. A long worm on a shared channel may have thousands: they are searched by
/// halves, and forgetting some touches only these.
class Runs {
 public:
  Runs() = default;
  ~Runs() { forget(); }
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  /// Number of the first flit whose time is not known yet.
  std::int64_t end() const { return end_; }
  std::int64_t last_ps() const { return size_ == 0 ? long_ago : runs()[size_ - 1].last(); }
  std::int64_t last_period() const { return size_ == 0 ? 0 : runs()[size_ - 1].period; }

  void append(const Run& run);
  /// The run from flit n on, cut to what is left of it; long_ago for what is forgotten. Precondition: n < end().
  Run from(std::int64_t n) const;
  std::int64_t at(std::int64_t n) const { return from(n).ps; }
  /// The same, for flits that may be far from the end.
  Run search(std::int64_t n) const { return size_ < several ? from(n) : from_many(n); }
  /// Number of the first flit later than `ps`; end() if none is known.
  std::int64_t first_after(std::int64_t ps) const;
  /// Takes back the flits from n on.
  void cut(std::int64_t n);
  /// Whether it is time to forget some.
  bool many() const { return size_ >= few && size_ == capacity_; }
  /// Forgets everything; the numbering of flits continues. To be called when all of it is past.
  void forget() {
    if (capacity_ > few) free_elsewhere();
    capacity_ = few;
    size_ = 0;
  }
  /// Forgets flits below n that passed before `ps`, which bind nothing any more. The latest run
  /// stays, and the latest that has begun by then.
  void forget(std::int64_t n, std::int64_t ps);

 private:
  /// A run in half the space. What does not fit, such as hours of flits or flits milliseconds apart, is several runs.
  struct Packed {
    std::int64_t ps;
    std::uint32_t period;
    std::uint32_t count;

    std::int64_t at(std::int64_t k) const { return ps + k * period; }
    std::int64_t last() const { return at(std::int64_t{count} - 1); }
  };
  static constexpr std::int64_t most = UINT32_MAX;  // that it can hold, of flits as of picoseconds
  static bool fit(std::int64_t count, std::int64_t period) { return (count | period) <= most; }
  static constexpr std::uint32_t few = 3;
  static constexpr std::uint32_t several = 16;  // from here on a search by halves is faster

  /// More than a few. Both pointers are to what belongs to the first run that is not forgotten.
  struct Elsewhere {
    Packed* runs;
    std::int64_t* firsts;            // number of the first flit of each ...
    mutable std::uint32_t numbered;  // ... of the first so many
    std::uint32_t gone;              // runs before that are forgotten
  };

  const Packed* runs() const { return capacity_ == few ? own_ : elsewhere_.runs; }
  Packed* runs() { return capacity_ == few ? own_ : elsewhere_.runs; }
  void push_back(const Packed& run) {
    if (size_ == capacity_) make_room();
    runs()[size_++] = run;
  }
  void make_room();
  void push_parts(const Run& run);
  void free_elsewhere();
  const std::int64_t* firsts() const;
  Run from_many(std::int64_t n) const;
  void forget_of_many(std::int64_t n, std::int64_t ps);

  std::int64_t end_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = few;  // from the first run that is not forgotten on
  union {
    Packed own_[few];
    Elsewhere elsewhere_;
  };
};

inline void Runs::append(const Run& run) {
  end_ += run.count;
  if (size_ > 0) {
    Packed& back = runs()[size_ - 1];
    const std::int64_t step = run.ps - back.ps;
    // A single flit takes the period of what follows it.
    const std::int64_t period = back.count == 1 ? step : back.period;
    const std::int64_t count = back.count + run.count;
    if (step == back.count * period && (run.count == 1 || run.period == period) && fit(count, period)) {
      back.period = static_cast<std::uint32_t>(period);
      back.count = static_cast<std::uint32_t>(count);
      return;
    }
  }
  if (fit(run.count, run.period))
    push_back({run.ps, static_cast<std::uint32_t>(run.period), static_cast<std::uint32_t>(run.count)});
  else
    push_parts(run);
}

inline Run Runs::from(std::int64_t n) const {
  const Packed* const all = runs();
  std::int64_t end = end_;
  for (std::uint32_t i = size_; i-- > 0;) {
    const Packed& run = all[i];
    const std::int64_t first = end - run.count;
    if (first <= n) return {run.at(n - first), run.period, end - n};
    end = first;
  }
  return {long_ago, 0, end - n};
}

}  // namespace sanvp::net::worm
