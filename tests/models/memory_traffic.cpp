/// Memory traffic of loops, computed from the addresses that they have reached: expectations in closed form.
#include "models/host/memory_traffic.hpp"

#include <catch2/catch.hpp>

using namespace sanvp;
using host::MemoryChannel;
using host::MemoryTraffic;

namespace {

/// That of a look at a loop.
Time stall(MemoryTraffic& traffic, const native::Loop& loop, const host::OperandAddresses& operands, Time now,
           Time span, const host::OperandStrides& strides = {}) {
  traffic.look(loop, operands, now, span, strides);
  return traffic.stall(now);
}

constexpr double GBps = 1e9;
constexpr std::int64_t MiB = 1 << 20;
/// A miss takes no time but that of its bytes.
constexpr cpu::CachesSettings cache{.data = {.bytes = MiB, .line_bytes = 64, .ways = 4}};

/// A loop with one operand that reads or writes memory at 8 bytes per given picoseconds of computing.
struct Walk {
  native::Loop loop{.returns_to = 1, .operands = std::vector(1, native::Operand{.base = 0, .bytes = 8})};
  host::OperandAddresses operands{};

  /// The whole time of `bytes` from `begin` on, sampled every 2 us of computing.
  Time time(MemoryTraffic& traffic, std::uintptr_t begin, std::uintptr_t bytes, Time per_word, Time at = Time{0}) {
    const Time start = at;
    constexpr Time quantum = 2us;
    const auto step = static_cast<std::uintptr_t>(quantum / per_word) * 8;
    operands[0] = begin;
    stall(traffic, loop, operands, at, Time{0});
    for (std::uintptr_t done = 0; done < bytes; done += step) {
      operands[0] = begin + std::min(done + step, bytes);
      at += quantum;
      at += stall(traffic, loop, operands, at, quantum);
    }
    return at - start;
  }
};

}  // namespace

TEST_CASE("a loop over more than the cache holds runs at the rate of memory") {
  Walk walk;
  MemoryChannel channel(10 * GBps);
  MemoryTraffic traffic(channel, cache, 1 * GBps, 1ns);
  // 16 MiB at 1 GB/s: 16.8 ms, while computing takes 2.1 ms.
  const Time time = walk.time(traffic, 1 << 30, 16 * MiB, 1ns);
  CHECK(in_ns(time) == Approx(16 * MiB).epsilon(0.01));
}

TEST_CASE("a loop that writes moves each line twice, but for those that are still in the cache") {
  Walk walk;
  walk.loop.operands[0].stores = true;
  MemoryChannel channel(10 * GBps);
  MemoryTraffic traffic(channel, cache, 1 * GBps, 1ns);
  const Time time = walk.time(traffic, 1 << 30, 16 * MiB, 1ns);
  CHECK(in_ns(time) == Approx(16 * MiB + 15 * MiB).epsilon(0.01));
}

TEST_CASE("what a card moves while a CPU waits for memory comes on top, what it moves before does not") {
  constexpr std::int64_t card_bytes = 4 * MiB;
  for (const bool is_before : {true, false}) {
    Walk walk;
    MemoryChannel channel(1 * GBps);
    MemoryTraffic traffic(channel, cache, 1 * GBps, 1ns);
    constexpr Time begin = 20ms;  // of the loop, which the card precedes or accompanies
    constexpr std::uintptr_t steps = 400, step = 16000, piece = card_bytes / steps;
    walk.operands[0] = 1 << 30;
    if (is_before)
      for (std::uintptr_t i = 0; i < steps; ++i) channel.take(Time{2us} * static_cast<Time::rep>(i), piece);
    Time at = begin;
    stall(traffic, walk.loop, walk.operands, at, Time{0});
    for (std::uintptr_t i = 0; i < steps; ++i) {
      walk.operands[0] += step;
      at += 2us;
      if (!is_before) channel.take(at, piece);
      at += stall(traffic, walk.loop, walk.operands, at, 2us);
    }
    const std::int64_t moved = step * steps + (is_before ? 0 : card_bytes);
    CHECK(in_ns(at - begin) == Approx(moved).epsilon(0.02));
  }
}

