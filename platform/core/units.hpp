/// Values with units, read from machine files and the command line. Whole quantities are exact: decimal arithmetic on
/// integers, without floating point, and an error if they do not fit. Every function uses `place` in its UserError.
#pragma once

#include <cstdint>
#include <string>

#include "platform/core/time.hpp"

namespace sanvp {

/// A time in ps, ns, us, ms or s: "6.25ns" is 6250 ps. Not negative, and a multiple of 1 ps.
Time parse_time(const std::string& text, const std::string& place);
/// Bytes: "320B", "64KiB", "1.5MB". Units B, kB, MB, GB, KiB, MiB, GiB.
std::int64_t parse_size(const std::string& text, const std::string& place);
/// Bytes per second: "400MB/s", "100Mbit/s", "5GB/s".
double parse_rate(const std::string& text, const std::string& place);
/// A whole number: "64", "-3", "1.5k", "4Ki". Suffixes k, M, G, Ki, Mi, Gi.
std::int64_t parse_count(const std::string& text, const std::string& place);
/// A finite number: "0.75", "1e-9".
double parse_real(const std::string& text, const std::string& place);
/// "true", "yes", "on", "1" or "false", "no", "off", "0".
bool parse_flag(const std::string& text, const std::string& place);

/// In the largest unit not larger than the value, so that parse_time reads back the same value: "6.25ns", "35ns".
std::string to_text(Time t);
/// In the largest binary unit that divides it, so that parse_size reads back the same value: "64KiB", "320B".
std::string size_to_text(std::int64_t bytes);
/// In MB/s (10^6 bytes per second), so that parse_rate reads back the same value up to rounding: "400MB/s".
std::string rate_to_text(double Bps);
/// The shortest text that reads back to the same number, the same on every machine and in every locale.
std::string real_to_text(double value);

}  // namespace sanvp
