/// Limits on the size of a generated graph: a mistyped size becomes a message instead of exhausting memory.
#pragma once

#include <cstdint>

namespace sanvp::topologies {

/// 64 times the largest Elan3 machine (16,384 virtual processes, FACTS.md 1.1).
constexpr int most_hosts = 1 << 20;

/// Four for each host.
constexpr int most_links = 1 << 22;

/// Far above any switch modelled here (STC104: 32 links) and far below the range of Step::port.
constexpr int most_ports = 1024;

/// A tree of this many levels has most_hosts hosts at the smallest arity, 2.
constexpr int most_levels = 20;

/// base^exponent, or most_hosts + 1 for anything above most_hosts, so that no product overflows.
constexpr int bounded_power(int base, int exponent) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent && power <= most_hosts; ++i) power *= base;
  return power > most_hosts ? most_hosts + 1 : static_cast<int>(power);
}

}  // namespace sanvp::topologies
