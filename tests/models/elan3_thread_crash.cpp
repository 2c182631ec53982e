/// Firmware that crashes or would run for ever: its thread ends with one clear message; the card and all other threads
/// continue.
#include <catch2/catch.hpp>

#include "tests/models/elan3_bench_thread.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

struct Crashed {
  std::vector<e3_trap> traps;
  std::string complaint;
};

/// A thread crashes, whatever its driver answers; another thread that is started after it does its work.
Crashed crash_by(Crash how, std::uint32_t verdict, std::vector<std::string> settings = {}) {
  Elan3Bench bench(1, std::move(settings));
  Crashed crashed;
  bench[0].on_interrupt = [&](Elan3Host& host) {
    crashed.traps.push_back(host.trap(E3_TRAP_THREAD));
    crashed.complaint = bench.card(0).firmware_complaint();
    host.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, E3_INT_THREAD_TRAP);
    host.resume(E3_TRAP_THREAD | verdict);
  };
  const std::uint32_t program = load_tests(bench);
  bench.program(0, [=](Elan3Host& host) {
    start(host, program, {crash, place::main, how});
    start(host, program, {ends, place::main + 8}, thread_at + 32);
  });
  bench.run();
  REQUIRE(crashed.traps.size() == 1);
  CHECK(crashed.traps[0].cause == E3_CAUSE_INSTRUCTION);
  CHECK(crashed.traps[0].object == thread_at);
  CHECK(bench[0].main_word<std::uint32_t>(place::main) == 0);
  CHECK(bench[0].main_word<std::uint32_t>(place::main + 8) == thread_at + 32);
  CHECK(bench.card(0).busy().empty());
  return crashed;
}

}  // namespace

TEST_CASE("elan3 thread: a wild pointer ends it with its program, address and function") {
  CHECK_THAT(crash_by(by_pointer, E3_RESUME_DROP).complaint,
             Catch::StartsWith("firmware 'tests/threads', segmentation fault at address 0x1230, in wild_store()"));
}

TEST_CASE("elan3 thread: one that has crashed is not resumed, even if the driver says so") {
  CHECK(crash_by(by_pointer, 0).traps.size() == 1);
}

TEST_CASE("elan3 thread: a division by 0 ends it") {
  CHECK_THAT(
      crash_by(by_division, E3_RESUME_DROP).complaint,
      Catch::StartsWith("firmware 'tests/threads', arithmetic fault, such as a division by 0, in divide_by_zero()"));
}

TEST_CASE("elan3 thread: a stack overflow ends it") {
  CHECK_THAT(crash_by(by_overrun, E3_RESUME_DROP).complaint,
             Catch::StartsWith("firmware 'tests/threads', stack overflow, in overrun_stack()"));
}

TEST_CASE("elan3 thread: a loop without any call ends after the timeout that is set") {
  CHECK_THAT(
      crash_by(by_loop, E3_RESUME_DROP, {"nic.thread.patience=100ms"}).complaint,
      Catch::StartsWith("firmware 'tests/threads', endless loop that lets no simulated time pass, in endless_loop()"));
}

TEST_CASE("elan3 thread: a load into an invalid buffer ends it, not the simulator") {
  CHECK_THAT(crash_by(by_load, E3_RESUME_DROP).complaint,
             Catch::StartsWith("firmware 'tests/threads', segmentation fault at address 0x1230"));
}

TEST_CASE("elan3 thread: a store from an invalid buffer ends it, not the simulator") {
  CHECK_THAT(crash_by(by_store, E3_RESUME_DROP).complaint,
             Catch::StartsWith("firmware 'tests/threads', segmentation fault at address 0x1230"));
}

TEST_CASE("elan3 thread: one that polls memory and never yields traps by its cycles") {
  CHECK_THAT(crash_by(by_polling, E3_RESUME_DROP, {"nic.thread.most_cycles=1000"}).complaint,
             Catch::Contains("more than 1000 cycles without giving way"));
}
