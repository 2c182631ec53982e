#include "models/host/cache_settings.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::host {
namespace {

constexpr std::int64_t KiB = 1024;

cpu::CacheShape read_cache(const Parameters& section, const cpu::SourcedCache& part, const char* what) {
  cpu::CacheShape shape;
  constexpr std::int64_t most_bytes = 1024 * 1024 * KiB, most_line = 4 * KiB, most_ways = 1024;
  const std::int64_t bytes = section.size("size", part.KiB * KiB, std::string("of ") + what + "; 0: none", part.source);
  shape.line_bytes =
      static_cast<std::uint64_t>(section.count("line", part.line_bytes, "bytes of a line", part.source, 8, most_line));
  shape.ways = static_cast<std::uint64_t>(
      section.count("ways", part.ways, "lines of a set: associativity", part.source, 1, most_ways));
  if (bytes < 0 || bytes > most_bytes)
    throw UserError(section.where("size"), "a cache has at most 1 GiB", "give it a size such as 64KiB");
  if (!std::has_single_bit(shape.line_bytes))
    throw UserError(section.where("line"), "a line must be a power of two of bytes", "choose 32, 64 or 128");
  shape.bytes = static_cast<std::uint64_t>(bytes);
  const std::uint64_t set_bytes = shape.line_bytes * shape.ways;
  if (bytes != 0 && (shape.bytes % set_bytes != 0 || !std::has_single_bit(shape.sets())))
    throw UserError(section.where("size"), "size / (line x ways), the number of sets, must be a power of two",
                    "with these lines and ways, " + std::to_string(std::bit_ceil(shape.sets() + 1) * set_bytes) +
                        " bytes would do");
  shape.replaces_randomly = part.replaces_randomly;
  return shape;
}

/// Key `cache` is the size of the largest one, which has as many ways as make its number of sets a power of two.
cpu::SourcedCaches with_largest(cpu::SourcedCaches caches, const Parameters& cpu, const cpu::CpuPart& part) {
  cpu::SourcedCache& largest = caches.second.KiB != 0 ? caches.second : caches.data;
  const auto in_KiB = static_cast<std::int64_t>(part.cache_KiB.value);
  const std::int64_t bytes = cpu.size("cache", in_KiB * KiB, "size of the largest cache", part.cache_KiB.source);
  if (largest.KiB == 0 || bytes == in_KiB * KiB) return caches;
  const std::int64_t lines = std::max<std::int64_t>(bytes / largest.line_bytes, 1);
  const auto sets = static_cast<std::int64_t>(
      std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(lines / largest.ways, 1))));
  largest.ways = static_cast<int>(lines / sets);
  largest.KiB = bytes < KiB ? 0 : static_cast<int>(largest.ways * sets * largest.line_bytes / KiB);
  return caches;
}

}  // namespace

Follows read_follows(const Parameters& cpu) {
  const std::string follows =
      cpu.choice("caches", "sampled", {"sampled", "on", "off"},
                 "of interpreted programs (RISC-V), sampled: loads and stores of one line in 16 go through caches; on: "
                 "all, and fetches of instructions; off: data take no time",
                 "a choice: sampled is fast, and what counted programs do");
  if (follows == "off") return Follows::nothing;
  return follows == "on" ? Follows::everything : Follows::a_sample;
}

cpu::CachesSettings read_caches(const Parameters& cpu, const cpu::CpuPart& part, double cycle_ps) {
  const cpu::SourcedCaches defaults = with_largest(part.caches, cpu, part);
  cpu::CachesSettings settings;
  settings.instructions = read_cache(cpu.section("l1i"), defaults.instructions,
                                     "the first-level cache of instructions; none: they are in that of data");
  settings.data = read_cache(cpu.section("l1d"), defaults.data, "the first-level cache of data");
  const Parameters second = cpu.section("l2");
  settings.second = read_cache(second, defaults.second, "the second-level cache, of instructions and data");
  constexpr double most_cycles = 1e6;
  settings.second_ps =
      std::llround(cycle_ps * second.real("cycles", defaults.second_cycles.value,
                                          "for which a miss of the first level stalls that the second one serves",
                                          defaults.second_cycles.source, 0, most_cycles));
  settings.second_line_ps = std::llround(
      cycle_ps *
      second.real("line_cycles", defaults.second_line_cycles.value,
                  "for which a line occupies the port between both levels: one that comes from there, or goes back",
                  defaults.second_line_cycles.source, 0, most_cycles));
  settings.memory_ps = cpu.time("memory_latency", Time{std::llround(defaults.memory_ns.value * 1e3)},
                                "for which a miss of all caches stalls", defaults.memory_ns.source)
                           .count();
  settings.misses_in_flight = cpu.real("misses_in_flight", defaults.misses_in_flight.value,
                                       "misses of data that overlap, on average: each stalls for its part of the time",
                                       defaults.misses_in_flight.source, 1, 1000);
  constexpr std::int64_t most_streams = 1024;
  settings.prefetch_streams = static_cast<std::uint64_t>(
      cpu.count("prefetch_streams", std::llround(defaults.prefetch_streams.value),
                "sequences of data lines that are fetched ahead: they occupy ports, and no latency is waited for",
                defaults.prefetch_streams.source, 0, most_streams));
  return settings;
}

std::int64_t read_misprediction_ps(const Parameters& cpu, const cpu::CpuPart& part, double cycle_ps) {
  const double share = cpu.real("mispredicted", 0,
                                "share of the conditional branches of interpreted programs that are predicted wrongly",
                                "a choice: the price of a branch alone", 0, 1);
  const cpu::Sourced& penalty = part.caches.misprediction_cycles;
  const double cycles = cpu.real("misprediction", penalty.value, "cycles that a wrongly predicted branch costs besides",
                                 penalty.source, 0, 10'000);
  return std::llround(share * cycles * cycle_ps);
}

Translates read_translation(const Parameters& cpu) {
  const std::string choice = cpu.choice(
      "translate", "auto", {"auto", "on", "off"},
      "on: interpreted programs become code of the simulating computer, with the same results; auto: if it can be",
      "a choice: runs are faster, and need AsmJit and x86-64");
  if (choice == "off") return Translates::nothing;
  return choice == "on" ? Translates::everything : Translates::what_it_can;
}

}  // namespace sanvp::host
