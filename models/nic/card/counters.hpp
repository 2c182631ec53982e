/// The statistics of a card: a counter for each value of an enumeration that ends with count_. A card declares its
/// counters once, as a list EACH(counter, unit), of which SANVP_COUNTERS makes the enumeration and the names in
/// stats.csv.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "platform/core/results.hpp"

namespace sanvp::nic {

/// Name and unit of a counter in stats.csv.
struct CounterName {
  const char* name;
  const char* unit;
};

template <class Counter>
class Counters {
 public:
  static constexpr auto size = static_cast<std::size_t>(Counter::count_);
  using Names = std::array<CounterName, size>;

  void count(Counter what, std::uint64_t by = 1) { values_[static_cast<std::size_t>(what)] += by; }
  std::uint64_t operator[](Counter what) const { return values_[static_cast<std::size_t>(what)]; }
  void report(StatisticsTable& table, const std::string& path, const Names& names) const {
    for (std::size_t i = 0; i < size; ++i)
      table.add(path, names[i].name, names[i].unit, static_cast<std::int64_t>(values_[i]));
  }

 private:
  std::array<std::uint64_t, size> values_{};
};

#define SANVP_COUNTER_ENUMERATOR(counter_, unit_) counter_,
#define SANVP_COUNTER_NAME(counter_, unit_) {#counter_, unit_},
#define SANVP_COUNTERS(LIST_)                                                   \
  enum class Counter : std::uint8_t { LIST_(SANVP_COUNTER_ENUMERATOR) count_ }; \
  using Counters = nic::Counters<Counter>;                                      \
  constexpr Counters::Names counter_names {                                     \
    { LIST_(SANVP_COUNTER_NAME) }                                               \
  }

}  // namespace sanvp::nic
