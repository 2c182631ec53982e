/// Simulated time: whole picoseconds in a 64-bit integer (TIMING.md), with a range of 106 days.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace sanvp {

/// A point in simulated time or a duration; the unit is in the type, so nanoseconds convert implicitly.
using Time = std::chrono::duration<std::int64_t, std::pico>;

using std::chrono_literals::operator""ns;
using std::chrono_literals::operator""us;
using std::chrono_literals::operator""ms;

constexpr Time operator""_ps(unsigned long long value) { return Time{static_cast<std::int64_t>(value)}; }

/// Later than every event.
constexpr Time never{std::numeric_limits<std::int64_t>::max()};

/// For results and messages; the simulation never uses floating-point time.
constexpr double in_ns(Time t) { return static_cast<double>(t.count()) / 1e3; }

}  // namespace sanvp
