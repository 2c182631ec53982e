/// Shared by tests of the thread processor: the jobs of tests/images/threads.c, and how threads are started.
#pragma once

#include <catch2/catch.hpp>

#include "tests/models/elan3_bench.hpp"

namespace sanvp::test {

/// The numbers in tests/images/threads.c.
enum Job : std::uint32_t {
  costs,
  packets,
  breaks,
  suspends,
  waits,
  runaway,
  load_word,
  misuse,
  copy,
  dma,
  ends,
  crash,
  atomics
};
enum Crash : std::uint32_t { by_pointer, by_division, by_overrun, by_loop, by_load, by_store, by_polling };

constexpr e3_addr thread_at = place::elan, event_at = place::elan + 0x200, data_at = place::elan + 0x400;
constexpr e3_addr unmapped = 0x30000000;

inline e3_thread job(std::uint32_t program, std::initializer_list<std::uint32_t> arguments) {
  e3_thread thread{.program = program, .argument = {}};
  std::copy(arguments.begin(), arguments.end(), thread.argument);
  return thread;
}

inline std::uint32_t load(Elan3Bench& bench, int host, const char* program) {
  const int number = bench.card(host).load_firmware(program);
  REQUIRE(number >= 1);
  return static_cast<std::uint32_t>(number);
}
inline std::uint32_t load_tests(Elan3Bench& bench, int host = 0) { return load(bench, host, "tests/threads"); }

/// Starts a thread at address `at` that performs one of the test program's jobs.
inline void start(Elan3Host& host, std::uint32_t program, std::initializer_list<std::uint32_t> arguments,
                  e3_addr at = thread_at) {
  host.store(Elan3Host::sdram(at), job(program, arguments));
  host.command(0, E3_CP_RUN_THREAD, at);
}

}  // namespace sanvp::test
