/// E3_REG_SCHEDULE, and queues that become full.
#include <catch2/catch.hpp>

#include "tests/models/elan3_bench_dma.hpp"
#include "tests/models/elan3_bench_thread.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr Time begin = 10us, off = 100us;

/// The driver's interrupts, ORed.
void collect(Elan3Bench& bench, int host, std::uint32_t& bits) {
  bench[host].on_interrupt = [&bits](Elan3Host& at) {
    const std::uint32_t pending = at.read32(E3_BAR_REGISTERS, E3_REG_INTERRUPT);
    at.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, pending);
    bits |= pending;
    for (std::uint32_t unit = 0; unit < E3_TRAP_RECORDS; ++unit) at.resume(unit | E3_RESUME_DROP);
  };
}

/// Records when a DMA of host 0 arrives at host 1, while the driver of host 1 or 0 sets a switch before it and resets
/// it at `off`.
struct Switched {
  Time done = never;
  std::uint32_t interrupts = 0;
};
Switched switch_off(int host, std::uint32_t word) {
  Elan3Bench bench(2);
  Switched result;
  collect(bench, host, result.interrupts);
  bench.program(1, [&](Elan3Host& at) {
    prime(at, dest_event, dest_done);
    if (host == 1) {
      at.write32(E3_BAR_REGISTERS, E3_REG_SCHEDULE, word);
      at.wait_until(off);
      CHECK(at.read32(E3_BAR_REGISTERS, E3_REG_SCHEDULE) == word);
      at.write32(E3_BAR_REGISTERS, E3_REG_SCHEDULE, 0);
    }
  });
  bench.program(0, [&](Elan3Host& at) {
    fill(at, source, 1000);
    if (host == 0) at.write32(E3_BAR_REGISTERS, E3_REG_SCHEDULE, word);
    at.wait_until(begin);
    e3_dma one = write_dma(1000, 1);
    put(at, one);
    at.wait_until(off);
    if (host == 0) at.write32(E3_BAR_REGISTERS, E3_REG_SCHEDULE, 0);
  });
  bench.run();
  CHECK(right_bytes(bench[1], dest, 1000) == 1000);
  CHECK(bench.card(0).busy().empty());
  result.done = done_at(bench[1], dest_done);
  return result;
}

}  // namespace

TEST_CASE("elan3 halts its DMA engine and tells the driver, and resumes where it was") {
  const Switched result = switch_off(0, E3_SCHEDULE_HALT_DMA);
  CHECK(result.done > off);
  CHECK(result.done < off + 10us);
  CHECK(result.interrupts == E3_INT_DMA_HALTED);
}

TEST_CASE("elan3 stops its command processor, and loses no command") {
  const Switched result = switch_off(0, E3_SCHEDULE_STOP_COMMAND);
  CHECK(result.done > off);
  CHECK(result.done < off + 10us);
}

TEST_CASE("elan3 discards packets for users while the driver says so, and the sender's retries succeed afterwards") {
  const Switched result = switch_off(1, E3_SCHEDULE_DISCARD_USER);
  CHECK(result.done > off);
  CHECK(result.interrupts == E3_INT_DISCARD_USER);
}

TEST_CASE("elan3 serves users while only the system's input is discarded") {
  const Switched result = switch_off(1, E3_SCHEDULE_DISCARD_SYSTEM);
  CHECK(result.done < begin + 10us);
  CHECK(result.interrupts == E3_INT_DISCARD_SYSTEM);
}

TEST_CASE("elan3 halts its thread processor and tells the driver, and resumes") {
  Elan3Bench bench(1);
  std::uint32_t interrupts = 0;
  collect(bench, 0, interrupts);
  const std::uint32_t program = load_tests(bench);
  bench.program(0, [=](Elan3Host& at) {
    at.write32(E3_BAR_REGISTERS, E3_REG_SCHEDULE, E3_SCHEDULE_HALT_THREAD);
    at.wait_until(begin);
    start(at, program, {ends, place::main});
    at.wait_until(off);
    CHECK(at.main_word<std::uint32_t>(place::main) == 0);
    at.write32(E3_BAR_REGISTERS, E3_REG_SCHEDULE, 0);
  });
  bench.run();
  CHECK(interrupts == E3_INT_THREAD_HALTED);
  CHECK(bench[0].main_word<std::uint32_t>(place::main) == thread_at);
}

