/// How large a generated graph may be: a guard against a mistyped size, which would otherwise end in exhausted memory.
#pragma once

#include <cstdint>

namespace sanvp::topologies {

/// 64 times the largest Elan3 machine (16,384 virtual processes, FACTS.md 1.1).
constexpr int most_hosts = 1 << 20;

/// Far above any switch modelled here (STC104: 32 links), far below what Step::port can hold.
constexpr int most_ports = 1024;

/// A tree of this many levels has most_hosts hosts with the smallest arity, 2.
constexpr int most_levels = 20;

/// base^exponent; anything above most_hosts is returned as most_hosts + 1, so nothing overflows.
constexpr int bounded_power(int base, int exponent) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent && power <= most_hosts; ++i) power *= base;
  return power > most_hosts ? most_hosts + 1 : static_cast<int>(power);
}

}  // namespace sanvp::topologies
