/// The interpreter: budgets, stops, faults, counters, breakpoints, changed code.
#include "models/cpu/riscv/interpreter.hpp"

#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/riscv/bare_program.hpp"

namespace {

using namespace sanvp::riscv;
using Program64 = BareProgram<std::uint64_t>;
using Program32 = BareProgram<std::uint32_t>;

/// x1 counts down, x2 sums.
std::initializer_list<std::uint32_t> countdown() {
  static const std::initializer_list<std::uint32_t> words = {addi(1, 0, 100), add(2, 2, 1), addi(1, 1, -1),
                                                             bne_back(1, 0, 2), ecall};
  return words;
}

TEST_CASE("a loop runs to its environment call") {
  Program64 program(countdown());
  CHECK(program.run(1'000'000) == Stop::environment_call);
  CHECK(program.hart.x[2] == 5050);
  CHECK(program.hart.retired == 1 + 3 * 100 + 1);
  CHECK(program.hart.pc == code_at + 20);
}

TEST_CASE("a budget ends at the end of a block and the run goes on where it was") {
  Program64 program(countdown());
  CHECK(program.run(10) == Stop::budget);
  CHECK(program.hart.retired == 10);  // 4, then blocks of 3
  CHECK(program.run(1) == Stop::budget);
  CHECK(program.hart.retired == 13);
  CHECK(program.run(1'000'000) == Stop::environment_call);
  CHECK(program.hart.x[2] == 5050);
}

TEST_CASE("time is the sum of the prices of instructions") {
  Program64 program({lui(1, 2), lw(2, 1, 0), lw(3, 1, 4), ecall});
  program.run(100);
  CHECK(program.hart.time_ps == 2 * 1000 + 2 * 5000);
  CHECK(program.interpreter.blocks().executed()[HAL_LOAD] == 2);
}

TEST_CASE("counters are exact in the middle of a program") {
  Program64 program({nop, nop, csrr(1, 0xC02), nop, csrr(2, 0xC02), csrr(3, 0xC00), ecall});
  program.run(100);
  CHECK(program.hart.x[1] == 2);
  CHECK(program.hart.x[2] == 4);
  CHECK(program.hart.x[3] == 6);  // cycles, its own included
}

TEST_CASE("a fault names cause and address and takes back what was not executed") {
  Program64 program({lui(1, 8), addi(2, 0, 7), lw(2, 1, 12), addi(3, 0, 1), ecall});
  CHECK(program.run(100) == Stop::fault);
  CHECK(program.hart.fault.cause == Cause::load_fault);
  CHECK(program.hart.fault.address == 0x800C);
  CHECK(program.hart.pc == code_at + 8);
  CHECK(program.hart.x[2] == 7);
  CHECK(program.hart.x[3] == 0);
  CHECK(program.hart.retired == 2);
  CHECK(program.hart.time_ps == 2000);
}

TEST_CASE("a store to a page that may only be read is a fault") {
  Program64 program({lui(1, 1), sw(0, 1, 0)});
  CHECK(program.run(100) == Stop::fault);
  CHECK(program.hart.fault.cause == Cause::store_fault);
  CHECK(program.hart.fault.address == code_at);
}

TEST_CASE("an access over the end of a page needs both pages") {
  Program64 program({lui(1, 3), lw(2, 1, -2), ecall});
  CHECK(program.run(100) == Stop::fault);
  CHECK(program.hart.fault.address == 0x3000);
  program.memory.protect(0x3000, page_bytes, readable);
  CHECK(program.run(100) == Stop::environment_call);
}

TEST_CASE("code that is not there and code that is none are faults") {
  Program64 program({0xFFFFFFFF});
  CHECK(program.run(100) == Stop::fault);
  CHECK(program.hart.fault.cause == Cause::illegal_instruction);
  CHECK(program.hart.fault.address == 0xFFFFFFFF);
  program.hart.pc = data_at;
  CHECK(program.run(100) == Stop::fault);
  CHECK(program.hart.fault.cause == Cause::fetch_fault);
  CHECK(program.hart.fault.address == data_at);
  program.hart.pc = ~std::uint64_t{1};
  CHECK(program.run(100) == Stop::fault);
  CHECK(program.hart.retired == 0);
}

TEST_CASE("a write to x0 is lost") {
  Program64 program({addi(0, 0, 5), add(1, 0, 0), ecall});
  program.run(100);
  CHECK(program.hart.x[0] == 0);
  CHECK(program.hart.x[1] == 0);
}

TEST_CASE("a breakpoint stops before its instruction each time") {
  Program64 program(countdown());
  program.interpreter.blocks().set_breakpoint(code_at + 8);
  for (int round = 0; round < 3; ++round) {
    CHECK(program.run(1000) == Stop::held);
    CHECK(program.hart.pc == code_at + 8);
    const auto ahead = program.interpreter.ahead(program.hart);
    CHECK(program.hart.retired - ahead.instructions == static_cast<std::uint64_t>(2 + 3 * round));
    CHECK(program.interpreter.step(program.hart) == Stop::budget);
    CHECK(program.hart.pc == code_at + 12);
  }
  program.interpreter.blocks().clear_breakpoint(code_at + 8);
  CHECK(program.run(1000) == Stop::environment_call);
  CHECK(program.hart.x[2] == 5050);
}

/// Runs in turns of `budget` instructions, past all breakpoints, with a step or two after each.
/// @returns instructions and time after each turn
std::vector<std::pair<std::uint64_t, std::int64_t>> turns(Program64& program, std::uint64_t budget) {
  std::vector<std::pair<std::uint64_t, std::int64_t>> ends;
  Hart64& hart = program.hart;
  for (Stop stop = Stop::budget; stop != Stop::environment_call && ends.size() < 1000;) {
    const std::uint64_t limit = hart.retired + budget;
    do {
      stop = program.run(limit > hart.retired ? limit - hart.retired : 0);
      for (int steps = 0; steps < 2 && hart.left.block != nullptr; ++steps) stop = program.interpreter.step(hart);
    } while (stop != Stop::environment_call && (hart.retired < limit || hart.left.block != nullptr));
    ends.emplace_back(hart.retired, hart.time_ps);
  }
  return ends;
}

TEST_CASE("turns end where they end without breakpoints and steps, at the same times") {
  for (const std::uint64_t budget : {1, 2, 3, 7, 50}) {
    Program64 plain(countdown()), debugged(countdown());
    for (const std::uint64_t offset : {0, 4, 8, 12, 16}) debugged.interpreter.blocks().set_breakpoint(code_at + offset);
    CHECK(turns(debugged, budget) == turns(plain, budget));
    CHECK(debugged.interpreter.blocks().executed() == plain.interpreter.blocks().executed());
  }
}

TEST_CASE("a hart that leaves its block in the middle has paid for what it executed") {
  Program64 program({addi(1, 0, 1), addi(1, 1, 1), addi(1, 1, 1), ecall});
  program.interpreter.blocks().set_breakpoint(code_at + 8);
  CHECK(program.run(100) == Stop::held);
  program.interpreter.leave(program.hart);
  CHECK(program.hart.left.block == nullptr);
  CHECK(program.hart.retired == 2);
  CHECK(program.hart.time_ps == 2000);
  CHECK(program.hart.x[1] == 2);
}

TEST_CASE("steps execute one instruction each") {
  Program64 program(countdown());
  int steps = 1;
  while (program.interpreter.step(program.hart) == Stop::budget) ++steps;
  CHECK(steps == 302);
  CHECK(program.hart.x[2] == 5050);
}

TEST_CASE("ebreak stops at itself") {
  Program64 program({nop, ebreak});
  CHECK(program.run(100) == Stop::breakpoint);
  CHECK(program.hart.pc == code_at + 4);
  CHECK(program.hart.retired == 1);
}

TEST_CASE("code that the program changes is run after fence.i") {
  Program64 program(
      {lui(1, 1), lui(3, addi(2, 0, 9) >> 12), addi(3, 3, 0x113), sw(3, 1, 20), fence_i, addi(2, 0, 5), ecall});
  program.memory.protect(code_at, page_bytes, readable | writable | executable);
  program.hart.pc = code_at + 20;
  CHECK(program.run(10) == Stop::environment_call);  // decodes what is there at first
  CHECK(program.hart.x[2] == 5);
  program.hart.pc = code_at;
  CHECK(program.run(10) == Stop::environment_call);
  CHECK(program.hart.x[2] == 9);
}

TEST_CASE("blocks of a range are forgotten with all that leads to them") {
  Program64 program(countdown());
  program.run(1000);
  store_to(program.memory.window(), code_at + 4, add(2, 2, 0));
  program.interpreter.blocks().drop(code_at, page_bytes);
  CHECK(program.interpreter.blocks().size() == 0);
  CHECK(program.interpreter.blocks().executed()[HAL_BRANCH] == 100);  // those are remembered
  program.hart.pc = code_at;
  program.hart.x[2] = 0;
  program.run(1000);
  CHECK(program.hart.x[2] == 0);
}

TEST_CASE("RV32 has registers of 32 bits") {
  Program32 program(
      {addi(1, 0, -1), mul(2, 1, 1), lui(3, 0x80000), add(4, 3, 3), lui(5, 2), sw(1, 5, 8), lw(6, 5, 8), ecall});
  CHECK(program.run(100) == Stop::environment_call);
  CHECK(program.hart.x[1] == 0xFFFFFFFF);
  CHECK(program.hart.x[2] == 1);
  CHECK(program.hart.x[4] == 0);
  CHECK(program.hart.x[6] == 0xFFFFFFFF);
}

TEST_CASE("RV32 lacks instructions of 64 bits and has both halves of counters") {
  constexpr std::uint32_t ld = 0x3003, addiw = 0x1B;
  for (const std::uint32_t word : {ld, addiw}) {
    Program32 program({word});
    CHECK(program.run(10) == Stop::fault);
    CHECK(program.hart.fault.cause == Cause::illegal_instruction);
  }
  Program32 program({csrr(1, 0xC02), csrr(2, 0xC82), ecall});
  program.hart.retired = (std::uint64_t{7} << 32) + 5;
  program.run(100);
  CHECK(program.hart.x[1] == 5);
  CHECK(program.hart.x[2] == 7);
}

TEST_CASE("compressed jumps link to the next halfword on RV32") {
  Program32 program({0x00012005U /* c.jal +0: to itself is no use */});
  constexpr std::uint16_t c_jal_4 = 0x2011, c_nop = 0x0001, c_ebreak = 0x9002;
  for (std::uint64_t i = 0; const std::uint16_t half : {c_jal_4, c_nop, c_ebreak})
    store_to(program.memory.window(), code_at + 2 * i++, half);
  CHECK(program.run(10) == Stop::breakpoint);
  CHECK(program.hart.pc == code_at + 4);
  CHECK(program.hart.x[1] == code_at + 2);
}

TEST_CASE("the host's rounding mode is its own again after a run") {
  constexpr std::uint32_t fsrmi_up = 0x0021D073;
  Program64 program({fsrmi_up, ecall});
  const unsigned before = __builtin_ia32_stmxcsr();
  program.run(10);
  CHECK(__builtin_ia32_stmxcsr() == before);
  CHECK(program.hart.rounding == up);
}

/// Of 833 MHz, so that prices are rounded.
sanvp::cpu::InstructionCosts uneven_costs() {
  sanvp::cpu::InstructionCosts costs{.cycle_ps = 1e6 / 833};
  costs.cycles.fill(1.3);
  return costs;
}

TEST_CASE("prices of blocks that are decoded raise none of the program's flags") {
  for (const bool is_translated : {false, true}) {
    Program64 program(countdown());
    Interpreter<std::uint64_t> interpreter(program.memory, uneven_costs());
    if (is_translated) interpreter.translate({.after_runs = 1});
    program.hart.rounding = up;
    CHECK(interpreter.run(program.hart, 1000) == Stop::environment_call);
    CHECK(program.hart.flags == 0);
    CHECK(program.hart.rounding == up);
  }
}

TEST_CASE("prices are the same in each rounding mode, by steps, too") {
  std::vector<std::int64_t> times;
  for (const std::uint8_t rounding : {nearest_even, toward_zero, down, up}) {
    Program64 program(countdown());
    Interpreter<std::uint64_t> interpreter(program.memory, uneven_costs());
    program.hart.rounding = rounding;
    while (interpreter.step(program.hart) == Stop::budget) {
    }
    CHECK(program.hart.flags == 0);
    times.push_back(program.hart.time_ps);
  }
  CHECK(times == std::vector<std::int64_t>(4, times[0]));
}

TEST_CASE("an instruction whose second half could not be fetched runs once its page can be executed") {
  constexpr std::uint64_t first_half = data_at - 2;
  constexpr std::uint16_t short_nop = 0x0001;
  const std::uint32_t word = addi(5, 0, 7);
  BareProgram<std::uint64_t> program({});
  store_to(program.memory.window(), first_half - 2, short_nop);
  store_to(program.memory.window(), first_half, static_cast<std::uint16_t>(word));
  store_to(program.memory.window(), data_at, static_cast<std::uint16_t>(word >> 16));
  store_to(program.memory.window(), data_at + 2, ebreak);
  program.hart.pc = first_half - 2;
  CHECK(program.run(10) == Stop::fault);
  CHECK(program.hart.fault.address == data_at);
  program.memory.protect(data_at, page_bytes, readable | executable);
  program.interpreter.blocks().drop(data_at, page_bytes);
  CHECK(program.run(10) == Stop::breakpoint);
  CHECK(program.hart.x[5] == 7);
}

}  // namespace
