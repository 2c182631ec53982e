/// The caches of a CPU: how long an access of a program stalls it beyond the price of its instruction, which includes a
/// hit in the first level.
#pragma once

#include <algorithm>
#include <array>

#include "models/cpu/caches/cache.hpp"
#include "models/cpu/caches/streams.hpp"

namespace sanvp::cpu {

/// A page's physical address: pseudo-random, the same in every run, and unique to the page. First-level caches are
/// indexed by the program's addresses, the second one by these.
constexpr std::uint64_t physical(std::uint64_t address) {
  constexpr unsigned page_bits = cpu::page_bits, bits = 64 - page_bits;
  constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1, odd = 0x9E3779B97F4A7C15;
  std::uint64_t page = address >> page_bits;
  page ^= page >> 9;  // Three invertible steps, so that no two pages coincide
  page = page * odd & mask;
  page ^= page >> (bits / 2);
  return page << page_bits | (address & (page_bytes - 1));
}

/// Moves lines one after the other, and gets ahead of the CPU by as many as can be in flight.
struct CachePort {
  std::int64_t line_ps = 0, slack_ps = 0;
  std::int64_t free_ps = 0;

  /// It is never behind the CPU, which has waited for it; but a hart's local time starts again where its CPU is, after
  /// each call.
  /// @returns how long a CPU waits from `now_ps` on for so many more lines
  std::int64_t wait(std::int64_t now_ps, std::uint64_t lines) {
    free_ps = std::clamp(free_ps, now_ps - slack_ps, now_ps) + static_cast<std::int64_t>(lines) * line_ps;
    return std::max<std::int64_t>(free_ps - now_ps, 0);
  }
};

class Caches {
 public:
  explicit Caches(const CachesSettings& settings);

  /// The first level of data, as a sample sees it.
  static CacheShape data_shape(const CachesSettings& settings);
  /// The first level of instructions.
  static CacheShape instructions_shape(const CachesSettings& settings) {
    return settings.instructions.bytes != 0 ? settings.instructions : data_shape(settings);
  }

  /// Misses stall as long as in these settings, from now on.
  void adopt_times(const CachesSettings& settings);

  /// Which lines are followed: all, or a sample (Sample).
  Sample sample() const { return sample_; }

  /// A load or store of a program that is permitted, to a line that is followed. @returns the stall by latencies and
  /// the port between both levels, also for the lines that this one stands for; 0 if it had been fetched ahead
  std::int64_t access(std::uint64_t address, std::uint64_t bytes, bool writes = false) {
    const std::int64_t stall_ps = access_line(address, writes);
    if (crosses_line(address, bytes)) [[unlikely]]
      return stall_ps + access_line(address + bytes - 1, writes);
    return stall_ps;
  }
  /// The same at a time of the CPU: it also waits for the ports.
  std::int64_t access_at(std::int64_t now_ps, std::uint64_t address, std::uint64_t bytes, bool writes) {
    const Moved before = moved_;
    return stall_with_ports(now_ps, access(address, bytes, writes), before);
  }
  /// Instructions are fetched from [begin, end). @returns the stall
  std::int64_t fetch(std::uint64_t begin, std::uint64_t end);

  /// The parts of access_at() and fetch() for one line that translated code has not found in the first level. It counts
  /// accesses by itself: count().
  std::int64_t touch_at(std::int64_t now_ps, std::uint64_t address, bool writes) {
    const Moved before = moved_;
    return stall_with_ports(now_ps, data_.exists() && data_.touch(address, writes) ? 0 : miss_of_data(address, writes),
                            before);
  }
  std::int64_t touch_instructions(std::uint64_t address) {
    return first_of_instructions().touch(address) ? 0 : miss_of_instructions(address);
  }
  void count(std::uint64_t accesses, std::uint64_t fetched_lines) {
    data_.count(accesses);
    first_of_instructions().count(fetched_lines);
  }
  std::uint64_t* data_lines() { return data_.lines(); }
  std::uint64_t* instruction_lines() { return first_of_instructions().lines(); }

  /// Another unit has written to memory.
  void invalidate(std::uint64_t address, std::uint64_t bytes);

  const Cache& instructions() const { return instructions_; }
  const Cache& data() const { return data_; }
  const Cache& second() const { return second_; }
  /// Lines of data that have been fetched from memory or written back to it, without those that they stand for. Dirty
  /// lines of the first level that the second one does not hold count as its lines: no CPU's are shorter.
  std::uint64_t moved_lines() const { return moved_.by_memory; }
  /// How long the port between both levels has moved lines that were fetched ahead, with those that they stand for.
  std::int64_t ahead_ps() const { return static_cast<std::int64_t>(moved_.ahead) * second_port_.line_ps; }
  /// The cache whose misses memory serves: the second level if it exists.
  const Cache& last() const { return second_.exists() ? second_ : data_; }

 private:
  /// Lines.
  struct Moved {
    std::uint64_t by_memory = 0;  ///< of data
    std::uint64_t ahead = 0;      ///< between both levels: fetched ahead, or written back for one of these
    bool operator==(const Moved&) const = default;
  };

  Cache& first_of_instructions() { return instructions_.exists() ? instructions_ : data_; }
  bool crosses_line(std::uint64_t address, std::uint64_t bytes) const {
    return (address & (data_.line_bytes() - 1)) + bytes > data_.line_bytes();
  }
  std::int64_t access_line(std::uint64_t address, bool writes) {
    return data_.exists() && data_.access(address, writes) ? 0 : miss_of_data(address, writes);
  }
  std::int64_t miss_of_data(std::uint64_t address, bool writes);
  std::int64_t miss_of_instructions(std::uint64_t address);
  bool write_back_first();
  bool reach_second(std::uint64_t address, bool writes);
  /// The stall of an access that begins now, which has moved the lines beyond `before`.
  std::int64_t stall_with_ports(std::int64_t now_ps, std::int64_t stall_ps, const Moved& before) {
    if (moved_ == before) [[likely]]
      return stall_ps;
    return std::max({stall_ps, memory_port_.wait(now_ps, moved_.by_memory - before.by_memory),
                     second_port_.wait(now_ps, moved_.ahead - before.ahead)});
  }

  Sample sample_;
  Cache instructions_, data_, second_;
  Streams streams_;
  std::int64_t second_ps_ = 0, memory_ps_ = 0;
  std::int64_t data_memory_ps_ = 0;               ///< the part that is not hidden behind other misses
  std::array<std::int64_t, 2> data_second_ps_{};  ///< the same; [1]: a dirty line goes back to the second level
  CachePort memory_port_, second_port_;
  Moved moved_;
};

}  // namespace sanvp::cpu