TEST_CASE("a loop that computes longer than memory takes does not wait for memory") {
  Walk walk;
  MemoryChannel channel(10 * GBps);
  MemoryTraffic traffic(channel, cache, 1 * GBps, 1ns);
  const Time time = walk.time(traffic, 1 << 30, 4 * MiB, 10ns);
  CHECK(in_ns(time) == Approx(4.0 * MiB / 8 * 10).epsilon(0.01));
}

TEST_CASE("a loop over the second level waits for lines that are fetched ahead only as far as its port is slower") {
  // 8 words a line: 16 ns of computing. The port takes 4 or 32 ns; without prefetching a line stalls for 80 ns.
  for (const std::int64_t line_ps : {4'000, 32'000})
    for (const std::uint64_t streams : {0, 1}) {
      const cpu::CachesSettings settings{.data = {.bytes = 1024, .line_bytes = 64, .ways = 1},
                                         .second = {.bytes = 4 * MiB, .line_bytes = 64, .ways = 4},
                                         .second_ps = 80'000,
                                         .second_line_ps = line_ps,
                                         .prefetch_streams = streams};
      Walk walk;
      MemoryChannel channel(10 * GBps);
      MemoryTraffic traffic(channel, settings, 1 * GBps, 1ns);
      const Time first = walk.time(traffic, 1 << 30, MiB / 4, 2ns);
      const Time time = walk.time(traffic, 1 << 30, MiB / 4, 2ns, first + 10us);
      const double line_ns = streams == 0 ? 16 + 80 : std::max<double>(16, static_cast<double>(line_ps) / 1000);
      constexpr std::int64_t lines = MiB / 4 / 64;
      CHECK(in_ns(time) == Approx(static_cast<double>(lines) * line_ns).epsilon(0.02));
    }
}

TEST_CASE("a loop that computes longer than memory takes does not wait, however long it is until the next look") {
  for (const Time span : {2us, 50us, 500us}) {
    Walk walk;
    MemoryChannel channel(10 * GBps);
    MemoryTraffic traffic(channel, cache, 2 * GBps, 1ns);
    walk.operands[0] = std::uintptr_t{1} << 30;
    Time at{0}, stalled{0};
    for (int i = 0; i < 100; ++i) {
      walk.operands[0] += static_cast<std::uintptr_t>(span / 1ns);  // a byte each ns
      at += span;
      stalled += stall(traffic, walk.loop, walk.operands, at, span);
    }
    CHECK(stalled == Time{0});
  }
}

TEST_CASE("a loop over cached data runs at the rate of computing the second time") {
  Walk walk;
  MemoryChannel channel(10 * GBps);
  MemoryTraffic traffic(channel, cache, 1 * GBps, 1ns);
  const Time first = walk.time(traffic, 1 << 30, MiB / 2, 1ns);
  const Time second = walk.time(traffic, 1 << 30, MiB / 2, 1ns, 10ms);
  CHECK(in_ns(first) == Approx(MiB / 2).epsilon(0.1));
  CHECK(in_ns(second) == Approx(MiB / 2 / 8).epsilon(0.02));
}

TEST_CASE("a loop that restarts on another array does not wait for the memory in between") {
  Walk walk;
  MemoryChannel channel(10 * GBps);
  MemoryTraffic traffic(channel, cache, 1 * GBps, 1ns);
  walk.time(traffic, 1 << 30, MiB / 2, 1ns);
  // With or without computing elsewhere in between: the other array is farther away than loads reach.
  for (const Time span : {Time{2us}, Time{2ms}}) {
    walk.operands[0] += 16 * MiB;
    CHECK(stall(traffic, walk.loop, walk.operands, 10ms, span) == Time{0});
  }
}

TEST_CASE("a loop that follows a list is not charged for the memory between its elements") {
  Walk walk;
  MemoryChannel channel(10 * GBps);
  MemoryTraffic traffic(channel, cache, 1 * GBps, 1ns);
  constexpr std::uintptr_t elements = 1000, far = 64 * MiB;
  Time at{0};
  for (std::uintptr_t i = 0; i < elements; ++i) {
    walk.operands[0] = (std::uintptr_t{1} << 32) + i * 7919 % elements * far;
    at += 2us;
    CHECK(stall(traffic, walk.loop, walk.operands, at, 2us) == Time{0});
  }
}

