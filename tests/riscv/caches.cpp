/// Caches: misses in closed form, and the time of programs that access memory through them.
#include "models/cpu/caches/caches.hpp"

#include <set>

#include <catch2/catch.hpp>

#include "models/cpu/riscv/watchpoints.hpp"
#include "tests/riscv/bare_program.hpp"

namespace {

using namespace sanvp::riscv;
using namespace sanvp::cpu;
using sanvp::cpu::CacheShape;
using sanvp::cpu::CachesSettings;

std::uint64_t misses_of_walk(Cache& cache, std::uint64_t bytes, std::uint64_t stride) {
  const std::uint64_t before = cache.misses();
  for (std::uint64_t at = 0; at < bytes; at += stride) cache.access(at);
  return cache.misses() - before;
}

TEST_CASE("a walk misses once for each line, and for each access where the stride is a line or more") {
  for (const std::uint64_t line : {16, 32, 64, 128}) {
    const CacheShape shape{.bytes = 16384, .line_bytes = line, .ways = 4};
    Cache words(shape), lines(shape), sparse(shape);
    CHECK(misses_of_walk(words, 8192, 8) == 8192 / line);
    CHECK(misses_of_walk(lines, 8192, line) == 8192 / line);
    CHECK(misses_of_walk(sparse, 8192, 2 * line) == 8192 / (2 * line));
    CHECK(words.accesses() == 1024);
  }
}

TEST_CASE("a working set that fits misses once, and one line more than fits misses always") {
  Cache cache({.bytes = 4096, .line_bytes = 64, .ways = 64});  // fully associative: least recently used lines give way
  CHECK(misses_of_walk(cache, 4096, 64) == 64);
  CHECK(misses_of_walk(cache, 4096, 64) == 0);
  CHECK(misses_of_walk(cache, 4096 + 64, 64) == 1);   // the last line, in the place of the first
  CHECK(misses_of_walk(cache, 4096 + 64, 64) == 65);  // each takes the place of the one that is needed next
}

TEST_CASE("as many lines of a set as there are ways stay, one more drives all out") {
  for (const std::uint64_t ways : {1, 2, 4}) {
    Cache cache({.bytes = 8192, .line_bytes = 64, .ways = ways});
    const std::uint64_t apart = 8192 / ways;  // the same set
    for (int round = 0; round < 10; ++round)
      for (std::uint64_t i = 0; i < ways; ++i) cache.access(i * apart);
    CHECK(cache.misses() == ways);
    for (int round = 0; round < 10; ++round)
      for (std::uint64_t i = 0; i <= ways; ++i) cache.access(0x100000 + i * apart);
    CHECK(cache.misses() == ways + 10 * (ways + 1));
  }
}

TEST_CASE("what another unit writes is fetched again, its neighbours are not") {
  Cache cache({.bytes = 1024, .line_bytes = 64, .ways = 2});
  misses_of_walk(cache, 1024, 64);
  cache.invalidate(130, 60);  // the third line
  CHECK(misses_of_walk(cache, 1024, 64) == 1);
  cache.invalidate(190, 4);  // the third and the fourth
  CHECK(misses_of_walk(cache, 1024, 64) == 2);
  cache.invalidate(0, 0);
  CHECK(misses_of_walk(cache, 1024, 64) == 0);
  cache.invalidate(512, 1 << 20);  // more than the cache holds
  CHECK(misses_of_walk(cache, 1024, 64) == 8);
}

CachesSettings two_levels() {
  return {.instructions = {1024, 64, 1},
          .data = {1024, 64, 1},
          .second = {4096, 64, 1},
          .second_ps = 1000,
          .memory_ps = 7000};
}

TEST_CASE("a stall is that of the level that has the line") {
  Caches caches(two_levels());
  CHECK(caches.access(0, 8) == 7000);
  CHECK(caches.access(56, 8) == 0);
  CHECK(caches.access(1024, 8) == 7000);  // takes the place of line 0 in the first level
  CHECK(caches.access(0, 8) == 1000);
  CHECK(caches.access(126, 4) == 7000 + 7000);  // two lines
  CHECK(caches.fetch(0, 8) == 1000);            // data have brought it to the second level
  CHECK(caches.fetch(60, 200) == 1000 + 1000 + 7000);
  constexpr std::uint64_t top = ~std::uint64_t{0};  // where a jump to nowhere may lead
  CHECK(caches.fetch(top - 1, top - 1) == 7000);
}

TEST_CASE("pages lie anywhere in the second level, each at a place of its own") {
  std::set<std::uint64_t> places;
  for (std::uint64_t page = 0; page < 100'000; ++page) places.insert(physical(page << sanvp::riscv::page_bits));
  CHECK(places.size() == 100'000);
  CHECK(physical(0x12345678) % sanvp::riscv::page_bytes == 0x678);
  // Two arrays at the same places of a direct-mapped cache of 8 MiB by their addresses, and at most by chance in it.
  CachesSettings settings{.second = {8 << 20, 64, 1}, .second_ps = 0, .memory_ps = 1};
  Caches caches(settings);
  std::int64_t misses = 0;
  for (int round = 0; round < 2; ++round)
    for (std::uint64_t at = 0; at < 1 << 20; at += 64)
      misses += caches.access(at, 8) + caches.access((16 << 20) + at, 8);
  constexpr std::int64_t lines = 2 * (1 << 20) / 64;
  CHECK(misses >= lines);
  CHECK(misses < 1.5 * lines);  // a quarter of the cache is in use: a second round misses where two pages collide
}

TEST_CASE("what another unit writes leaves all levels") {
  Caches caches(two_levels());
  caches.access(100, 8);
  caches.fetch(100, 104);
  caches.invalidate(100, 1);
  CHECK(caches.access(100, 8) == 7000);
  CHECK(caches.fetch(100, 104) == 1000);
}

TEST_CASE("a dirty line that leaves the last level is moved a second time") {
  constexpr std::uint64_t bytes = 16384, line = 64, kept = 4096;
  for (const bool has_first : {false, true})
    for (const bool writes : {false, true}) {
      CachesSettings settings = two_levels();
      if (!has_first) settings.data.bytes = 0;
      Caches caches(settings);
      for (std::uint64_t at = 0; at < bytes; at += line) caches.access(at, 8, writes);
      for (std::uint64_t at = 0; at < bytes; at += line) caches.access(bytes + at, 8);
      // Pages lie anywhere in the second level, and each takes the place of the page before.
      const std::uint64_t read = 2 * bytes / line, returned = bytes / line;
      CHECK(caches.moved_lines() == read + (writes ? returned : 0));
    }
  Caches small({.data = {kept, line, 1}, .memory_ps = 1});
  for (int round = 0; round < 3; ++round)
    for (std::uint64_t at = 0; at < kept; at += line) small.access(at, 8, true);
  CHECK(small.moved_lines() == kept / line);
  small.invalidate(0, kept);  // another unit has written
  for (std::uint64_t at = 0; at < 2 * kept; at += line) small.access(at, 8);
  CHECK(small.moved_lines() == 3 * kept / line);
}

TEST_CASE("a dirty line that leaves the first level occupies the port between both levels as one that comes") {
  CachesSettings settings = two_levels();
  settings.second_ps = 100;
  settings.second_line_ps = 300;
  Caches caches(settings);
  caches.access(0, 8, true);
  caches.access(1024, 8);
  CHECK(caches.access(0, 8, true) == 300);
  CHECK(caches.access(1024, 8) == 2 * 300);
}

TEST_CASE("memory's port moves lines one after the other, and those of a miss may overlap with the CPU's work") {
  CachesSettings settings{.data = {1024, 64, 1}, .memory_ps = 7000, .memory_line_ps = 5000};
  constexpr std::uint64_t lines = 1000;
  for (const bool writes : {false, true}) {
    Caches caches(settings);
    std::int64_t now_ps = 1'000'000'000;
    const std::int64_t begin_ps = now_ps;
    for (std::uint64_t i = 0; i < lines; ++i) now_ps += caches.access_at(now_ps, i * 64, 8, writes);
    // A load waits for its latency, a store for its line and the one that it replaces.
    CHECK(static_cast<double>(now_ps - begin_ps) == Approx(lines * (writes ? 10000 : 7000)).epsilon(0.02));
  }
}

TEST_CASE("lines in sequence are fetched ahead, upwards and downwards, for as many arrays as there are streams") {
  CachesSettings settings = two_levels();
  settings.prefetch_streams = 2;
  constexpr std::int64_t lines = 16, line = 64;
  for (const std::int64_t step : {line, -line, 2 * line})
    for (const std::int64_t arrays : {1, 2, 3}) {
      Caches caches(settings);
      std::int64_t stall_ps = 0;
      for (std::int64_t i = 0; i < lines; ++i)
        for (std::int64_t array = 1; array <= arrays; ++array)
          stall_ps += caches.access(static_cast<std::uint64_t>((array << 20) + i * step), 8);
      const bool is_ahead = arrays <= 2 && step != 2 * line;
      CHECK(stall_ps == 7000 * arrays * (is_ahead ? 1 : lines));
    }
}

TEST_CASE(
    "lines that are fetched ahead from the second level wait for its port, and not where computing takes longer") {
  constexpr std::int64_t second_line_ps = 300, slack_lines = 2;
  for (const bool samples : {false, true})
    for (const std::int64_t computing_ps : {0, 200, 400}) {
      CachesSettings settings{.data = {1024, 64, 1}, .second = {1 << 20, 64, 4}, .second_ps = 1000, .memory_ps = 7000};
      settings.second_line_ps = second_line_ps;
      settings.prefetch_streams = 1;
      settings.samples = samples;
      Caches caches(settings);
      constexpr std::uint64_t bytes = 32768;
      const auto stands_for = static_cast<std::int64_t>(caches.sample().stands_for());
      std::int64_t now_ps = 1'000'000'000, lines = 0;
      for (const bool is_there : {false, true}) {
        const std::int64_t begin_ps = now_ps;
        lines = 0;
        for (std::uint64_t at = 0; at < bytes; at += 64) {
          now_ps += computing_ps;
          if (!caches.sample().has(at)) continue;
          now_ps += caches.access_at(now_ps, at, 8, false);
          lines += stands_for;
        }
        if (!is_there) continue;
        REQUIRE(lines == bytes / 64);
        // The first line alone is waited for; the port is ahead at first by what a miss in flight moves.
        const std::int64_t first_ps = 1000 * stands_for, ahead_ps = slack_lines * second_line_ps * stands_for;
        const std::int64_t rest_ps = std::max(computing_ps, second_line_ps) * (lines - stands_for);
        const std::int64_t took_ps = now_ps - begin_ps;
        CHECK(took_ps <= first_ps + computing_ps * stands_for + rest_ps);
        CHECK(took_ps >= first_ps + rest_ps - ahead_ps);
      }
    }
}

TEST_CASE("misses in flight share the stalls of data alone") {
  CachesSettings settings = two_levels();
  settings.misses_in_flight = 4;
  Caches caches(settings);
  CHECK(caches.access(0, 8) == 1750);
  CHECK(caches.fetch(4096, 4100) == 7000);
}

TEST_CASE("without a cache of instructions they come through that of data, without any cache from memory") {
  CachesSettings settings = two_levels();
  settings.instructions.bytes = 0;
  Caches unified(settings);
  CHECK(unified.access(0, 8) == 7000);
  CHECK(unified.fetch(8, 16) == 0);
  Caches one_level({.data = {1024, 64, 1}, .memory_ps = 7000});
  one_level.access(0, 8, true);
  one_level.fetch(1024, 1028);  // takes the place of the line that was written, which goes to memory
  CHECK(one_level.moved_lines() == 2);
  Caches none({.memory_ps = 50});
  CHECK(none.access(0, 8) == 50);
  CHECK(none.access(0, 8) == 50);
  CHECK(none.fetch(0, 4) == 50);
}

/// Some rounds of walks, from each of these offsets.
double stalls_of_walks(const CachesSettings& settings, std::uint64_t bytes, std::uint64_t stride,
                       std::uint64_t offsets = 1) {
  Caches caches(settings);
  std::int64_t stall_ps = 0;
  for (int round = 0; round < 3; ++round)
    for (std::uint64_t offset = 0; offset < offsets; ++offset)
      for (std::uint64_t at = offset * 64; at < bytes; at += stride)
        if (caches.sample().has(at)) stall_ps += caches.access(at, 8);
  return static_cast<double>(stall_ps);
}

TEST_CASE("a sample stands for all lines: walks stall as long as with all of them") {
  for (const std::uint64_t line : {16, 32, 64, 128, 256, 512, 1024}) {
    CachesSettings all{.data = {16384, line, 2}, .second = {1 << 18, line, 4}, .second_ps = 1000, .memory_ps = 7000};
    CachesSettings samples = all;
    samples.samples = true;
    CHECK(samples.sample().stands_for() == (line <= 64 ? 16 : 1024 / static_cast<double>(line)));
    const auto compare = [&](std::uint64_t bytes, std::uint64_t stride, std::uint64_t offsets) {
      INFO("line " << line << ", bytes " << bytes << ", stride " << stride);
      CHECK(stalls_of_walks(samples, bytes, stride, offsets) ==
            Approx(stalls_of_walks(all, bytes, stride, offsets)).epsilon(0.05));
    };
    for (const std::uint64_t bytes : {65536, 1 << 18, 1 << 20}) {
      for (const std::uint64_t stride : {8, 16, 64, 128, 256}) compare(bytes, stride, 1);
      for (const std::uint64_t stride : {1024, 2048, 4096}) compare(bytes, stride, stride / 64);  // by columns
    }
  }
}

TEST_CASE("a sample of a fully associative cache has its part of the ways") {
  CachesSettings settings{.data = {16384, 16, 256, true}, .memory_ps = 1000};
  const double all = stalls_of_walks(settings, 1 << 15, 8);
  settings.samples = true;
  CHECK(stalls_of_walks(settings, 1 << 15, 8) == Approx(all).epsilon(0.1));
}

TEST_CASE("where a random line gives way, a round over more than fits finds some of it") {
  Cache least_recent({4096, 64, 64}), random({4096, 64, 64, true});
  for (int round = 0; round < 100; ++round)
    for (Cache* cache : {&least_recent, &random}) misses_of_walk(*cache, 4096 + 512, 64);
  CHECK(least_recent.misses() == 100 * 72);
  // A line is found again unless one of the m misses of a round took its place: h = (1 - 1 / 64)^m, m = 72 (1 - h), has
  // the solution 0.774.
  CHECK(static_cast<double>(random.misses()) == Approx(100 * 72 * (1 - 0.774)).epsilon(0.1));
}

/// Sums the words at data_at and behind it: x2 counts down, x4 sums.
constexpr std::uint32_t words = 64;
std::initializer_list<std::uint32_t> summing() {
  static const std::initializer_list<std::uint32_t> code = {
      lui(1, 2), addi(2, 0, words), lw(3, 1, 0), add(4, 4, 3), addi(1, 1, 4), addi(2, 2, -1), bne_back(2, 0, 4), ecall};
  return code;
}

struct Timed {
  BareProgram<std::uint64_t> program;
  Caches caches;
  Interpreter<std::uint64_t> interpreter;

  explicit Timed(std::initializer_list<std::uint32_t> code, const CachesSettings& settings = two_levels(),
                 std::int64_t misprediction_ps = 0)
      : program(code), caches(settings), interpreter(program.memory, plain_costs(), {true, true, misprediction_ps}) {
    program.hart.caches = &caches;
  }
};

TEST_CASE("the time of a loop is that of its instructions and a stall for each line of data and of code") {
  BareProgram<std::uint64_t> plain(summing());
  REQUIRE(plain.run(100'000) == Stop::environment_call);
  CHECK(plain.hart.time_ps == 3000 + words * (4000 + 5000));

  Timed timed(summing());
  REQUIRE(timed.interpreter.run(timed.program.hart, 100'000) == Stop::environment_call);
  constexpr std::int64_t data_lines = words * 4 / 64, code_lines = 1;
  CHECK(timed.program.hart.time_ps == plain.hart.time_ps + 7000 * (data_lines + code_lines));
  CHECK(timed.caches.data().accesses() == words);
  CHECK(timed.program.hart.retired == plain.hart.retired);
  CHECK(timed.program.hart.x == plain.hart.x);
}

TEST_CASE("stepping and watching a loop take the time of running it") {
  Timed run(summing()), stepped(summing()), watched(summing());
  run.interpreter.run(run.program.hart, 100'000);
  while (stepped.interpreter.step(stepped.program.hart) == Stop::budget) {
  }
  CHECK(stepped.program.hart.time_ps == run.program.hart.time_ps);

  Watchpoints watchpoints(watched.program.memory);
  REQUIRE(watchpoints.add({Watchpoint::Of::reads, data_at + 32, 4}));
  int hits = 0;
  Stop stop = Stop::watchpoint;
  for (; stop == Stop::watchpoint; ++hits) stop = watchpoints.run(watched.interpreter, watched.program.hart, 100'000);
  CHECK(stop == Stop::environment_call);
  CHECK(hits == 2);  // and the end
  CHECK(watched.program.hart.time_ps == run.program.hart.time_ps);
  CHECK(watched.caches.data().accesses() == run.caches.data().accesses());
}

TEST_CASE("an access that fails does not reach the caches") {
  Timed timed({lui(1, 8), lw(2, 1, 0), ecall});
  CHECK(timed.interpreter.run(timed.program.hart, 100) == Stop::fault);
  CHECK(timed.caches.data().accesses() == 0);
  CHECK(timed.program.hart.time_ps == 1000 + 7000);  // and the line of code
}

TEST_CASE("stores, atomic operations and misaligned accesses go through the caches") {
  constexpr std::uint32_t amoadd = 0x0000B02F | 3U << 7 | 1U << 15 | 2U << 20;  // amoadd.d x3, x2, (x1)
  Timed timed({lui(1, 2), sw(2, 1, 0), amoadd, lw(3, 1, 62), ecall});
  REQUIRE(timed.interpreter.run(timed.program.hart, 100) == Stop::environment_call);
  CHECK(timed.caches.data().accesses() == 4);  // the last one in two lines
  CHECK(timed.caches.data().misses() == 2);
}

TEST_CASE("conditional branches pay for wrong predictions on average, other jumps do not") {
  Timed timed(summing(), {}, 300);
  timed.interpreter.run(timed.program.hart, 100'000);
  CHECK(timed.program.hart.time_ps == 3000 + words * (4000 + 5000 + 300));
  constexpr std::uint32_t jump_on = 0x0040006F;  // jal x0, 4
  Timed jumps({jump_on, jump_on, ecall}, {}, 300);
  jumps.interpreter.run(jumps.program.hart, 100);
  CHECK(jumps.program.hart.time_ps == 3000);
}

}  // namespace