TEST_CASE("elan3 interrupts when the command port is half full, and traps for a lost command") {
  Elan3Bench bench(1, {"nic.command.entries=4"});
  std::uint32_t interrupts = 0;
  e3_trap lost{};
  int traps = 0;
  bench[0].on_interrupt = [&](Elan3Host& at) {
    const std::uint32_t pending = at.read32(E3_BAR_REGISTERS, E3_REG_INTERRUPT);
    at.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, pending);
    interrupts |= pending;
    if ((pending & E3_INT_COMMAND_TRAP) == 0) return;
    ++traps;
    lost = at.trap(E3_TRAP_COMMAND);
    at.resume(E3_TRAP_COMMAND | E3_RESUME_DROP);
  };
  constexpr std::int32_t fresh = 100;
  constexpr int commands = 6;  // one in work, which the stopped processor has not begun, counts as waiting
  bench.program(0, [&](Elan3Host& at) {
    at.store(Elan3Host::sdram(src_event), e3_event{.count = fresh, .type = 0});
    at.write32(E3_BAR_REGISTERS, E3_REG_SCHEDULE, E3_SCHEDULE_STOP_COMMAND);
    at.wait_until(begin);
    for (int i = 0; i < commands; ++i) at.command(0, E3_CP_SET_EVENT, src_event);
    at.wait_until(off);
    CHECK(interrupts == E3_INT_COMMAND_HALF_FULL);
    at.write32(E3_BAR_REGISTERS, E3_REG_SCHEDULE, 0);
  });
  bench.run();
  CHECK(bench[0].load<e3_event>(Elan3Host::sdram(src_event)).count == fresh - 4);
  CHECK(traps == 1);
  CHECK(lost.cause == E3_CAUSE_QUEUE);
  CHECK(lost.address == src_event);
  CHECK(bench.card(0).busy().empty());
}

TEST_CASE("elan3 traps for a DMA that does not fit into its run queue, and sends the others") {
  Elan3Bench bench(2, {"nic.dma.user_entries=2"});
  std::vector<std::uint32_t> causes;
  bench[0].on_interrupt = [&](Elan3Host& at) {
    causes.push_back(at.trap(E3_TRAP_COMMAND).cause);
    at.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, E3_INT_COMMAND_TRAP | E3_INT_DMA_HALTED);
    at.resume(E3_TRAP_COMMAND | E3_RESUME_DROP);
  };
  bench.program(0, [&](Elan3Host& at) {
    at.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT_MASK, E3_INT_COMMAND_TRAP);
    fill(at, source, 64);
    at.write32(E3_BAR_REGISTERS, E3_REG_SCHEDULE, E3_SCHEDULE_HALT_DMA);
    at.wait_until(begin);
    for (std::uint32_t i = 0; i < 3; ++i) {
      e3_dma one = write_dma(64, 1);
      one.dest += i * 64;
      one.dest_event = 0;
      put(at, one, i);
    }
    at.wait_until(off);
    at.write32(E3_BAR_REGISTERS, E3_REG_SCHEDULE, 0);
  });
  bench.run();
  CHECK(causes == std::vector<std::uint32_t>{E3_CAUSE_QUEUE});
  CHECK(right_bytes(bench[1], dest, 64) == 64);
  CHECK(right_bytes(bench[1], dest + 64, 64) == 64);
  CHECK(right_bytes(bench[1], dest + 128, 64) == 0);
}

TEST_CASE("elan3 traps if an answer never comes, and has done the DMA once after the driver has retried it") {
  // The far driver handles a missing page more slowly than the sender's card waits.
  Elan3Bench bench(2, {"nic.link.timeout=100us"});
  constexpr e3_addr hole = dest + 0x3000;
  std::vector<std::uint32_t> causes;
  bench[0].on_interrupt = [&](Elan3Host& at) {
    causes.push_back(at.trap(E3_TRAP_DMA).cause);
    at.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, E3_INT_DMA_TRAP);
    at.resume(E3_TRAP_DMA);
  };
  bench.program(1, [&](Elan3Host& at) {
    at.unmap(0, hole);
    at.store(Elan3Host::sdram(dest_event), e3_event{.count = 9, .type = 0});
    at.wait_until(250us);
    at.map(0, hole, place::data + (hole - place::elan), true);
    for (const std::uint32_t unit : {E3_TRAP_INPUT0, E3_TRAP_INPUT1}) at.resume(unit);
    at.wait_until(300us);
    for (const std::uint32_t unit : {E3_TRAP_INPUT0, E3_TRAP_INPUT1}) at.resume(unit);
  });
  bench.program(0, [&](Elan3Host& at) {
    fill(at, source, 64);
    at.wait_until(begin);
    e3_dma one = write_dma(64, 1);
    one.dest = hole;
    put(at, one);
  });
  bench.run();
  CHECK(causes.size() >= 2);
  for (const std::uint32_t cause : causes) CHECK(cause == E3_CAUSE_NO_ANSWER);
  CHECK(right_bytes(bench[1], hole, 64) == 64);
  CHECK(bench[1].load<e3_event>(Elan3Host::sdram(dest_event)).count == 8);
  CHECK(bench.card(0).busy().empty());
  CHECK(bench.card(1).busy().empty());
}