TEST_CASE("a loop that begins with an address below zero ends") {
  Walk walk;
  MemoryChannel channel(10 * GBps);
  MemoryTraffic traffic(channel, cache, 1 * GBps, 1ns);
  walk.operands[0] = std::uintptr_t{0} - 64;  // as an index does that counts up to zero
  stall(traffic, walk.loop, walk.operands, 2us, 2us);
  walk.operands[0] += 56;
  CHECK(stall(traffic, walk.loop, walk.operands, 4us, 2us) < 1us);
}

TEST_CASE("CPUs of a node share its memory") {
  Walk one, other;
  MemoryChannel channel(1 * GBps);
  MemoryTraffic first(channel, cache, 1 * GBps, 1ns), second(channel, cache, 1 * GBps, 1ns);
  constexpr Time quantum = 2us;
  constexpr std::uintptr_t step = 16000, steps = 500;
  Time at_one{0}, at_other{0};
  one.operands[0] = 1 << 30;
  other.operands[0] = std::uintptr_t{1} << 31;
  stall(first, one.loop, one.operands, at_one, Time{0});
  stall(second, other.loop, other.operands, at_other, Time{0});
  for (std::uintptr_t i = 0; i < steps; ++i) {
    one.operands[0] += step;
    other.operands[0] += step;
    at_one += quantum;
    at_one += stall(first, one.loop, one.operands, at_one, quantum);
    at_other += quantum;
    at_other += stall(second, other.loop, other.operands, at_other, quantum);
  }
  // Both together move 16 MB at 1 GB/s.
  CHECK(in_ns(at_one) == Approx(2 * step * steps).epsilon(0.02));
  CHECK(in_ns(at_other) == Approx(2 * step * steps).epsilon(0.02));
}

TEST_CASE("an operand's address is base, index times scale, and displacement") {
  native::Loader loader;
  const native::Image image{std::string(SANVP_SW) + "/tests/faults.so", loader};
  hal_registers registers{};
  registers.general[3] = 1000;
  registers.general[9] = 7;
  const native::Operand operand{.base = 3, .index = 9, .scale = 8, .displacement = -16};
  CHECK(host::address_of(operand, registers, image) == 1000 + 7 * 8 - 16);
}

TEST_CASE("a walk by a stride waits for a line with each access, and for its return if it is written") {
  constexpr std::int64_t stride = 1024, turns = 2000, samples = 8;  // turns in a sample of 2 us
  for (const bool stores : {false, true}) {
    native::Operand operand{.base = 0, .bytes = 8, .stores = stores};
    operand.motion = native::Operand::Motion::strided;
    native::Loop loop{.returns_to = 1, .operands = {operand}};
    loop.turn_ps = 1000;
    MemoryChannel channel(10 * GBps);
    MemoryTraffic traffic(channel, cache, 1 * GBps, 1ns);
    host::OperandAddresses operands{std::uintptr_t{1} << 30};
    Time at{0};
    for (int sample = 0; sample <= samples; ++sample) {
      at += 2us;
      at += stall(traffic, loop, operands, at, 2us, {stride});
      operands[0] += stride * turns;
    }
    // The stride meets a set in 16, so that the cache keeps 1,024 lines.
    constexpr std::int64_t line = 64, fetched = samples * turns, kept = MiB / stride;
    CHECK(in_ns(at) == Approx(line * (fetched + (stores ? fetched - kept : 0))).epsilon(0.05));
  }
}

TEST_CASE("a loop that begins again between two looks waits for all that it passes") {
  native::Operand operand{.base = 0, .bytes = 8};
  operand.motion = native::Operand::Motion::strided;
  native::Loop loop{.returns_to = 1, .operands = {operand}};
  loop.turn_ps = 1000;
  for (const std::int64_t stride : {8, -8}) {
    MemoryChannel channel(10 * GBps);
    MemoryTraffic traffic(channel, cache, 1 * GBps, 1ns);
    constexpr std::uintptr_t begin = std::uintptr_t{1} << 30, array = 2 * MiB;  // twice the cache
    constexpr std::uintptr_t passes = 20, turns = 100'000;                      // in a look: 2.6 looks pass through it
    Time at{0};
    std::uintptr_t passed = 0;
    for (; passed < passes * array; passed += turns * 8) {
      const std::uintptr_t offset = passed % array;
      at += 100us;
      at += stall(traffic, loop, {begin + (stride > 0 ? offset : array - 8 - offset)}, at, 100us, {stride});
    }
    // The first look has none before it. The array's ends are known only as far as looks have come near them.
    CHECK(in_ns(at) == Approx(static_cast<double>(passed - turns * 8)).epsilon(0.15));
  }
}

TEST_CASE("a walk down short columns waits for each of its lines, also if its loop is left between two looks") {
  native::Operand operand{.base = 0, .bytes = 8};
  operand.motion = native::Operand::Motion::strided;
  native::Loop columns{.returns_to = 1, .operands = {operand}}, other{.returns_to = 2, .operands = {operand}};
  columns.turn_ps = 10'000;
  other.turn_ps = 10'000;
  // 512 columns of 64 lines each, twice the cache. A column takes 640 ns, and work on it ten times as long.
  constexpr std::int64_t line = 64, rows = 64, pitch = 512 * line;
  constexpr Time column = 640ns, work = 6430ns, between_looks = 4370ns;
  constexpr std::uintptr_t begin = std::uintptr_t{1} << 30, buffer = std::uintptr_t{1} << 31;
  MemoryChannel channel(10 * GBps);
  auto slow = cache;
  slow.memory_ps = 100'000;
  MemoryTraffic traffic(channel, slow, 10 * GBps, 1ns);
  Time computed{0};
  double waited_ns = 0;
  for (; computed < 50ms; computed += between_looks) {
    const Time phase = computed % (column + work);
    const std::int64_t number = computed / (column + work) % 512, row = phase / 10ns;
    if (phase < column)
      waited_ns += in_ns(stall(traffic, columns, {begin + static_cast<std::uintptr_t>(number * line + row * pitch)},
                               computed, between_looks, {pitch}));
    else
      traffic.look(other, {buffer + static_cast<std::uintptr_t>((row - rows) % 64 * 8)}, computed, between_looks, {8});
  }
  const double turns = in_ns(computed) / in_ns(column + work) * rows;
  CHECK(waited_ns == Approx(turns * 100).epsilon(0.2));
}

TEST_CASE("a loop over one array and then another does not wait for what lies in between") {
  native::Operand operand{.base = 0, .bytes = 8};
  operand.motion = native::Operand::Motion::strided;
  native::Loop loop{.returns_to = 1, .operands = {operand}};
  loop.turn_ps = 1000;
  MemoryChannel channel(10 * GBps);
  MemoryTraffic traffic(channel, cache, 1 * GBps, 1ns);
  constexpr std::uintptr_t large = std::uintptr_t{1} << 30, small = large - 64 * MiB, step = 16'000;
  Time at{0};
  for (std::uintptr_t done = 0; done < 4 * MiB; done += step) {
    at += 2us;
    at += stall(traffic, loop, {large + done}, at, 2us, {8});
  }
  const Time before = at;
  for (std::uintptr_t look = 0; look < 100; ++look) {  // it goes round in 2 KiB
    at += 2us;
    at += stall(traffic, loop, {small + look * step % 2048}, at, 2us, {8});
  }
  CHECK(in_ns(at - before) == Approx(100 * 2000).epsilon(0.05));  // but for its own 32 lines, 64 ns each
}

TEST_CASE("a loop that has once loaded from far away does not wait for what lies in between for ever") {
  native::Operand operand{.base = 0, .bytes = 8};
  operand.motion = native::Operand::Motion::loaded;
  native::Loop loop{.returns_to = 1, .operands = {operand}};
  loop.turn_ps = 2000;
  MemoryChannel channel(10 * GBps);
  MemoryTraffic traffic(channel, cache, 1 * GBps, 1ns);
  constexpr std::uintptr_t begin = std::uintptr_t{1} << 30, table = MiB / 4;  // a quarter of the cache
  Time at{0};
  const auto look_at = [&](std::uintptr_t place) {
    at += 100us;
    const Time stalled = stall(traffic, loop, {place}, at, 100us);
    at += stalled;
    return stalled;
  };
  const auto somewhere = [](std::uintptr_t i) { return begin + i * 39'999'997 % table / 8 * 8; };
  for (std::uintptr_t i = 1; i <= 40; ++i) look_at(somewhere(i));
  CHECK(look_at(somewhere(41)) == Time{0});  // the table is in the cache
  look_at(begin + 64 * MiB);
  Time last{0};
  for (std::uintptr_t i = 42; i <= 142; ++i) last = look_at(somewhere(i));
  CHECK(last == Time{0});
}
